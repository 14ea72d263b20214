/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/bench_check.h"

#include <errno.h>

#include "base/err.h"
#include "base/parse.h"
#include "core/link.h"
#include "core/plausible.h"
#include "json/read.h"

static uint64_t count_of(const struct json_node *object, const char *key)
{
	int64_t value = 0;

	return json_member_int(object, key, &value) && value > 0 ?
		       (uint64_t)value :
		       0;
}

static struct num num_of(const struct json_node *object, const char *key)
{
	int64_t value;

	return json_member_int(object, key, &value) ? num_known(value) :
						      num_unknown(0);
}

/*
 * The mean of the slices belongs to the mean latency, which is of all their
 * reads; the median that is the cell's IOPS may lie far off on a host that
 * was disturbed.
 */
static uint64_t mean_iops(const struct json_node *cell)
{
	const struct json_node *slices = json_member(cell, "slices");
	uint64_t sum = 0, n = 0;

	if (!slices)
		return count_of(cell, "iops");
	VEC_EACH(&slices->children, const struct json_node, it) {
		uint64_t iops = count_of(it, "iops");

		if (iops > UINT64_MAX / 2 - sum)
			break;
		sum += iops;
		n++;
	}
	return n ? sum / n : count_of(cell, "iops");
}

static struct num link_of(const struct json_node *root, const char *drive)
{
	const struct json_node *drives = json_member(root, "drives");

	if (!drives || !drive)
		return num_unknown(0);
	VEC_EACH(&drives->children, const struct json_node, it) {
		const struct json_node *link = json_member(it, "link");

		if (link && text_equal(json_member_text(it, "name"), drive))
			return link_bandwidth_mbs(num_of(link, "speed_mts"),
						  num_of(link, "width"));
	}
	return num_unknown(0);
}

/* 0: of an open loop, where latencies count from when a read was due, those
 * that wait for a place are in flight, too. */
static uint64_t in_flight_of(const struct json_node *method)
{
	uint64_t jobs = count_of(method, "jobs");
	uint64_t depth = count_of(method, "depth");

	if (count_of(method, "gap_ns"))
		return 0;
	return jobs <= UINT32_MAX && depth <= UINT32_MAX ? jobs * depth : 0;
}

int bench_check_cell(struct arena *arena, const struct json_node *root,
		     const struct json_node *cell, struct err *err)
{
	const struct json_node *method = json_member(cell, "method");
	const char *drive = json_member_text(cell, "drive");
	const char *why = NULL;

	if (!method)
		return 0;
	why = plausible_in_flight(arena, mean_iops(cell),
				  count_of(cell, "mean_ns"),
				  in_flight_of(method));
	if (!why)
		why = plausible_link(arena, count_of(cell, "iops"),
				     count_of(method, "block_bytes"),
				     link_of(root, drive));
	return why ? err_set(err, -ERANGE, "%s: impossible figures: %s",
			     drive ? drive : "a cell", why) :
		     0;
}

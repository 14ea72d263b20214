/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/knee.h"

#include <inttypes.h>

#include "base/strbuf.h"

#define FREE_PPT 1100
#define FLAT_PPT 1100
#define IDENTITY_PPT 20

/* a b > c d; as doubles, since nanoseconds times IOPS may pass 2^64. */
static bool is_more_than(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	return (double)a * (double)b > (double)c * (double)d;
}

static bool is_usable(const struct knee_point *points, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!points[i].depth || !points[i].iops || !points[i].mean_ns ||
		    (i && points[i].depth <= points[i - 1].depth))
			return false;
	return n >= 3;
}

/* Of all, and of equal ones the deepest: a host that was busy at one depth
 * dents the curve there, and does not end it. */
static size_t most_for_its_latency(const struct knee_point *points, size_t n)
{
	size_t at = 0;

	/* iops[i] / mean[i] against iops[at] / mean[at] */
	for (size_t i = 1; i < n; i++)
		if (!is_more_than(points[at].iops, points[i].mean_ns,
				  points[i].iops, points[at].mean_ns))
			at = i;
	return at;
}

bool knee_find(const struct knee_point *points, size_t n, struct knee *ret)
{
	size_t at_ease = 0, at;

	if (!is_usable(points, n))
		return false;
	while (at_ease + 1 < n &&
	       !is_more_than(points[at_ease + 1].mean_ns, 1000,
			     points[0].mean_ns, FREE_PPT))
		at_ease++;
	at = most_for_its_latency(points, n);
	*ret = (struct knee){
		.free_depth = points[at_ease < at ? at_ease : at].depth,
		.depth = points[at].depth,
		.iops = points[at].iops,
		.mean_ns = points[at].mean_ns,
		.beyond = at == n - 1,
	};
	return true;
}

void knee_to_text(const struct knee *knee, struct strbuf *out)
{
	if (knee->beyond) {
		strbuf_printf(out,
			      "no knee up to %" PRIu32
			      " in flight: more would bring more",
			      knee->depth);
		return;
	}
	strbuf_printf(out, "knee %" PRIu32, knee->free_depth);
	if (knee->depth != knee->free_depth)
		strbuf_printf(out, "..%" PRIu32, knee->depth);
	strbuf_printf(out,
		      ": latency hardly grows up to %" PRIu32
		      " in flight; beyond %" PRIu32
		      " it grows by more than the IOPS do",
		      knee->free_depth, knee->depth);
}

int64_t knee_in_flight_ppt(const struct knee_point *point)
{
	if (!point->depth || !point->iops || !point->mean_ns)
		return -1;
	return (int64_t)((double)point->iops * (double)point->mean_ns / 1e6 /
				 (double)point->depth +
			 0.5);
}

enum knee_flight knee_flight(const struct knee_point *point)
{
	int64_t ppt = knee_in_flight_ppt(point);

	if (ppt < 0)
		return KNEE_FLIGHT_UNKNOWN;
	if (ppt > 1000 + IDENTITY_PPT)
		return KNEE_FLIGHT_IMPOSSIBLE;
	return ppt < 1000 - IDENTITY_PPT ? KNEE_FLIGHT_SHORT :
					   KNEE_FLIGHT_HOLDS;
}

bool scaling_find(const struct scaling_point *points, size_t n,
		  struct scaling *ret)
{
	const struct scaling_point *first = points, *last;

	if (n < 2)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!points[i].cpus || !points[i].iops ||
		    (i && points[i].cpus <= points[i - 1].cpus))
			return false;
	last = &points[n - 1];
	*ret = (struct scaling){
		.from_cpus = first->cpus,
		.to_cpus = last->cpus,
		.kept_ppt =
			(int64_t)((double)last->iops * first->cpus * 1000 /
					  ((double)first->iops * last->cpus) +
				  0.5),
		.flat = is_more_than(first->iops, FLAT_PPT, last->iops, 1000),
	};
	return true;
}

void scaling_to_text(const struct scaling *scaling, struct strbuf *out)
{
	if (scaling->flat)
		strbuf_printf(out,
			      "flat from %" PRIu32 " to %" PRIu32
			      " CPUs: the drive, or the node, is the limit",
			      scaling->from_cpus, scaling->to_cpus);
	else
		strbuf_printf(out,
			      "scales %" PRId64 " %% from %" PRIu32
			      " to %" PRIu32 " CPUs",
			      (scaling->kept_ppt + 5) / 10, scaling->from_cpus,
			      scaling->to_cpus);
}

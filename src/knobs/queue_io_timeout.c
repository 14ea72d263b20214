/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>

#include "core/volume.h"
#include "knobs/knob_list.h"

static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	const struct ns *ns = facts_ns(facts, target->name);
	const struct ctrl *ctrl = ns ? facts_ns_ctrl(facts, ns) : NULL;
	const struct observation *seen =
		facts_observed(facts, knob->name, target);

	(void)param;
	if (ctrl && volume_is_network(ctrl) && seen &&
	    seen->value.type == VALUE_UINT &&
	    asked->u.number < seen->value.u.number)
		return err_set(
			err, -EOPNOTSUPP,
			"%s: \"%s\" is a network volume, and less than the %" PRIu64
			" ms it has now turns a fail-over into I/O errors",
			knob->name, ctrl->model, seen->value.u.number);
	*ret = *asked;
	return 0;
}

/* A rule cannot compare, and only the longest time can lower none. */
static bool spare(const struct value *value, struct match_term *ret,
		  const char **ret_why)
{
	if (value->u.number == UINT32_MAX)
		return false;
	*ret = (struct match_term){ .key = MATCH_MODEL,
				    .negated = true,
				    .pattern = VOLUME_MODELS };
	*ret_why =
		"our rule spares network volumes, on which it might lower the time: 4294967295ms lowers none";
	return true;
}

/* The slowest clock a kernel is built with ticks every 10 ms (HZ=100). */
#define LONGEST_TICK_MS 10

/* The kernel keeps the time in ticks: 12345 reads back as 12348 with
 * HZ=250, the largest value as 4294967288. */
static bool same(const struct knob *knob, const struct value *have,
		 const struct value *want)
{
	uint64_t a = have->u.number, b = want->u.number;

	(void)knob;
	return (a > b ? a - b : b - a) < LONGEST_TICK_MS;
}

const struct knob knob_queue_io_timeout = {
	.name = "queue.io_timeout",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_UINT,
	.attr = "queue/io_timeout",
	.unit = UNIT_MS,
	.min = 1,
	.max = UINT32_MAX,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_NONE,
	.doc = {
		.summary = "time after which the kernel aborts a request",
		.effect =
			"A long time lets a network volume survive a fail-over without I/O errors, a short one tells sooner that a drive is dead.",
		.cost = "A dead drive holds its requests that much longer; a short time aborts requests that a slow drive would have answered.",
		.source = "Documentation/ABI/stable/sysfs-block; block/blk-sysfs.c, queue_io_timeout_store()",
	},
	.resolve = resolve,
	.spare = spare,
	.same = same,
};

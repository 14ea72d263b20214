/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>

#include "knobs/knob_list.h"

/* block/blk-mq.h: MAX_SCHED_RQ, 16 * BLKDEV_DEFAULT_RQ. */
#define SCHEDULER_LIMIT 2048

static bool has_scheduler(const struct value *scheduler)
{
	struct value none;

	return scheduler->type == VALUE_TEXT && value_text("none", &none) &&
	       !value_equal(scheduler, &none);
}

static uint64_t limit_of(const struct facts *facts, const struct target *target,
			 const struct value *scheduler)
{
	const struct ns *ns = facts_ns(facts, target->name);

	if (has_scheduler(scheduler))
		return SCHEDULER_LIMIT;
	if (!ns || ns->hw_queues.n == 0)
		return 0;
	return (uint64_t)num_or(ns->hw_queues.items[0].nr_tags, 0);
}

/*
 * Under none the limit is the depth of a hardware queue; with a scheduler it
 * is the kernel's constant.  The planner resolves this knob with the
 * scheduler that the plan leads to, passed as the observation of
 * queue.scheduler in facts.
 */
static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	const struct observation *seen =
		facts_observed(facts, "queue.scheduler", target);
	const struct value none = { 0 };
	const struct value *scheduler = seen ? &seen->value : &none;
	uint64_t limit = limit_of(facts, target, scheduler);

	(void)param;
	if (asked->type == VALUE_MAX) {
		if (!limit)
			return err_set(
				err, -EOPNOTSUPP,
				"%s: the depth of the hardware queue is unknown, so max is too",
				knob->name);
		*ret = value_uint(limit);
		return 0;
	}
	if (limit && asked->u.number > limit)
		return err_set(err, -ERANGE,
			       "%s: %" PRIu64 " is above %" PRIu64
			       ", the most this queue takes%s: use max",
			       knob->name, asked->u.number, limit,
			       has_scheduler(scheduler) ? "" : " under none");
	*ret = *asked;
	return 0;
}

const struct knob knob_queue_nr_requests = {
	.name = "queue.nr_requests",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_UINT,
	.attr = "queue/nr_requests",
	.min = 4, /* BLKDEV_MIN_RQ: less reads back as 4 */
	.max = 4095,
	.flags = KNOB_ALLOWS_MAX | KNOB_NUDGE | KNOB_RESET_DEFAULT,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "requests that may wait in one hardware queue",
		.effect =
			"A deeper queue keeps the drive busy under bursts of many small requests.",
		.cost = "A deeper queue lets one process fill it: others wait longer behind it.  Under none a smaller value shrinks the tags of every namespace of the controller.",
		.source = "Documentation/ABI/stable/sysfs-block; block/blk-mq.c, blk_mq_update_nr_requests()",
	},
	.resolve = resolve,
};

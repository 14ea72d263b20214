/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What a scheduler does to nr_requests. */

#include <inttypes.h>
#include <string.h>

#include "core/planner.h"

/* block/blk-mq-sched.c: 2 * min(depth, BLKDEV_DEFAULT_RQ). */
#define SCHEDULER_DEPTH 256U
#define MOST_SCHEDULED 2048U

uint64_t plan_default_depth(const struct ns *ns, const struct value *scheduler)
{
	uint64_t tags = 0;

	if (ns->hw_queues.n)
		tags = (uint64_t)num_or(ns->hw_queues.items[0].nr_tags, 0);
	if (tags == 0 || scheduler->type != VALUE_TEXT)
		return 0;
	if (strcmp(scheduler->u.text, "none") == 0)
		return tags;
	return tags * 2 < SCHEDULER_DEPTH ? tags * 2 : SCHEDULER_DEPTH;
}

/* 5.10 makes the scheduler anew at each reset, with its default depth
 * (block/blk-mq.c, __blk_mq_update_nr_hw_queues()). */
bool plan_is_depth_lost(struct planner *planner, const struct knob *knob,
			const struct site *site)
{
	const struct observation *depth, *scheduler;

	if (!site->ns || !(knob->flags & KNOB_RESET_DEFAULT))
		return false;
	depth = plan_observed(planner, planner->facts, knob->name,
			      &site->target);
	scheduler = plan_observed(planner, planner->facts, "queue.scheduler",
				  &site->target);
	return depth && scheduler && depth->value.type == VALUE_UINT &&
	       scheduler->value.type == VALUE_TEXT &&
	       strcmp(scheduler->value.u.text, "none") != 0 &&
	       depth->value.u.number ==
		       plan_default_depth(site->ns, &scheduler->value);
}

static void let_stand(struct planner *planner, struct change *change,
		      uint64_t before, uint64_t limit,
		      const struct change *switched)
{
	uint64_t have = change->have.u.number;

	change->verdict = VERDICT_CHANGE;
	if (have == before)
		change->reason = "the kernel's default follows the scheduler";
	else
		change->reason = arena_printf(
			planner->arena,
			"%" PRIu64 " is above the limit of %" PRIu64
			" under %s: the kernel's default takes its place",
			have, limit, switched->want.u.text);
}

/*
 * A value that is the kernel's own default follows to the new default; any
 * other is somebody's and is put back, where the new scheduler takes it.
 */
void plan_depth_effect(struct planner *planner, struct change *change,
		       const struct change *switched, const struct ns *ns)
{
	uint64_t before, after, limit, have = change->have.u.number;

	if (strcmp(change->key, "queue.nr_requests") != 0 ||
	    strcmp(switched->key, "queue.scheduler") != 0)
		return;
	before = plan_default_depth(ns, &switched->have);
	after = plan_default_depth(ns, &switched->want);
	limit = strcmp(switched->want.u.text, "none") == 0 ? after :
							     MOST_SCHEDULED;
	if (after == 0 || (have != before && have <= limit))
		return;
	change->put_back = false;
	change->want = value_uint(after);
	if (have != after)
		let_stand(planner, change, before, limit, switched);
}

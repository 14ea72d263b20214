/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The part of a plan that speaks of request queues: one drive after the
 * other, on each the knobs in the order of the registry.
 */

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "core/planner.h"

/* block/blk-mq-sched.c: 2 * min(depth, BLKDEV_DEFAULT_RQ). */
#define SCHEDULER_DEPTH 256U
#define SCHEDULER "queue.scheduler"
#define NR_REQUESTS "queue.nr_requests"
#define MOST_SCHEDULED 2048U

/* One disk that is looked at. */
struct disk {
	const struct ns *ns;
	const struct ctrl *ctrl;
	struct target target;
	const char *barred; /* why nothing may be written to it, or NULL */
};

uint64_t plan_default_depth(const struct facts *facts, const struct ns *ns,
			    const struct value *scheduler)
{
	uint64_t tags = 0;

	(void)facts;
	if (ns->hw_queues.n)
		tags = (uint64_t)num_or(ns->hw_queues.items[0].nr_tags, 0);
	if (tags == 0 || scheduler->type != VALUE_TEXT)
		return 0;
	if (strcmp(scheduler->u.text, "none") == 0)
		return tags;
	return tags * 2 < SCHEDULER_DEPTH ? tags * 2 : SCHEDULER_DEPTH;
}

static struct observation *ahead_of(struct planner *planner, const char *knob,
				    const struct target *target)
{
	return (struct observation *)(uintptr_t)facts_observed(&planner->ahead,
							       knob, target);
}

/* Does a change of this target that comes before reset knob's attribute? */
static const struct change *disturber(struct planner *planner,
				      const struct knob *knob,
				      const struct target *target)
{
	VEC_EACH(&planner->plan->changes, struct change, change) {
		const char *const *names = change->knob->disturbs;

		if (change->verdict != VERDICT_CHANGE || !names ||
		    strcmp(change->target.name, target->name) != 0)
			continue;
		for (; *names; names++)
			if (strcmp(*names, knob->name) == 0)
				return change;
	}
	return NULL;
}

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; (p = strstr(p, word)); p += n)
		if ((p == list || p[-1] == ' ') &&
		    (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

/* Why an attribute has no value here. */
static const char *absent_reason(struct planner *planner,
				 const struct knob *knob,
				 const struct observation *seen)
{
	int why = seen ? (int)seen->why : 0;

	if (why == ENOENT)
		return arena_printf(planner->arena,
				    "this kernel has no %s for this disk",
				    knob->attr);
	if (why == EINVAL)
		return arena_printf(planner->arena,
				    "%s is not in use for this disk",
				    knob->attr);
	if (why)
		return arena_printf(planner->arena, "%s cannot be read: %s",
				    knob->attr, strerror(why));
	return arena_printf(planner->arena, "%s was not read", knob->attr);
}

static void say_cannot(struct change *change, const char *reason)
{
	change->verdict = VERDICT_CANNOT;
	change->reason = reason;
	change->persistence = PERSIST_NONE;
}

/*
 * The kernel loads kyber and bfq when they are asked for; a scheduler that
 * has no module of its own name must be among those it offers.
 */
static const char *not_offered(struct planner *planner,
			       const struct observation *seen,
			       const struct value *want)
{
	if (!seen->choices || want->type != VALUE_TEXT ||
	    has_word(seen->choices, want->u.text) ||
	    strcmp(want->u.text, "kyber") == 0 ||
	    strcmp(want->u.text, "bfq") == 0)
		return NULL;
	return arena_printf(
		planner->arena,
		"this kernel does not offer %s for this disk: it offers %s",
		want->u.text, seen->choices);
}

static bool is_live(const struct ctrl *ctrl)
{
	return !ctrl || !ctrl->state || strcmp(ctrl->state, "live") == 0;
}

/* A write may wait for the controller's queues; of a head, one path will do. */
static const char *state_reason(struct planner *planner,
				const struct disk *disk)
{
	const struct ns *path;

	if (is_live(disk->ctrl))
		return NULL;
	if (disk->ns->kind == NS_HEAD)
		for (size_t i = 0;
		     (path = facts_head_path(planner->facts, disk->ns, i)); i++)
			if (is_live(facts_ns_ctrl(planner->facts, path)))
				return NULL;
	return arena_printf(planner->arena, "controller %s is %s, not live",
			    disk->ctrl->name, disk->ctrl->state);
}

/* Rollback finds a disk again by its identity. */
static const char *twin_reason(struct planner *planner, const struct disk *disk)
{
	VEC_EACH(&planner->facts->namespaces, struct ns, it)
		if (it != disk->ns &&
		    text_equal(facts_ns_id(planner->arena, planner->facts, it),
			       disk->target.id))
			return arena_printf(
				planner->arena,
				"%s has the same identity, \"%s\": they could not be told apart to take it back",
				it->name, disk->target.id);
	return NULL;
}

static struct disk disk_of(struct planner *planner, const struct ns *ns)
{
	struct disk disk = {
		.ns = ns,
		.ctrl = facts_ns_ctrl(planner->facts, ns),
		.target = facts_ns_target(planner->arena, planner->facts, ns),
	};

	disk.barred = state_reason(planner, &disk);
	if (!disk.barred)
		disk.barred = twin_reason(planner, &disk);
	return disk;
}

static void judge(struct planner *planner, struct change *change,
		  const struct disk *disk, const struct observation *seen)
{
	const char *cannot = not_offered(planner, seen, &change->want);
	const struct change *by;

	if (cannot) {
		say_cannot(change, cannot);
		return;
	}
	if (!knob_same(change->knob, &change->have, &change->want)) {
		if (disk->barred) {
			say_cannot(change, disk->barred);
			return;
		}
		change->verdict = VERDICT_CHANGE;
		change->reason = knob_effect(change->knob, &change->want);
		return;
	}
	change->verdict = VERDICT_KEEP;
	change->reason = "as the profile wants it";
	by = disturber(planner, change->knob, &change->target);
	if (!by)
		return;
	change->put_back = true;
	change->reason = arena_printf(
		planner->arena,
		"as the profile wants it; written again after %s, which may reset it",
		by->key);
}

/* One setting of the profile on one disk. */
static void plan_setting(struct planner *planner, const struct knob *knob,
			 const struct setting *setting, const struct disk *disk)
{
	const struct target *target = &disk->target;
	const struct observation *seen =
		facts_observed(planner->facts, knob->name, target);
	struct change *change =
		plan_add(planner, knob, knob->name, target, setting);
	struct err err = { 0 };
	int r;

	if (!seen || seen->value.type == VALUE_NONE) {
		say_cannot(change, absent_reason(planner, knob, seen));
		return;
	}
	change->have = seen->value;
	r = knob_resolve(knob, setting->param, &planner->ahead, target,
			 &setting->asked, &change->want, &err);
	if (r == -EINVAL)
		plan_problem(planner, setting, &err);
	if (r < 0) {
		say_cannot(change, plan_reason(planner, &err, knob->name));
		return;
	}
	judge(planner, change, disk, seen);
	plan_who(planner, change, disk->ns);
	if (change->verdict == VERDICT_CANNOT)
		return;
	plan_persist(planner, change, setting, disk->ns);
	ahead_of(planner, knob->name, target)->value = change->want;
}

static const struct applied_change *applied_find(const struct applied *applied,
						 const char *key,
						 const struct target *target)
{
	if (!applied)
		return NULL;
	VEC_EACH(&applied->changes, struct applied_change, it)
		if (it->target_kind == (int64_t)target->kind &&
		    strcmp(it->key, key) == 0 &&
		    strcmp(it->target_id, target->id) == 0)
			return it;
	return NULL;
}

/* A value that only the profile applied before asked for goes back. */
static bool plan_return(struct planner *planner, const struct knob *knob,
			const struct disk *disk)
{
	const struct target *target = &disk->target;
	const struct applied_change *was =
		applied_find(planner->input->applied, knob->name, target);
	const struct observation *seen =
		facts_observed(planner->facts, knob->name, target);
	struct change *change;

	if (!was || !seen || seen->value.type == VALUE_NONE ||
	    was->before.type == VALUE_NONE)
		return false;
	change = plan_add(planner, knob, knob->name, target, NULL);
	change->origin = ORIGIN_RETURN;
	change->have = seen->value;
	change->want = was->before;
	judge(planner, change, disk, seen);
	if (change->verdict == VERDICT_CANNOT)
		return true;
	change->reason = arena_printf(
		planner->arena,
		"only profile %s had it: %s the value of before nvmetune",
		planner->input->applied->profile ?
			planner->input->applied->profile :
			"applied before",
		change->verdict == VERDICT_KEEP ? "it is back at" : "back to");
	ahead_of(planner, knob->name, target)->value = change->want;
	return true;
}

/*
 * What a scheduler switch does to nr_requests that no profile speaks of.  A
 * value that is the kernel's own default follows to the new default; any
 * other is somebody's and is put back, where the new scheduler takes it.
 */
static void depth_effect(struct planner *planner, struct change *change,
			 const struct change *switched, const struct ns *ns)
{
	uint64_t before =
		plan_default_depth(planner->facts, ns, &switched->have);
	uint64_t after =
		plan_default_depth(planner->facts, ns, &switched->want);
	bool to_none = strcmp(switched->want.u.text, "none") == 0;
	uint64_t limit = to_none ? after : MOST_SCHEDULED;
	uint64_t have = change->have.u.number;

	if (after == 0)
		return;
	if (have != before && have <= limit)
		return;
	change->put_back = false;
	change->want = value_uint(after);
	if (have == after)
		return;
	change->verdict = VERDICT_CHANGE;
	if (have == before)
		change->reason = arena_printf(
			planner->arena,
			"the kernel's default follows the scheduler");
	else
		change->reason = arena_printf(
			planner->arena,
			"%" PRIu64 " is above the limit of %" PRIu64
			" under %s: the kernel's default takes its place",
			have, limit, switched->want.u.text);
}

/* A value that another change of this plan may reset. */
static void plan_effect(struct planner *planner, const struct knob *knob,
			const struct disk *disk)
{
	const struct target *target = &disk->target;
	const struct change *by = disturber(planner, knob, target);
	const struct observation *seen =
		facts_observed(planner->facts, knob->name, target);
	const struct change switched = by ? *by : (struct change){ 0 };
	struct change *change;

	if (!by || !seen || seen->value.type == VALUE_NONE)
		return;
	change = plan_add(planner, knob, knob->name, target, NULL);
	change->origin = ORIGIN_EFFECT;
	change->have = seen->value;
	change->want = seen->value;
	change->put_back = true;
	change->reason = arena_printf(planner->arena,
				      "put back after %s, which may reset it",
				      switched.key);
	if (strcmp(knob->name, NR_REQUESTS) == 0 &&
	    strcmp(switched.key, SCHEDULER) == 0)
		depth_effect(planner, change, &switched, disk->ns);
	ahead_of(planner, knob->name, target)->value = change->want;
}

static void plan_knob(struct planner *planner, const struct knob *knob,
		      const struct disk *disk)
{
	const struct setting *setting = profile_effective(
		planner->input->profile, knob->name, disk->ctrl, disk->ns);

	if (setting && setting->asked.type != VALUE_KEEP)
		plan_setting(planner, knob, setting, disk);
	else if (!plan_return(planner, knob, disk))
		plan_effect(planner, knob, disk);
}

/* Is the disk among those that were named, if any were? */
static bool is_chosen(const struct planner *planner, const struct ns *ns)
{
	const struct plan_input *input = planner->input;

	for (size_t i = 0; i < input->only.n; i++) {
		const char *name = input->only.names[i];

		if (text_equal(name, ns->name) || text_equal(name, ns->head) ||
		    text_equal(name, ns->ctrl))
			return true;
	}
	return input->only.n == 0;
}

void plan_queues(struct planner *planner)
{
	const struct knob_set *knobs = planner->input->knobs;

	VEC_EACH(&planner->facts->namespaces, struct ns, ns) {
		struct disk disk;

		if (!is_chosen(planner, ns))
			continue;
		disk = disk_of(planner, ns);
		for (size_t i = 0; i < knobs->n; i++)
			if (knobs->items[i]->scope == SCOPE_QUEUE &&
			    knob_lives_on(knobs->items[i], ns))
				plan_knob(planner, knobs->items[i], &disk);
	}
}

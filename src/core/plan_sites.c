/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The part of a plan that speaks of attributes: the knobs in the order of the
 * registry, those of request queues disk by disk.
 */

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "core/planner.h"

static struct observation *ahead_of(struct planner *planner, const char *knob,
				    const struct target *target)
{
	return (struct observation *)(uintptr_t)plan_observed(
		planner, &planner->ahead, knob, target);
}

static bool same_target(const struct target *a, const struct target *b)
{
	return a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

/* Does a change of this target that comes before reset knob's attribute? */
static const struct change *disturber(struct planner *planner,
				      const struct knob *knob,
				      const struct target *target)
{
	VEC_EACH(&planner->plan->changes, struct change, change) {
		const char *const *names = change->knob->disturbs;

		if (change->verdict != VERDICT_CHANGE || !names ||
		    !same_target(&change->target, target))
			continue;
		for (; *names; names++)
			if (strcmp(*names, knob->name) == 0)
				return change;
	}
	return NULL;
}

/* "this disk", "this controller" ... */
static const char *this_target(const struct target *target)
{
	static const char *const words[] = {
		[TARGET_HOST] = "this host",
		[TARGET_MODULE] = "this module",
		[TARGET_CTRL] = "this controller",
		[TARGET_QUEUE] = "this disk",
		[TARGET_FUNCTION] = "this controller",
		[TARGET_VECTOR] = "this vector",
		[TARGET_SUBSYSTEM] = "this subsystem",
		[TARGET_CPUS] = "these CPUs",
		[TARGET_SERVICE] = "this service",
		[TARGET_WRAPPER] = "this wrapper",
	};

	return words[target->kind];
}

/* Why an attribute has no value here. */
static const char *absent_reason(struct planner *planner,
				 const struct knob *knob,
				 const struct observation *seen,
				 const struct target *target)
{
	int why = seen ? (int)seen->why : 0;
	const char *reason = knob->absent ?
				     knob->absent(knob, planner->arena,
						  planner->facts, target) :
				     NULL;

	if (reason)
		return reason;
	if (why == ENOENT)
		return arena_printf(planner->arena,
				    "this kernel has no %s for %s", knob->attr,
				    this_target(target));
	if (why == EINVAL)
		return arena_printf(planner->arena, "%s is not in use for %s",
				    knob->attr, this_target(target));
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

/* Nothing to be had, and nothing missed either: no failure. */
static void say_moot(struct planner *planner, struct change *change,
		     const char *reason)
{
	change->verdict = VERDICT_KEEP;
	change->reason =
		arena_printf(planner->arena, "not applicable: %s", reason);
}

/* One setting on a target that has no value. */
static void plan_absent(struct planner *planner, struct change *change,
			const struct setting *setting,
			const struct observation *seen)
{
	const struct knob *knob = change->knob;
	const char *reason =
		absent_reason(planner, knob, seen, &change->target);

	if (knob->moot &&
	    knob->moot(knob, planner->facts, &change->target, &setting->asked))
		say_moot(planner, change, reason);
	else
		say_cannot(change, reason);
}

/*
 * The kernel loads kyber and bfq when they are asked for; a choice that has
 * no module of its own name must be among those it offers.
 */
static const char *not_offered(struct planner *planner,
			       const struct observation *seen,
			       const struct value *want,
			       const struct target *target)
{
	if (!seen->choices || want->type != VALUE_TEXT ||
	    text_has_word(seen->choices, want->u.text) ||
	    strcmp(want->u.text, "kyber") == 0 ||
	    strcmp(want->u.text, "bfq") == 0)
		return NULL;
	return arena_printf(
		planner->arena,
		"this kernel does not offer %s for %s: it offers %s",
		want->u.text, this_target(target), seen->choices);
}

static void judge(struct planner *planner, struct change *change,
		  const struct site *site, const struct observation *seen)
{
	const char *cannot =
		not_offered(planner, seen, &change->want, &change->target);
	bool same = knob_same(change->knob, &change->have, &change->want);
	const struct change *by;

	if (!cannot && !same)
		cannot = plan_barred(planner, change->knob, site);
	if (cannot) {
		say_cannot(change, cannot);
		return;
	}
	if (!same && change->knob->restarts) {
		plan_unit_later(planner, change);
		return;
	}
	if (!same) {
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

/* Nothing to be written, and nothing that could. */
static bool is_settled(struct planner *planner, struct change *change)
{
	const struct knob *knob = change->knob;
	const char *reason = knob->settled ? knob->settled(knob, planner->arena,
							   planner->facts,
							   &change->target) :
					     NULL;

	if (!reason)
		return false;
	change->settled = true;
	change->want = change->have;
	change->reason = reason;
	change->persistence = PERSIST_KERNEL;
	return true;
}

/* One setting of the profile on one target. */
static void plan_setting(struct planner *planner, const struct knob *knob,
			 const struct setting *setting, const struct site *site)
{
	const struct target *target = &site->target;
	const struct observation *seen =
		plan_observed(planner, planner->facts, knob->name, target);
	struct change *change =
		plan_add(planner, knob, knob->name, target, setting);
	struct err err = { 0 };
	int r;

	if (!seen || seen->value.type == VALUE_NONE) {
		plan_absent(planner, change, setting, seen);
		return;
	}
	change->have = seen->value;
	if (is_settled(planner, change))
		return;
	r = knob_resolve(knob, setting->param, &planner->ahead, target,
			 &setting->asked, &change->want, &err);
	if (r == -EINVAL)
		plan_problem(planner, setting, &err);
	if (r < 0) {
		say_cannot(change, plan_reason(planner, &err, knob->name));
		return;
	}
	judge(planner, change, site, seen);
	plan_who(planner, change, site);
	if (change->verdict == VERDICT_CANNOT)
		return;
	if (knob->note)
		change->note = knob->note(knob, planner->arena, &planner->ahead,
					  target, &change->want);
	plan_persist(planner, change, setting, site);
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

/* In the boot of the apply, a value that is neither what we left nor what we
 * found is somebody's. */
static bool is_somebodys(struct planner *planner, const struct change *change,
			 const struct applied_change *was)
{
	const char *boot_id = planner->input->applied->boot_id;

	return was->left.type != VALUE_NONE && boot_id &&
	       text_equal(boot_id, planner->facts->boot_id) &&
	       !knob_same(change->knob, &change->have, &was->left) &&
	       !knob_same(change->knob, &change->have, &was->before);
}

static void leave_to_somebody(struct planner *planner, struct change *change,
			      const struct applied_change *was)
{
	change->want = change->have;
	change->reason = arena_printf(
		planner->arena,
		"only the profile applied before had it, but somebody changed it since: it was %s, nvmetune left %s; it stays",
		value_string(planner->arena, &was->before),
		value_string(planner->arena, &was->left));
}

/* A value that only the profile applied before asked for goes back. */
static bool plan_return(struct planner *planner, const struct knob *knob,
			const struct site *site)
{
	const struct target *target = &site->target;
	const struct applied_change *was =
		applied_find(planner->input->applied, knob->name, target);
	const struct observation *seen =
		plan_observed(planner, planner->facts, knob->name, target);
	struct change *change;

	if (!was || !seen || seen->value.type == VALUE_NONE ||
	    was->before.type == VALUE_NONE)
		return false;
	change = plan_add(planner, knob, knob->name, target, NULL);
	change->origin = ORIGIN_RETURN;
	change->have = seen->value;
	change->want = was->before;
	if (is_somebodys(planner, change, was)) {
		leave_to_somebody(planner, change, was);
		return true;
	}
	judge(planner, change, site, seen);
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

/* A value that another change of this plan may reset. */
static void plan_effect(struct planner *planner, const struct knob *knob,
			const struct site *site)
{
	const struct target *target = &site->target;
	const struct change *by = disturber(planner, knob, target);
	const struct observation *seen =
		plan_observed(planner, planner->facts, knob->name, target);
	const struct change disturbing = by ? *by : (struct change){ 0 };
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
				      disturbing.key);
	plan_depth_effect(planner, change, &disturbing, site->ns);
	ahead_of(planner, knob->name, target)->value = change->want;
}

/* What a rule set is not planned for the device helper, unless it moves that
 * itself; but what it does set follows from it: "max" of nr_requests from the
 * scheduler. */
static void plan_held(struct planner *planner, const struct knob *knob,
		      const struct setting *setting, const struct site *site)
{
	struct observation *ahead =
		ahead_of(planner, knob->name, &site->target);
	struct value want;
	struct err ignored = { 0 };

	if (ahead && ahead->value.type != VALUE_NONE &&
	    knob_resolve(knob, setting->param, &planner->ahead, &site->target,
			 &setting->asked, &want, &ignored) == 0)
		ahead->value = want;
}

/* "keep" is not the same as nothing: who asks for it wants no way back. */
static bool is_kept(const struct planner *planner, const struct knob *knob,
		    const struct site *site)
{
	const struct setting *setting = profile_effective(
		planner->input->profile, knob->name, site->ctrl, site->ns);

	return setting && setting->asked.type == VALUE_KEEP;
}

static void plan_site(struct planner *planner, const struct knob *knob,
		      const struct site *site)
{
	const char *ambiguous;
	const struct setting *setting =
		plan_choose(planner, knob, site, &ambiguous);

	if (setting && planner->input->by_helper &&
	    !plan_is_helpers(planner, setting, site) &&
	    !plan_is_depth_lost(planner, knob, site) &&
	    !disturber(planner, knob, &site->target))
		plan_held(planner, knob, setting, site);
	else if (ambiguous)
		say_cannot(plan_add(planner, knob, knob->name, &site->target,
				    setting),
			   ambiguous);
	else if (setting)
		plan_setting(planner, knob, setting, site);
	else if (!plan_unit_leftover(planner, knob, site) &&
		 (is_kept(planner, knob, site) ||
		  !plan_return(planner, knob, site)))
		plan_effect(planner, knob, site);
}

/* Is the target among the drives that were named, if any were? */
static bool is_chosen(const struct planner *planner, const struct site *site)
{
	const struct plan_input *input = planner->input;
	const struct ns *ns = site->ns;

	for (size_t i = 0; i < input->only.n; i++) {
		const char *name = input->only.names[i];

		if (ns &&
		    (text_equal(name, ns->name) || text_equal(name, ns->head)))
			return true;
		if (site->ctrl && (!ns || text_equal(name, ns->ctrl)) &&
		    text_equal(name, site->ctrl->name))
			return true;
	}
	return input->only.n == 0;
}

static void plan_sites_of(struct planner *planner, const struct knob *knob)
{
	struct site_list list = sites_of(planner->arena, planner->facts, knob);

	VEC_EACH(&list.sites, struct site, site)
		if (is_chosen(planner, site))
			plan_site(planner, knob, site);
}

static void plan_disk(struct planner *planner, const struct ns *ns)
{
	const struct knob_set *knobs = planner->input->knobs;
	const struct site site = {
		.target = facts_ns_target(planner->arena, planner->facts, ns),
		.ctrl = facts_ns_ctrl(planner->facts, ns),
		.ns = ns,
	};

	if (!is_chosen(planner, &site))
		return;
	for (size_t i = 0; i < knobs->n; i++)
		if (knobs->items[i]->scope == SCOPE_QUEUE &&
		    knob_lives_on(knobs->items[i], ns))
			plan_site(planner, knobs->items[i], &site);
}

void plan_sites(struct planner *planner)
{
	const struct knob_set *knobs = planner->input->knobs;

	for (size_t i = 0; i < knobs->n; i++)
		if (knobs->items[i]->scope != SCOPE_QUEUE)
			plan_sites_of(planner, knobs->items[i]);
	VEC_EACH(&planner->facts->namespaces, struct ns, ns)
		plan_disk(planner, ns);
}

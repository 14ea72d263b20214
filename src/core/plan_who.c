/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Who set a present value, and what keeps a new one. */

#include <inttypes.h>
#include <string.h>

#include "core/rivals.h"

/* block/elevator.c, elevator_get_default(): a controller with one hardware
 * queue starts with mq-deadline, any other with none. */
static const char *default_scheduler(const struct ns *ns)
{
	if (ns->hw_queues.n == 0)
		return "";
	return ns->hw_queues.n == 1 ? "mq-deadline" : "none";
}

/* Who set a value that no rule sets, where the kernel's default tells. */
static const char *default_words(const struct change *change,
				 const struct ns *ns)
{
	if (strcmp(change->key, "queue.scheduler") != 0 ||
	    change->have.type != VALUE_TEXT ||
	    strcmp(change->have.u.text, default_scheduler(ns)) != 0)
		return NULL;
	return ns->hw_queues.n == 1 ?
		       "the kernel: its default for a controller with one I/O queue" :
		       "the kernel: its default for a controller with several queues";
}

void plan_who(struct planner *planner, struct change *change,
	      const struct site *site)
{
	const struct ns *ns = site->ns;
	const char *words;

	if (change->have.type == VALUE_NONE)
		return;
	rivals_set_by(planner, change, site);
	rivals_list(planner, change, site);
	if (!ns)
		return;
	/* A value that stays needs no culprit, but a rule that keeps it too
	 * is worth knowing. */
	words = change->verdict == VERDICT_KEEP ? NULL :
						  default_words(change, ns);
	if (change->set_by.n == 0 && words)
		*vec_add(planner->arena, &change->set_by) = words;
}

/* At the next boot the scheduler will be another than this plan's. */
static bool is_scheduler_lost(struct planner *planner,
			      const struct target *target)
{
	VEC_EACH(&planner->plan->changes, struct change, change)
		if (strcmp(change->key, "queue.scheduler") == 0 &&
		    strcmp(change->target.name, target->name) == 0)
			return change->persistence == PERSIST_CANNOT;
	return false;
}

/* What the kernel gives the queue by itself, once the scheduler is right. */
static bool is_kernel_default(struct planner *planner,
			      const struct change *change, const struct ns *ns)
{
	const struct observation *scheduler = facts_observed(
		&planner->ahead, "queue.scheduler", &change->target);

	if (strcmp(change->key, "queue.scheduler") == 0)
		return strcmp(change->want.u.text, default_scheduler(ns)) == 0;
	return strcmp(change->key, "queue.nr_requests") == 0 && scheduler &&
	       change->want.type == VALUE_UINT &&
	       change->want.u.number ==
		       plan_default_depth(ns, &scheduler->value) &&
	       !is_scheduler_lost(planner, &change->target);
}

/* Why our rule spares this disk; NULL: it does not. */
static const char *spared(const struct change *change, const struct ns *ns,
			  const struct ctrl *ctrl)
{
	struct match_term spare;
	const char *why;

	if (!change->knob->spare ||
	    !change->knob->spare(&change->want, &spare, &why))
		return NULL;
	return match_term_holds(&spare, ctrl, ns) ? NULL : why;
}

/* What the kernel gives by itself stays, unless somebody's rule moves it. */
static void persist_by_kernel(struct planner *planner, struct change *change,
			      const struct site *site)
{
	const struct rival other = rivals_any_rule(planner, change, site);

	if (other.effect) {
		change->persist_reason = arena_printf(
			planner->arena,
			"%s:%" PRId64
			" %ssets %s %s, and our rule does not hold this value",
			other.effect->rule->file, other.effect->rule->line,
			other.perhaps ? "perhaps " : "", other.effect->value,
			other.on_change ? "at each change event" :
					  "when the drive appears");
		return;
	}
	change->persistence = PERSIST_KERNEL;
	change->persist_reason = "the kernel gives it by itself";
}

/* Why no rule of ours holds it. */
static const char *not_held(struct planner *planner,
			    const struct change *change, const struct ns *ns,
			    const char *why_spared)
{
	if (ns->kind == NS_PATH)
		return "udev never sees the hidden disk of a multipath drive";
	if (ns->kind == NS_HEAD)
		return "no udev rule can tell a local multipath drive from a fabric's";
	if (why_spared)
		return why_spared;
	if (strcmp(change->key, "queue.nr_requests") == 0 &&
	    is_scheduler_lost(planner, &change->target))
		return "the kernel's depth follows the scheduler, which does not stay";
	return "\"max\" differs from drive to drive, and a udev rule holds constants only";
}

static const char *beaten_by(struct planner *planner, const struct rival *rival)
{
	const struct rule *rule = rival->effect->rule;
	const char *value = rival->effect->value;

	if (rival->on_change)
		return arena_printf(planner->arena,
				    "will be overridden by %s:%" PRId64
				    ", which %ssets %s at each change event",
				    rule->file, rule->line,
				    rival->perhaps ? "perhaps " : "", value);
	if (rival->at == RULE_AT_BOUND)
		return arena_printf(
			planner->arena,
			"%s:%" PRId64
			" runs when the driver has bound, behind our rule, and %ssets %s",
			rule->file, rule->line,
			rival->perhaps ? "perhaps " : "", value);
	if (rival->perhaps)
		return arena_printf(planner->arena,
				    "%s:%" PRId64
				    " runs after our rule and perhaps sets %s",
				    rule->file, rule->line, value);
	return arena_printf(planner->arena,
			    "%s:%" PRId64 " runs after our rule and sets %s",
			    rule->file, rule->line, value);
}

/*
 * Our rule acts when a drive appears.  udev's watch makes a change event of
 * every close of a node that was open for writing, and there it is alone.
 */
static void warn_of_change(struct planner *planner, struct change *change,
			   const struct site *site)
{
	const struct rule_effect *other =
		rivals_on_change(planner, change, site, RULE_AT_DISK);

	if (other)
		change->persist_reason = arena_printf(
			planner->arena,
			"until a program writes to the disk's node: %s:%" PRId64
			" then sets %s",
			other->rule->file, other->rule->line, other->value);
}

/* What another program sets later stays in no file of ours. */
static void lose_to(struct planner *planner, struct change *change,
		    const struct attr_writer *writer)
{
	change->persistence = PERSIST_CANNOT;
	change->overridden_by = writer;
	change->persist_reason = rivals_writer_words(planner, writer);
}

static void keep_disk(struct planner *planner, struct change *change,
		      const struct setting *setting, const struct site *site)
{
	const struct ns *ns = site->ns;
	const struct rival later = rivals_rule(planner, change, site);
	const struct attr_writer *writer = rivals_writer(planner, change, site);
	const char *why_spared =
		spared(change, ns, facts_ns_ctrl(planner->facts, ns));
	bool constant = setting->asked.type == change->knob->type;

	change->persistence = PERSIST_CANNOT;
	if (later.effect) {
		change->persist_reason = beaten_by(planner, &later);
	} else if (writer) {
		lose_to(planner, change, writer);
	} else if (ns->kind == NS_PLAIN && constant && !why_spared) {
		change->persistence = PERSIST_RULE;
		warn_of_change(planner, change, site);
	} else if (is_kernel_default(planner, change, ns)) {
		persist_by_kernel(planner, change, site);
	} else {
		plan_keep_by_helper(planner, change,
				    not_held(planner, change, ns, why_spared));
	}
}

static void look_at_writers(struct planner *planner, struct change *change,
			    const struct site *site)
{
	const struct attr_writer *writer = rivals_writer(planner, change, site);

	if (writer)
		lose_to(planner, change, writer);
}

/*
 * A rule that runs on change events has the last word at a controller, which
 * sends one each time that it has come to life.
 */
static struct rival later_rule(struct planner *planner,
			       const struct change *change,
			       const struct site *site)
{
	struct rival rival = rivals_rule(planner, change, site);

	if (!rival.effect) {
		rival.effect =
			rivals_on_change(planner, change, site, RULE_AT_CTRL);
		rival.on_change = true;
	}
	return rival;
}

static void keep_by_rule(struct planner *planner, struct change *change,
			 const struct setting *setting, const struct site *site)
{
	const struct rival later = later_rule(planner, change, site);

	change->persistence = PERSIST_CANNOT;
	if (later.effect) {
		change->persist_reason = beaten_by(planner, &later);
	} else if (setting->asked.type != change->knob->type) {
		plan_keep_by_helper(
			planner, change,
			"it differs from drive to drive, and a udev rule holds constants only");
	} else {
		change->persistence = PERSIST_RULE;
		warn_of_change(planner, change, site);
		look_at_writers(planner, change, site);
	}
}

static void keep_by_unit(struct planner *planner, struct change *change,
			 const struct setting *setting)
{
	struct intents scratch = { 0 };

	if (change->knob->intend(planner->arena, planner->facts, setting,
				 &scratch))
		change->persistence = PERSIST_UNIT;
}

static void keep_by_nothing(struct planner *planner, struct change *change)
{
	const struct knob *knob = change->knob;
	const char *word =
		knob->word ? arena_printf(planner->arena, "%s=%s", knob->word,
					  value_string(planner->arena,
						       &change->want)) :
			     NULL;

	if (word && change->file && plan_holds_words(planner, word)) {
		plan_word_persist(planner, change, word);
		return;
	}
	change->persistence = PERSIST_KERNEL;
	if (knob->returns &&
	    knob->returns(planner->facts, &change->target, &change->want))
		return;
	change->persistence = PERSIST_CANNOT;
	change->persist_reason = knob->unkept;
	if (knob->kept == KEPT_BY_HELPER)
		plan_keep_by_helper(planner, change, knob->unkept);
}

void plan_persist(struct planner *planner, struct change *change,
		  const struct setting *setting, const struct site *site)
{
	switch (change->knob->kept) {
	case KEPT_BY_DISK_RULE:
		keep_disk(planner, change, setting, site);
		break;
	case KEPT_BY_CTRL_RULE:
	case KEPT_BY_FUNCTION_RULE:
	case KEPT_BY_SUBSYSTEM_RULE:
	case KEPT_BY_CPU_RULE:
		keep_by_rule(planner, change, setting, site);
		break;
	case KEPT_BY_OPTION:
		change->persistence = PERSIST_OPTION;
		break;
	case KEPT_BY_RUNNER: /* the plan's own part */
		break;
	case KEPT_BY_SYSCTL:
		change->persistence = PERSIST_SYSCTL;
		look_at_writers(planner, change, site);
		break;
	case KEPT_BY_UNIT:
		keep_by_unit(planner, change, setting);
		break;
	case KEPT_NOT:
	case KEPT_BY_HELPER:
		keep_by_nothing(planner, change);
		break;
	}
}

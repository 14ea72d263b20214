/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Who set a present value, and what keeps a new one.  First form: literal
 * assignments in udev rules, told by the rule's own KERNEL pattern.
 */

#include <inttypes.h>
#include <string.h>

#include "base/glob.h"
#include "base/parse.h"
#include "core/owner.h"
#include "core/planner.h"

#define PATTERN_SIZE 256

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Does KERNEL=="..." or KERNEL!="..." of a rule leave this disk out? */
static bool kernel_excludes(const char *rule, const char *name)
{
	const char *p = rule;

	while ((p = strstr(p, "KERNEL"))) {
		const bool starts = p == rule || strchr(" ,\t", p[-1]);
		const char *pattern, *end;
		char text[PATTERN_SIZE];
		bool negated;

		p += strlen("KERNEL");
		negated = text_has_prefix(p, "!=\"");
		if (!starts || (!negated && !text_has_prefix(p, "==\"")))
			continue;
		pattern = p + strlen("==\"");
		end = strchr(pattern, '"');
		if (!end || (size_t)(end - pattern) >= sizeof(text))
			return false;
		memcpy(text, pattern, (size_t)(end - pattern));
		text[end - pattern] = '\0';
		if (glob_match(text, name) == negated)
			return true;
	}
	return false;
}

static bool speaks_of(const struct rule_line *rule, const struct knob *knob,
		      const struct ns *ns)
{
	/* Hidden paths send no uevents: no rule ever runs for them. */
	if (ns->kind == NS_PATH || strcmp(rule->attr, knob->attr) != 0 ||
	    strcmp(rule->file, OWNER_RULES) == 0)
		return false;
	return !kernel_excludes(rule->text, ns->name);
}

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
	const char *have = value_string(planner->arena, &change->have);
	const char *words;

	if (!ns)
		return;
	VEC_EACH(&planner->facts->rules, struct rule_line, rule)
		if (speaks_of(rule, change->knob, ns) &&
		    strcmp(rule->value, have) == 0)
			*vec_add(planner->arena, &change->set_by) =
				arena_printf(planner->arena,
					     "%s:%" PRId64 ": %s", rule->file,
					     rule->line, rule->text);
	/* A value that stays needs no culprit, but a rule that keeps it too
	 * is worth knowing. */
	words = change->verdict == VERDICT_KEEP ? NULL :
						  default_words(change, ns);
	if (change->set_by.n == 0 && words)
		*vec_add(planner->arena, &change->set_by) = words;
}

/* The rule of another file that has the last word on it and says otherwise;
 * of the files whose name comes behind after. */
static const struct rule_line *contrary_rule(struct planner *planner,
					     const struct change *change,
					     const struct ns *ns,
					     const char *after)
{
	const char *want = value_string(planner->arena, &change->want);
	const struct rule_line *last = NULL;

	VEC_EACH(&planner->facts->rules, struct rule_line, rule)
		if (speaks_of(rule, change->knob, ns) &&
		    strcmp(base_name(rule->file), after) > 0)
			last = strcmp(rule->value, want) != 0 ? rule : NULL;
	return last;
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
			      const struct ns *ns)
{
	const struct rule_line *other = contrary_rule(planner, change, ns, "");

	if (other) {
		change->persist_reason = arena_printf(
			planner->arena,
			"%s:%" PRId64
			" sets %s when the drive appears, and our rule does not hold this value",
			other->file, other->line, other->value);
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

static void keep_disk(struct planner *planner, struct change *change,
		      const struct setting *setting, const struct ns *ns)
{
	const struct rule_line *later =
		contrary_rule(planner, change, ns, base_name(OWNER_RULES));
	const char *why_spared =
		spared(change, ns, facts_ns_ctrl(planner->facts, ns));
	bool constant = setting->asked.type == change->knob->type;

	change->persistence = PERSIST_CANNOT;
	if (later)
		change->persist_reason = arena_printf(
			planner->arena,
			"%s:%" PRId64 " runs after our rule and sets %s",
			later->file, later->line, later->value);
	else if (ns->kind == NS_PLAIN && constant && !why_spared)
		change->persistence = PERSIST_RULE;
	else if (is_kernel_default(planner, change, ns))
		persist_by_kernel(planner, change, ns);
	else
		change->persist_reason =
			not_held(planner, change, ns, why_spared);
}

static void keep_by_rule(struct change *change, const struct setting *setting)
{
	change->persistence = PERSIST_RULE;
	if (setting->asked.type == change->knob->type)
		return;
	change->persistence = PERSIST_CANNOT;
	change->persist_reason =
		"it differs from drive to drive, and a udev rule holds constants only";
}

static void keep_by_nothing(const struct planner *planner,
			    struct change *change)
{
	const struct knob *knob = change->knob;

	change->persistence = PERSIST_KERNEL;
	if (knob->returns &&
	    knob->returns(planner->facts, &change->target, &change->want))
		return;
	change->persistence = PERSIST_CANNOT;
	change->persist_reason = knob->unkept;
}

void plan_persist(struct planner *planner, struct change *change,
		  const struct setting *setting, const struct site *site)
{
	switch (change->knob->kept) {
	case KEPT_BY_DISK_RULE:
		keep_disk(planner, change, setting, site->ns);
		break;
	case KEPT_BY_CTRL_RULE:
	case KEPT_BY_FUNCTION_RULE:
	case KEPT_BY_SUBSYSTEM_RULE:
	case KEPT_BY_CPU_RULE:
		keep_by_rule(change, setting);
		break;
	case KEPT_BY_OPTION:
		change->persistence = PERSIST_OPTION;
		break;
	case KEPT_BY_SYSCTL:
		change->persistence = PERSIST_SYSCTL;
		break;
	case KEPT_NOT:
		keep_by_nothing(planner, change);
		break;
	}
}

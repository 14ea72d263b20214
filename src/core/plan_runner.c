/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The part of a plan that is about services and wrappers.  Where they are to
 * run comes from runner_place(); here is what that means on this host.  A
 * service is never restarted: the plan says that it must be.
 */

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "core/owner.h"
#include "core/planner.h"
#include "core/runner_place.h"

static const struct bound_unit *find_unit(const struct facts *facts,
					  const char *name)
{
	VEC_EACH(&facts->units, const struct bound_unit, it)
		if (text_equal(it->name, name))
			return it;
	return NULL;
}

/* The command that would be hidden, or that would hide ours. */
static const char *namesake(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->commands, const char *, it)
		if (text_equal(strrchr(*it, '/') + 1, name))
			return *it;
	return NULL;
}

static struct change *add_change(struct planner *planner, bool service,
				 const char *name,
				 const struct setting *setting)
{
	const char *word = service ? "service" : "wrapper";
	const char *param;
	const struct target target = {
		.kind = service ? TARGET_SERVICE : TARGET_WRAPPER,
		.name = name,
		.dir = "",
		.id = name,
	};

	return plan_add(planner,
			knob_set_find(planner->input->knobs, word, &param),
			word, &target, setting);
}

static void say_cannot(struct runner_placing *placing, struct change *change)
{
	struct arena *arena = placing->planner->arena;
	struct runner_intent *intent = &placing->intent;
	const bool written = owner_is_us(
		runner_content(placing->planner->facts, intent->path));

	change->verdict = VERDICT_CANNOT;
	change->reason = arena_strdup(arena, placing->err.text);
	/* Drives come and go: no reason to take a service off its node. */
	intent->stays = placing->err.code == -ENOENT ||
			placing->err.code == -ENODATA;
	if (intent->stays && written)
		change->reason = arena_printf(
			arena, "%s; what was written for it before stays",
			change->reason);
}

/* A boot since has started it with our file. */
static bool is_from_earlier_boot(const struct planner *planner)
{
	const struct applied *applied = planner->input->applied;

	return applied && applied->boot_id && planner->facts->boot_id &&
	       !text_equal(applied->boot_id, planner->facts->boot_id);
}

/* As systemctl takes it: a template is all of its instances. */
static const char *restart_name(struct arena *arena, const char *unit)
{
	const char *at = strstr(unit, "@.");

	if (!at)
		return unit;
	return arena_printf(arena, "%.*s*%s", (int)(at + 1 - unit), unit,
			    at + 1);
}

static void need_restart(struct planner *planner, struct change *change,
			 const char *why)
{
	change->verdict = VERDICT_LATER;
	change->needs = NEED_RESTART;
	change->restart = restart_name(planner->arena, change->target.name);
	change->reason = arena_printf(planner->arena,
				      "%s: true after a restart of it", why);
}

static void judge_service(struct planner *planner, struct change *change,
			  bool written)
{
	const struct bound_unit *unit =
		find_unit(planner->facts, change->target.name);
	const char *state = unit ? unit->state : NULL;
	const bool idle = text_equal(state, "stopped") ||
			  text_equal(state, "absent");

	change->persistence = PERSIST_UNIT;
	if (text_equal(state, "absent"))
		change->note = arena_printf(planner->arena,
					    "this host has no unit %s%s%s",
					    change->target.name,
					    change->note ? "; " : "",
					    change->note ? change->note : "");
	if (written && idle) {
		change->reason = "written, and true when it starts";
	} else if (written && unit && num_or(unit->restarted, 0)) {
		change->reason = "as the profile wants it";
	} else if (written && is_from_earlier_boot(planner)) {
		change->reason = "as the profile wants it since the last boot";
	} else if (written) {
		need_restart(planner, change, "already written");
		change->pending = true;
	} else if (idle) {
		change->verdict = VERDICT_LATER;
		change->reason = "systemd reads it when it starts the service";
	} else {
		need_restart(planner, change,
			     "systemd reads it when it starts the service");
	}
}

/* In a saved host nobody may have looked for the script. */
static void judge_wrapper(struct change *change, bool written, bool looked)
{
	change->persistence = PERSIST_SCRIPT;
	change->verdict = written ? VERDICT_KEEP :
			  looked  ? VERDICT_CHANGE :
				    VERDICT_LATER;
	change->reason = written ? "as the profile wants it" :
				   "true for what is started with it";
}

/* Nothing runs there that would have to be started again. */
static void judge_in_image(struct change *change, bool written)
{
	change->verdict = written ? VERDICT_KEEP : VERDICT_LATER;
	change->reason = written ? "as the profile wants it" :
				   "true when the image boots";
	change->needs = 0;
	change->restart = NULL;
	change->pending = false;
}

/*
 * Another drop-in has the last word: a line that ours has too is none of it,
 * and an empty one takes back what is before it.
 */
static void judge_rival(struct runner_placing *placing, struct change *change)
{
	struct arena *arena = placing->planner->arena;
	const struct bound_unit *unit =
		find_unit(placing->planner->facts, change->target.name);
	const struct unit_setting *rival = NULL;

	if (!unit)
		return;
	VEC_EACH(&unit->later, const struct unit_setting, it)
		if (!strstr(placing->intent.lines,
			    arena_printf(arena, "%s\n", it->text)))
			rival = it;
	if (!rival)
		return;
	change->persistence = PERSIST_CANNOT;
	change->persist_reason = arena_printf(
		arena, "%s:%lld comes after our drop-in and says %s",
		rival->file, (long long)rival->line, rival->text);
}

static void judge(struct runner_placing *placing, struct change *change)
{
	struct planner *planner = placing->planner;
	const struct runner_intent *intent = &placing->intent;
	const struct own_file *file = runner_file(planner->facts, intent->path);
	const char *content = file ? file->content : NULL;
	const bool looked = file && file->present.known;
	const bool written = runner_is_written(content, intent->lines);

	(void)value_text(binding_text(planner->arena, &intent->binding),
			 &change->want);
	if (intent->is_service) {
		judge_service(planner, change, written);
		judge_rival(placing, change);
	} else {
		judge_wrapper(change, written, looked);
	}
	if (num_or(planner->facts->image, 0))
		judge_in_image(change, written);
	if (change->verdict == VERDICT_KEEP)
		change->have = change->want;
	else if (!written && owner_is_us(content))
		(void)value_text("others", &change->have);
	else if (!written && looked)
		(void)value_text("not bound", &change->have);
}

static int check(struct runner_placing *placing)
{
	const struct facts *facts = placing->planner->facts;
	const char *other = namesake(facts, placing->runner->name);

	if (other && placing->runner->kind != SECTION_SERVICE)
		return err_set(&placing->err, -EEXIST,
			       "there is a command of this name already, %s",
			       other);
	return 0;
}

static void plan_runner(struct planner *planner, const struct runner *runner)
{
	struct arena *arena = planner->arena;
	const struct setting setting = { .text = runner->asked,
					 .file = runner->file,
					 .line = runner->line };
	struct runner_placing placing = {
		.planner = planner,
		.runner = runner,
		.intent = { .is_service = runner->kind == SECTION_SERVICE,
			    .name = runner->name,
			    .file = runner->file,
			    .line = runner->line },
	};
	struct change *change = add_change(planner,
					   runner->kind == SECTION_SERVICE,
					   runner->name, &setting);
	int r;

	placing.intent.path = runner_path(arena, runner->kind, runner->name);
	r = check(&placing);
	if (r == 0)
		r = runner_place(&placing);
	change->note = placing.intent.about;
	if (r < 0)
		say_cannot(&placing, change);
	else
		judge(&placing, change);
	if (r == 0 || placing.intent.stays)
		*vec_add(arena, &planner->plan->intents.runners) =
			placing.intent;
}

/* A file of ours that this profile does not ask for: it goes. */
static void plan_leftover(struct planner *planner, bool service,
			  const char *name)
{
	const struct bound_unit *unit = find_unit(planner->facts, name);
	struct change *change = add_change(planner, service, name, NULL);

	change->origin = ORIGIN_RETURN;
	(void)value_text("bound", &change->have);
	(void)value_text("as it was", &change->want);
	if (!service) {
		change->verdict = VERDICT_CHANGE;
		change->reason =
			"only the profile applied before had it: its script goes";
		return;
	}
	change->verdict = VERDICT_LATER;
	change->reason =
		"only the profile applied before had it: our drop-in goes";
	if (!unit || !unit->state || text_equal(unit->state, "running"))
		need_restart(planner, change, change->reason);
}

static bool is_wanted(const struct runner_list *list, enum section_kind kind,
		      const char *name)
{
	VEC_EACH(&list->items, const struct runner, it)
		if (it->kind == kind && !it->keep &&
		    strcmp(it->name, name) == 0)
			return true;
	return false;
}

static void plan_leftovers(struct planner *planner,
			   const struct runner_list *list)
{
	VEC_EACH(&planner->facts->own_files, const struct own_file, file) {
		enum section_kind kind;
		const char *name;

		if (owner_is_us(file->content) &&
		    runner_of_path(planner->arena, file->path, &kind, &name) &&
		    !is_wanted(list, kind, name))
			plan_leftover(planner, kind == SECTION_SERVICE, name);
	}
}

void plan_runners(struct planner *planner)
{
	struct runner_list list =
		runners_of(planner->arena, planner->input->profile);

	if (planner->input->only.n)
		return;
	VEC_EACH(&list.items, const struct runner, it)
		if (runner_is_complete(it))
			plan_runner(planner, it);
	plan_leftovers(planner, &list);
}

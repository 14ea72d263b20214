/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/plan.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "core/planner.h"

const char *persistence_name(enum persistence persistence)
{
	static const char *const names[] = {
		[PERSIST_NONE] = "none",
		[PERSIST_RULE] = "udev rule",
		[PERSIST_OPTION] = "modprobe.d",
		[PERSIST_SYSCTL] = "sysctl.d",
		[PERSIST_HELPER] = "device helper",
		[PERSIST_UNIT] = "unit drop-in",
		[PERSIST_SCRIPT] = "script",
		[PERSIST_WORD] = "command line",
		[PERSIST_KERNEL] = "kernel default",
		[PERSIST_CANNOT] = "cannot",
	};

	return names[persistence];
}

const char *file_action_name(enum file_action action)
{
	static const char *const names[] = {
		[FILE_SAME] = "same",	      [FILE_CREATE] = "create",
		[FILE_REPLACE] = "replace",   [FILE_REMOVE] = "remove",
		[FILE_CONFLICT] = "conflict",
	};

	return names[action];
}

struct change *plan_add(struct planner *planner, const struct knob *knob,
			const char *key, const struct target *target,
			const struct setting *setting)
{
	struct change *change =
		vec_add(planner->arena, &planner->plan->changes);

	*change = (struct change){
		.id = target->kind == TARGET_MODULE ?
			      key :
			      arena_printf(planner->arena, "%s@%s", key,
					   target->name),
		.key = key,
		.knob = knob,
		.target = *target,
		.verdict = VERDICT_KEEP,
	};
	if (setting) {
		change->param = setting->param;
		change->asked = setting->text;
		change->file = setting->file;
		change->line = setting->line;
	}
	return change;
}

void plan_problem(struct planner *planner, const struct setting *setting,
		  const struct err *err)
{
	struct problems *problems = planner->problems;
	const char *line;

	problems_add_at(problems, setting->file, setting->line, err);
	line = problems->lines.items[problems->lines.n - 1];
	for (size_t i = 0; i + 1 < problems->lines.n; i++)
		if (strcmp(problems->lines.items[i], line) == 0)
			problems->lines.n--;
}

const char *plan_reason(struct planner *planner, const struct err *err,
			const char *key)
{
	const char *text = err->text;
	size_t n = strlen(key);

	if (text_has_prefix(text, key) && text_has_prefix(text + n, ": "))
		text += n + 2;
	return arena_strdup(planner->arena, text);
}

/* What the facts hold of knobs that nobody had to read. */
static void add_recalled(struct arena *arena, const struct knob *knob,
			 struct facts *facts)
{
	struct site_list list = sites_of(arena, facts, knob);

	VEC_EACH(&list.sites, struct site, site) {
		struct observation seen = {
			.knob = knob->name,
			.target_kind = (int64_t)site->target.kind,
			.target = site->target.name,
		};

		knob->recall(knob, arena, facts, &site->target, &seen);
		*vec_add(arena, &facts->observed) = seen;
	}
}

/* A copy whose observations can be moved ahead of the host. */
static struct facts copy_of(struct arena *arena, const struct facts *facts)
{
	struct facts copy = *facts;

	copy.observed.items = arena_array(arena, facts->observed.n,
					  sizeof(*copy.observed.items));
	copy.observed.cap = facts->observed.n;
	if (facts->observed.n)
		memcpy(copy.observed.items, facts->observed.items,
		       facts->observed.n * sizeof(*copy.observed.items));
	return copy;
}

int plan_build(struct arena *arena, const struct plan_input *input,
	       struct plan *ret, struct problems *problems)
{
	struct plan plan = { .profile = input->profile->name };
	struct facts facts = copy_of(arena, input->facts);
	struct planner planner = {
		.arena = arena,
		.input = input,
		.facts = &facts,
		.plan = &plan,
		.problems = problems,
	};

	const bool image = num_or(facts.image, 0);

	for (size_t i = 0; !image && i < input->knobs->n; i++)
		if (input->knobs->items[i]->recall)
			add_recalled(arena, input->knobs->items[i], &facts);
	for (size_t i = 0; i < input->only.n; i++)
		*vec_add(arena, &plan.only) = input->only.names[i];
	planner.ahead = copy_of(arena, &facts);
	if (!input->by_helper)
		plan_modules(&planner);
	if (image)
		plan_image(&planner);
	else
		plan_sites(&planner);
	if (!input->by_helper)
		plan_runners(&planner);
	if (problems->lines.n)
		return -EINVAL;
	if (input->by_helper) {
		*ret = plan;
		return 0;
	}
	plan_intents(&planner);
	if (!image)
		plan_splits(&planner);
	plan_advice(&planner);
	VEC_EACH(&plan.changes, struct change, change)
		plan.needs |= change->needs;
	*ret = plan;
	return 0;
}

static bool is_file_work(const struct planned_file *file)
{
	return file->action == FILE_CREATE || file->action == FILE_REPLACE ||
	       file->action == FILE_REMOVE;
}

bool plan_has_work(const struct plan *plan)
{
	VEC_EACH(&plan->files, struct planned_file, file)
		if (is_file_work(file))
			return true;
	return plan_count(plan, VERDICT_CHANGE) > 0;
}

size_t plan_count(const struct plan *plan, enum verdict verdict)
{
	size_t n = 0;

	VEC_EACH(&plan->changes, struct change, change)
		n += change->origin != ORIGIN_EFFECT &&
		     change->verdict == verdict;
	return n;
}

/* Did an earlier change of the plan name the unit already? */
static bool is_named(const struct plan *plan, const struct change *change)
{
	for (const struct change *it = plan->changes.items; it < change; it++)
		if (it->needs & NEED_RESTART &&
		    text_equal(it->restart, change->restart))
			return true;
	return false;
}

char *plan_restarts(struct arena *arena, const struct plan *plan)
{
	struct strbuf names;

	strbuf_init(&names, arena);
	VEC_EACH(&plan->changes, struct change, change)
		if (change->needs & NEED_RESTART && !is_named(plan, change))
			strbuf_printf(&names, "%s%s", names.len ? ", " : "",
				      change->restart);
	return names.len ? names.text : NULL;
}

const struct change *plan_find(const struct plan *plan, const char *id)
{
	VEC_EACH(&plan->changes, struct change, change)
		if (strcmp(change->id, id) == 0)
			return change;
	return NULL;
}

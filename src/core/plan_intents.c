/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * What must persist, from the profile's own selectors: a drive that comes
 * tomorrow gets the same settings as those of today.
 */

#include <string.h>

#include "core/planner.h"

/* What the knob spares at boot, as one more term of the selectors. */
static void add_spared(struct planner *planner, struct udev_intent *intent,
		       const struct value *value)
{
	struct match_term spare = { 0 };
	struct match match = { 0 };
	const char *why;

	if (!intent->knob->spare || !intent->knob->spare(value, &spare, &why))
		return;
	VEC_EACH(&intent->match.terms, struct match_term, it)
		*vec_add(planner->arena, &match.terms) = *it;
	*vec_add(planner->arena, &match.terms) = spare;
	intent->match = match;
}

static void add_udev(struct planner *planner, const struct section *section,
		     const struct setting *setting)
{
	struct udev_intent *intent =
		vec_add(planner->arena, &planner->plan->intents.udev);
	bool constant = setting->asked.type == setting->knob->type;

	*intent = (struct udev_intent){
		.knob = setting->knob,
		.match = section->match,
		.keep = !constant,
		.value = constant ?
				 value_string(planner->arena, &setting->asked) :
				 NULL,
		.file = setting->file,
		.line = setting->line,
	};
	if (constant)
		add_spared(planner, intent, &setting->asked);
}

/* All of one knob; none when no section gives it a constant. */
static void collect_knob(struct planner *planner, const struct knob *knob)
{
	struct intents *intents = &planner->plan->intents;
	size_t before = intents->udev.n;
	bool constant = false;

	VEC_EACH(&planner->input->profile->sections, struct section, section)
		VEC_EACH(&section->settings, struct setting, setting)
			if (setting->knob == knob)
				add_udev(planner, section, setting);
	for (size_t i = before; i < intents->udev.n; i++)
		constant = constant || !intents->udev.items[i].keep;
	if (!constant)
		intents->udev.n = before;
}

static bool is_kept_by_udev(const struct knob *knob)
{
	return knob->kept == KEPT_BY_DISK_RULE ||
	       knob->kept == KEPT_BY_CTRL_RULE ||
	       knob->kept == KEPT_BY_FUNCTION_RULE ||
	       knob->kept == KEPT_BY_SUBSYSTEM_RULE ||
	       knob->kept == KEPT_BY_CPU_RULE;
}

/* One line for the host, whatever section of the profile has the last word. */
static void collect_sysctls(struct planner *planner)
{
	const struct knob_set *knobs = planner->input->knobs;

	for (size_t i = 0; i < knobs->n; i++) {
		const struct knob *knob = knobs->items[i];
		const struct setting *setting = profile_effective(
			planner->input->profile, knob->name, NULL, NULL);

		if (knob->kept != KEPT_BY_SYSCTL || !setting ||
		    setting->asked.type != knob->type)
			continue;
		*vec_add(planner->arena, &planner->plan->intents.sysctls) =
			(struct sysctl_intent){
				.knob = knob,
				.value = value_string(planner->arena,
						      &setting->asked),
				.file = setting->file,
				.line = setting->line,
			};
	}
}

static void collect_units(struct planner *planner)
{
	const struct knob_set *knobs = planner->input->knobs;

	for (size_t i = 0; i < knobs->n; i++) {
		const struct knob *knob = knobs->items[i];
		const struct setting *setting = profile_effective(
			planner->input->profile, knob->name, NULL, NULL);

		if (knob->kept == KEPT_BY_UNIT && setting &&
		    setting->asked.type == knob->type)
			(void)knob->intend(planner->arena, planner->facts,
					   setting, &planner->plan->intents);
	}
}

static void collect_options(struct planner *planner)
{
	VEC_EACH(&planner->plan->changes, struct change, change) {
		const char *dot = change->param ? strchr(change->param, '.') :
						  NULL;

		if (change->knob->scope != SCOPE_MODULE || !dot ||
		    change->origin != ORIGIN_PROFILE ||
		    change->verdict == VERDICT_CANNOT ||
		    change->persistence == PERSIST_WORD)
			continue;
		*vec_add(planner->arena, &planner->plan->intents.options) =
			(struct module_intent){
				.module = change->target.name,
				.param = dot + 1,
				.value = value_string(planner->arena,
						      &change->want),
				.asked = change->asked,
				.file = change->file,
				.line = change->line,
			};
	}
}

void plan_intents(struct planner *planner)
{
	const struct knob_set *knobs = planner->input->knobs;
	struct strbuf resolved;

	planner->plan->intents.profile = planner->input->profile->name;
	for (size_t i = 0; i < knobs->n; i++)
		if (is_kept_by_udev(knobs->items[i]))
			collect_knob(planner, knobs->items[i]);
	collect_options(planner);
	collect_sysctls(planner);
	collect_units(planner);
	strbuf_init(&resolved, planner->arena);
	profile_to_text(planner->input->profile, false, &resolved);
	planner->plan->intents.resolved = resolved.text;
}

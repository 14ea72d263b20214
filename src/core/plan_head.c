/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Which setting counts on a target.  A disk that native multipath shows has
 * several controllers, and what a profile matches may differ between them.
 */
#include "core/planner.h"

struct choice {
	const struct ctrl *ctrl;
	const struct setting *setting; /* NULL: none, or "keep" */
};

static struct choice choose(struct planner *planner, const struct knob *knob,
			    const struct ctrl *ctrl, const struct ns *ns)
{
	const struct setting *setting = profile_effective(
		planner->input->profile, knob->name, ctrl, ns);

	if (setting && setting->asked.type == VALUE_KEEP)
		setting = NULL;
	return (struct choice){ .ctrl = ctrl, .setting = setting };
}

static bool agree(const struct choice *a, const struct choice *b)
{
	if (!a->setting || !b->setting)
		return a->setting == b->setting;
	return value_equal(&a->setting->asked, &b->setting->asked);
}

static const char *say(struct planner *planner, const struct choice *choice)
{
	const char *name = choice->ctrl ? choice->ctrl->name : "?";

	if (!choice->setting)
		return arena_printf(planner->arena, "nothing for %s", name);
	return arena_printf(planner->arena, "%s for %s (%s:%u)",
			    choice->setting->text, name, choice->setting->file,
			    choice->setting->line);
}

const struct setting *plan_choose(struct planner *planner,
				  const struct knob *knob,
				  const struct site *site, const char **ret_why)
{
	struct choice first = choose(planner, knob, site->ctrl, site->ns);
	const struct ns *path;

	*ret_why = NULL;
	if (!site->ns || site->ns->kind != NS_HEAD)
		return first.setting;
	for (size_t i = 1;
	     (path = facts_head_path(planner->facts, site->ns, i)); i++) {
		struct choice other =
			choose(planner, knob,
			       facts_ns_ctrl(planner->facts, path), site->ns);

		if (agree(&first, &other))
			continue;
		*ret_why = arena_printf(
			planner->arena,
			"its paths are matched differently: the profile asks for %s, and for %s; make the sections agree",
			say(planner, &first), say(planner, &other));
		return first.setting ? first.setting : other.setting;
	}
	return first.setting;
}

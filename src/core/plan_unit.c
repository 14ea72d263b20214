/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What a service reads from files of ours when it starts. */

#include "base/parse.h"
#include "core/owner.h"
#include "core/planner.h"

void plan_unit_later(struct planner *planner, struct change *change)
{
	const char *unit = change->knob->restarts;

	change->verdict = VERDICT_LATER;
	change->needs = NEED_RESTART;
	change->restart = unit;
	change->pending = change->knob->written(planner->facts, &change->want);
	change->reason = arena_printf(
		planner->arena,
		change->pending ?
			"already written, and true after a restart of %s" :
			"%s reads it when it starts: true after a restart of it",
		unit);
}

bool plan_unit_leftover(struct planner *planner, const struct knob *knob,
			const struct site *site)
{
	const struct observation *seen;
	const char *path;
	struct change *change;

	if (knob->kept != KEPT_BY_UNIT)
		return false;
	seen = plan_observed(planner, planner->facts, knob->name,
			     &site->target);
	path = owner_drop_in(planner->arena, knob->restarts);
	VEC_EACH(&planner->facts->own_files, struct own_file, file) {
		if (!text_equal(file->path, path) ||
		    !owner_is_us(file->content))
			continue;
		change = plan_add(planner, knob, knob->name, &site->target,
				  NULL);
		change->origin = ORIGIN_RETURN;
		change->verdict = VERDICT_LATER;
		change->needs = NEED_RESTART;
		change->restart = knob->restarts;
		if (seen)
			change->have = seen->value;
		change->reason = arena_printf(
			planner->arena,
			"only the profile applied before had it: our drop-in goes, and %s is as it was after a restart",
			knob->restarts);
	}
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * What bars a target from being written to, whatever is asked: its controller
 * is not up, or it could not be recognised again to take the change back.
 */

#include <string.h>

#include "core/planner.h"

static bool is_live(const struct ctrl *ctrl)
{
	return !ctrl || !ctrl->state || strcmp(ctrl->state, "live") == 0;
}

/* A write may wait for the controller's queues; of a head, one path will do. */
static const char *state_reason(struct planner *planner,
				const struct site *site)
{
	const struct ns *path;

	if (is_live(site->ctrl))
		return NULL;
	if (site->ns && site->ns->kind == NS_HEAD)
		for (size_t i = 0;
		     (path = facts_head_path(planner->facts, site->ns, i)); i++)
			if (is_live(facts_ns_ctrl(planner->facts, path)))
				return NULL;
	return arena_printf(planner->arena, "controller %s is %s, not live",
			    site->ctrl->name, site->ctrl->state);
}

/* Rollback finds a target again by its identity. */
static const char *twin_reason(struct planner *planner, const struct knob *knob,
			       const struct site *site)
{
	const struct target *twin = plan_twin(planner, knob, &site->target);

	if (!twin)
		return NULL;
	return arena_printf(
		planner->arena,
		"%s has the same identity, \"%s\": they could not be told apart to take it back",
		twin->name, twin->id);
}

static bool is_printable(const char *text)
{
	for (; text && *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

#define SHORTEST_MODEL 2U

/*
 * Right after a reset some drives answer identify with garbage, which would
 * become the identity in the journal.  The specification asks for ASCII.
 */
static const char *garbage_reason(struct planner *planner,
				  const struct site *site)
{
	const struct ctrl *ctrl = site->ctrl;

	if (!ctrl || (is_printable(ctrl->model) && is_printable(ctrl->serial) &&
		      (!ctrl->model || strlen(ctrl->model) >= SHORTEST_MODEL)))
		return NULL;
	return arena_printf(
		planner->arena,
		"model and serial of %s are no text now: a drive just reset does so, and could not be recognised again",
		ctrl->name);
}

const char *plan_barred(struct planner *planner, const struct knob *knob,
			const struct site *site)
{
	const char *reason = state_reason(planner, site);

	if (!reason)
		reason = garbage_reason(planner, site);
	return reason ? reason : twin_reason(planner, knob, site);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/heat.h"

#include "probe/probe.h"

static void add_ctrl(struct heat *heat, struct arena *arena,
		     const struct ctrl *ctrl)
{
	if (!ctrl)
		return;
	VEC_EACH(&heat->drives, const struct heat_drive, it)
		if (it->ctrl == ctrl)
			return;
	vec_add(arena, &heat->drives)->ctrl = ctrl;
}

void heat_init(struct heat *heat, struct arena *arena,
	       const struct sysroot *root, const struct load *load)
{
	*heat = (struct heat){ .root = root };
	VEC_EACH(&load->drives, const struct load_drive, it) {
		const struct facts *facts = it->drive.facts;
		const struct ns *path;

		if (!facts)
			continue;
		add_ctrl(heat, arena, facts_ns_ctrl(facts, it->ns));
		for (size_t i = 0; it->ns->kind == NS_HEAD &&
				   (path = facts_head_path(facts, it->ns, i));
		     i++)
			add_ctrl(heat, arena, facts_ns_ctrl(facts, path));
	}
}

const char *heat_look(struct heat *heat)
{
	const char *why = NULL;

	VEC_EACH(&heat->drives, struct heat_drive, it) {
		struct health now;

		probe_health(heat->root, it->ctrl, &now);
		if (!why)
			why = health_change(&it->last, &now);
		it->last = now;
	}
	return why;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/status_rows.h"

#include <string.h>

#include "base/parse.h"
#include "core/use.h"

static void add(struct status_rows *rows, struct arena *arena,
		const struct facts *facts, const struct ctrl *ctrl,
		const struct ns *ns)
{
	*vec_add(arena, &rows->rows) = (struct status_row){
		.facts = facts,
		.ctrl = ctrl,
		.ns = ns,
	};
}

static void add_head(struct status_rows *rows, struct arena *arena,
		     const struct facts *facts, const struct ns *head)
{
	const struct ns *path;

	add(rows, arena, facts, NULL, head);
	for (size_t i = 0; (path = facts_head_path(facts, head, i)); i++)
		add(rows, arena, facts, facts_ns_ctrl(facts, path), path);
}

/* Of a path the head is shown, once: where its first path is. */
static void add_ns(struct status_rows *rows, struct arena *arena,
		   const struct facts *facts, const struct ctrl *ctrl,
		   const struct ns *ns)
{
	const struct ns *head;

	if (ns->kind != NS_PATH) {
		add(rows, arena, facts, ctrl, ns);
		return;
	}
	head = ns->head ? facts_ns(facts, ns->head) : NULL;
	if (!head)
		add(rows, arena, facts, ctrl, ns);
	else if (facts_head_path(facts, head, 0) == ns)
		add_head(rows, arena, facts, head);
}

void status_rows(const struct facts *facts, const struct drives *drives,
		 struct arena *arena, struct status_rows *ret)
{
	VEC_EACH(&facts->ctrls, const struct ctrl, ctrl) {
		bool has_disk = false;

		VEC_EACH(&facts->namespaces, const struct ns, ns) {
			if (!text_equal(ns->ctrl, ctrl->name))
				continue;
			has_disk = true;
			if (drives_have_ns(drives, facts, ns))
				add_ns(ret, arena, facts, ctrl, ns);
		}
		if (!has_disk && drives_have_ctrl(drives, facts, ctrl))
			add(ret, arena, facts, ctrl, NULL);
	}
}

void status_users(const struct ns *ns, struct arena *arena, struct users *ret)
{
	VEC_EACH(&ns->mounts, const struct mount, it)
		*vec_add(arena, &ret->names) = use_of_mount(arena, ns, it);
	VEC_EACH(&ns->holders, const char *, it)
		if (!use_is_mounted(ns, *it))
			*vec_add(arena, &ret->names) = *it;
	VEC_EACH(&ns->swaps, const char *, it)
		*vec_add(arena, &ret->names) =
			arena_printf(arena, "swap on %s", *it);
}

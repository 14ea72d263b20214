/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/drives.h"

#include <string.h>

#include "base/parse.h"
#include "cmd/out.h"
#include "core/stack.h"
#include "probe/probe.h"

static void add(struct arena *arena, struct drives *drives, const char *name)
{
	VEC_EACH(&drives->names, const char *, it)
		if (!strcmp(*it, name))
			return;
	*vec_add(arena, &drives->names) = name;
}

static void add_stack(struct arena *arena, struct drives *drives,
		      const char *wanted, const struct stack *stack)
{
	VEC_EACH(&stack->leaves, const struct stack_leaf, it)
		add(arena, drives, it->ns ? it->ns->name : it->name);
	if (!stack->direct)
		*vec_add(arena, &drives->layers) =
			arena_printf(arena, "%s: %s", wanted, stack->text);
}

int drives_resolve(struct facts *facts, const struct sysroot *root,
		   struct arena *arena, int n, char *const *wanted,
		   struct drives *ret, struct err *err)
{
	struct drives drives = { 0 };

	for (int i = 0; i < n; i++) {
		struct stack stack;
		int r;

		if (root)
			probe_name(root, arena, facts, wanted[i]);
		r = stack_resolve(arena, facts, wanted[i], &stack, err);
		if (r < 0)
			return r;
		add_stack(arena, &drives, wanted[i], &stack);
	}
	*ret = drives;
	return 0;
}

void drives_tell(const struct drives *drives)
{
	VEC_EACH(&drives->layers, const char *, it)
		out_note("%s", *it);
}

static bool has_name(const struct drives *drives, const char *name)
{
	VEC_EACH(&drives->names, const char *, it)
		if (text_equal(*it, name))
			return true;
	return false;
}

bool drives_have_ns(const struct drives *drives, const struct facts *facts,
		    const struct ns *ns)
{
	const struct ns *path;

	if (drives->names.n == 0 || has_name(drives, ns->name) ||
	    (ns->ctrl && has_name(drives, ns->ctrl)) ||
	    (ns->head && has_name(drives, ns->head)))
		return true;
	for (size_t i = 0;
	     ns->kind == NS_HEAD && (path = facts_head_path(facts, ns, i)); i++)
		if (has_name(drives, path->name) ||
		    (path->ctrl && has_name(drives, path->ctrl)))
			return true;
	return false;
}

bool drives_have_ctrl(const struct drives *drives, const struct facts *facts,
		      const struct ctrl *ctrl)
{
	if (drives->names.n == 0 || has_name(drives, ctrl->name))
		return true;
	VEC_EACH(&facts->namespaces, const struct ns, it)
		if (text_equal(it->ctrl, ctrl->name) &&
		    drives_have_ns(drives, facts, it))
			return true;
	return false;
}

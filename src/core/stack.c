/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/stack.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/parse.h"
#include "core/placement.h"

/* As many as fit in a sentence. */
#define MAX_LISTED 12U

/* The kernel allows dm no such height; a saved host might go in a circle. */
#define MOST_LEVELS 32U

struct names_seen {
	VEC(const char *) items;
};

struct walk {
	struct arena *arena;
	const struct facts *facts;
	struct stack *stack;
	struct names_seen seen;
	struct strbuf text;
};

static bool has(const struct names_seen *names, const char *name)
{
	VEC_EACH(&names->items, const char *, it)
		if (strcmp(*it, name) == 0)
			return true;
	return false;
}

static const struct layer *find_layer(const struct facts *facts,
				      const char *name)
{
	VEC_EACH(&facts->layers, const struct layer, it)
		if (text_equal(it->name, name) || text_equal(it->alias, name))
			return it;
	return NULL;
}

/* The disk of this name, or the one that has this partition. */
static const struct ns *find_disk(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->namespaces, const struct ns, ns) {
		if (text_equal(ns->name, name))
			return ns;
		VEC_EACH(&ns->partitions, const struct partition, it)
			if (text_equal(it->name, name))
				return ns;
	}
	return NULL;
}

/* "0000:" may be left out, as lspci does. */
static bool has_address(const struct ctrl *ctrl, const char *text)
{
	size_t n = strlen(text);
	size_t all = ctrl->address ? strlen(ctrl->address) : 0;

	if (all < n || n < 7 || strcasecmp(ctrl->address + all - n, text) != 0)
		return false;
	return all == n || (text_has_prefix(ctrl->address, "0000:") &&
			    all - n == strlen("0000:"));
}

static const struct ctrl *find_ctrl(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->ctrls, const struct ctrl, it)
		if (text_equal(it->name, name) || has_address(it, name))
			return it;
	return NULL;
}

static void add_leaf(struct walk *walk, const char *name, const struct ns *ns,
		     const struct ctrl *ctrl)
{
	VEC_EACH(&walk->stack->leaves, const struct stack_leaf, it)
		if (strcmp(it->name, name) == 0)
			return;
	*vec_add(walk->arena, &walk->stack->leaves) =
		(struct stack_leaf){ .name = name, .ns = ns, .ctrl = ctrl };
}

/* In captures that know no layers, a holder's name is all there is. */
static bool add_held(struct walk *walk, const char *name)
{
	const size_t before = walk->stack->leaves.n;

	VEC_EACH(&walk->facts->namespaces, const struct ns, ns)
		VEC_EACH(&ns->holders, const char *, it)
			if (text_equal(*it, name))
				add_leaf(walk, ns->name, ns, NULL);
	return walk->stack->leaves.n > before;
}

static const char *kind_word(struct arena *arena, const char *kind)
{
	if (text_has_prefix(kind, "CRYPT-LUKS"))
		return "LUKS";
	if (text_has_prefix(kind, "CRYPT"))
		return "dm-crypt";
	if (text_has_prefix(kind, "mpath"))
		return "multipath";
	return arena_strdup(arena, kind);
}

static void put_layer(struct walk *walk, const struct layer *layer)
{
	strbuf_puts(&walk->text, layer->alias ? layer->alias : layer->name);
	if (layer->kind)
		strbuf_printf(&walk->text, " (%s)",
			      kind_word(walk->arena, layer->kind));
}

/* One of a level: a layer, whose parts make the next level, or a leaf. */
static void visit(struct walk *walk, const char *name, const char *gap,
		  struct names_seen *next)
{
	const struct layer *layer = find_layer(walk->facts, name);
	const struct ns *ns = find_disk(walk->facts, name);

	if (has(&walk->seen, name))
		return;
	*vec_add(walk->arena, &walk->seen.items) = name;
	if (ns) {
		add_leaf(walk, name, ns, NULL);
		return;
	}
	if (!layer && !add_held(walk, name)) {
		*vec_add(walk->arena, &walk->stack->foreign) = name;
		return;
	}
	strbuf_puts(&walk->text, gap);
	if (layer)
		put_layer(walk, layer);
	else
		strbuf_puts(&walk->text, name);
	if (layer)
		VEC_EACH(&layer->below, const char *, it)
			*vec_add(walk->arena, &next->items) = *it;
}

/* " (paths over nvme0, nvme1)" */
static void put_paths(struct walk *walk, const struct ns *head)
{
	const char *gap = " (paths over ";
	const struct ns *path;

	if (!facts_head_path(walk->facts, head, 1))
		return;
	for (size_t i = 0; (path = facts_head_path(walk->facts, head, i));
	     i++) {
		strbuf_printf(&walk->text, "%s%s", gap,
			      path->ctrl ? path->ctrl : path->name);
		gap = ", ";
	}
	strbuf_putc(&walk->text, ')');
}

static void put_leaves(struct walk *walk)
{
	const char *gap = walk->text.len ? " on " : "";

	VEC_EACH(&walk->stack->leaves, const struct stack_leaf, it) {
		strbuf_printf(&walk->text, "%s%s", gap, it->name);
		if (it->ns && it->ns->kind == NS_HEAD)
			put_paths(walk, it->ns);
		gap = ", ";
	}
	VEC_EACH(&walk->stack->foreign, const char *, it) {
		strbuf_printf(&walk->text, "%s%s (no NVMe)", gap, *it);
		gap = ", ";
	}
}

/* Level by level, so that each is named once and leaves come last. */
static void descend(struct walk *walk, struct names_seen level)
{
	for (unsigned int i = 0; level.items.n && i < MOST_LEVELS; i++) {
		const size_t before = walk->text.len;
		struct names_seen next = { 0 };

		VEC_EACH(&level.items, const char *, it)
			visit(walk, *it,
			      walk->text.len > before ? ", " :
			      before		      ? " on " :
							"",
			      &next);
		level = next;
	}
	put_leaves(walk);
}

static void descend_one(struct walk *walk, const char *name)
{
	struct names_seen level = { 0 };

	*vec_add(walk->arena, &level.items) = name;
	descend(walk, level);
}

/* By a name of the kernel: does the facts' host have it? */
static bool take_device(struct walk *walk, const char *name)
{
	const struct ctrl *ctrl = find_ctrl(walk->facts, name);

	if (ctrl) {
		add_leaf(walk, ctrl->name, NULL, ctrl);
		put_leaves(walk);
		return true;
	}
	descend_one(walk, name);
	return walk->stack->leaves.n > 0;
}

/* Is it the folder itself, or one below it? */
static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	if (n == 1)
		return *folder == '/';
	return strncmp(path, folder, n) == 0 && (!path[n] || path[n] == '/');
}

/* The file system that the path is on: the longest mount point, and of two
 * on one place the later. */
static const struct mount_point *mount_of(const struct facts *facts,
					  const char *path)
{
	const struct mount_point *best = NULL;

	VEC_EACH(&facts->mount_points, const struct mount_point, it)
		if (is_below(path, it->where) &&
		    (!best || strlen(it->where) >= strlen(best->where)))
			best = it;
	return best;
}

/* Captures that know no mount points know where disks are mounted. */
static bool take_mounted(struct walk *walk, const char *path)
{
	const char *where = NULL;
	struct names_seen level = { 0 };

	VEC_EACH(&walk->facts->namespaces, const struct ns, ns)
		VEC_EACH(&ns->mounts, const struct mount, it)
			if (is_below(path, it->where) &&
			    (!where || strlen(it->where) > strlen(where)))
				where = it->where;
	VEC_EACH(&walk->facts->namespaces, const struct ns, ns)
		VEC_EACH(&ns->mounts, const struct mount, it)
			if (text_equal(it->where, where) &&
			    !has(&level, it->device))
				*vec_add(walk->arena, &level.items) =
					it->device;
	descend(walk, level);
	return walk->stack->leaves.n > 0;
}

static int take_folder(struct walk *walk, const char *wanted, const char *path,
		       struct err *err)
{
	const struct mount_point *point = mount_of(walk->facts, path);
	struct names_seen level = { 0 };

	if (!point)
		return take_mounted(walk, path) ? 0 : -ENOENT;
	VEC_EACH(&point->devices, const char *, it)
		*vec_add(walk->arena, &level.items) = *it;
	descend(walk, level);
	if (walk->stack->leaves.n > 0)
		return 0;
	return err_set(
		err, -ENOENT,
		"%s: is in a file system (%s, mounted on %s) that is on no NVMe drive",
		wanted, point->type ? point->type : "of an unknown type",
		point->where);
}

static int unknown(const struct facts *facts, struct arena *arena,
		   const char *wanted, struct err *err)
{
	struct strbuf list;
	size_t n = 0;

	if (facts->ctrls.n == 0)
		return err_set(
			err, -ENOENT,
			"%s: no such drive; there are no NVMe controllers",
			wanted);
	strbuf_init(&list, arena);
	VEC_EACH(&facts->namespaces, const struct ns, it) {
		if (it->kind == NS_PATH)
			continue;
		if (n++ < MAX_LISTED)
			strbuf_printf(&list, "%s%s", n > 1 ? ", " : "",
				      it->name);
	}
	if (n == 0)
		VEC_EACH(&facts->ctrls, const struct ctrl, it)
			if (n++ < MAX_LISTED)
				strbuf_printf(&list, "%s%s", n > 1 ? ", " : "",
					      it->name);
	if (n > MAX_LISTED)
		strbuf_printf(&list, " and %zu more", n - MAX_LISTED);
	return err_set(err, -ENOENT, "%s: no such drive; there %s %s", wanted,
		       n == 1 ? "is" : "are", list.text);
}

/* A mount point may end with a slash, the root is one. */
static const char *without_slash(struct arena *arena, const char *text)
{
	size_t n = strlen(text);

	while (n > 1 && text[n - 1] == '/')
		n--;
	return arena_strndup(arena, text, n);
}

static const struct alias *find_alias(const struct facts *facts,
				      const char *name)
{
	VEC_EACH(&facts->aliases, const struct alias, it)
		if (text_equal(it->name, name))
			return it;
	return NULL;
}

static int take(struct walk *walk, const char *wanted, struct err *err)
{
	const char *name = without_slash(walk->arena, wanted);
	const struct alias *alias = find_alias(walk->facts, name);

	if (alias && !alias->leads_to)
		return err_set(err, -ENOENT, "%s: there is no such file",
			       wanted);
	if (alias)
		name = alias->leads_to;
	if (text_has_prefix(name, "/dev/"))
		name = strrchr(name, '/') + 1;
	if (name[0] == '/')
		return take_folder(walk, wanted, name, err);
	return take_device(walk, name) ? 0 : -ENOENT;
}

static bool names_leaf(const struct stack *stack, const char *wanted)
{
	const struct stack_leaf *leaf = stack->leaves.items;

	if (text_has_prefix(wanted, "/dev/"))
		wanted += strlen("/dev/");
	return stack->leaves.n == 1 && stack->foreign.n == 0 &&
	       (leaf->ctrl || text_equal(leaf->name, wanted));
}

int stack_resolve(struct arena *arena, const struct facts *facts,
		  const char *wanted, struct stack *ret, struct err *err)
{
	struct stack stack = { 0 };
	struct walk walk = { .arena = arena, .facts = facts, .stack = &stack };
	int r;

	*err = (struct err){ 0 };
	strbuf_init(&walk.text, arena);
	r = take(&walk, wanted, err);
	if (r < 0 && !err->code)
		return unknown(facts, arena, wanted, err);
	if (r < 0)
		return r;
	stack.text = walk.text.text;
	stack.direct = names_leaf(&stack, wanted);
	*ret = stack;
	return 0;
}

struct where {
	struct arena *arena;
	const struct facts *facts;
	struct cpuset *nodes;
	const char *unknown;
};

static void add_node(struct where *where, const struct ctrl *ctrl,
		     const char *name)
{
	const struct node *node = ctrl ? placement_node(where->facts, ctrl) :
					 NULL;

	if (node && node->id >= 0 && node->id <= (int64_t)CPUSET_LAST)
		cpuset_add(where->arena, where->nodes, (unsigned int)node->id);
	else
		where->unknown = name;
}

static void add_nodes_of(struct where *where, const struct stack_leaf *leaf)
{
	const struct ns *path;
	size_t i = 0;

	if (!leaf->ns) {
		add_node(where, leaf->ctrl, leaf->name);
		return;
	}
	if (leaf->ns->kind == NS_HEAD)
		for (; (path = facts_head_path(where->facts, leaf->ns, i)); i++)
			add_node(where, facts_ns_ctrl(where->facts, path),
				 path->ctrl ? path->ctrl : path->name);
	if (leaf->ns->kind != NS_HEAD || i == 0)
		add_node(where, facts_ns_ctrl(where->facts, leaf->ns),
			 leaf->ns->ctrl ? leaf->ns->ctrl : leaf->ns->name);
}

bool stack_nodes(struct arena *arena, const struct facts *facts,
		 const struct stack *stack, struct cpuset *ret,
		 const char **ret_unknown)
{
	struct cpuset nodes = { 0 };
	struct where where = { .arena = arena,
			       .facts = facts,
			       .nodes = &nodes };

	VEC_EACH(&stack->leaves, const struct stack_leaf, it)
		add_nodes_of(&where, it);
	*ret = nodes;
	*ret_unknown = where.unknown;
	return !where.unknown;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/users.h"

#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "probe/mounts.h"
#include "probe/scan.h"
#include "probe/xfs.h"

#define CLASS "sys/class/block"

/* A disk, a partition of it, or what stands on either, whatever deep. */
struct stacked {
	const char *name;
	const char *dev;
	const char *alias; /* dm: the name below /dev/mapper */
};

struct stack {
	VEC(struct stacked) layers;
};

struct user_table {
	struct mount_table mounts;
	VEC(const char *) swaps;
};

static bool is_known(const struct stack *stack, const char *name)
{
	VEC_EACH(&stack->layers, struct stacked, layer)
		if (strcmp(layer->name, name) == 0)
			return true;
	return false;
}

static void add_layer(struct scan *scan, struct stack *stack, const char *name,
		      const char *dev)
{
	struct stacked *layer;

	if (is_known(stack, name))
		return;
	layer = vec_add(scan->arena, &stack->layers);
	layer->name = name;
	layer->dev = dev;
	if (text_has_prefix(name, "dm-"))
		layer->alias = scan_text(scan, CLASS "/%s/dm/name", name);
}

static bool is_noted(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->layers, struct layer, layer)
		if (strcmp(layer->name, name) == 0)
			return true;
	return false;
}

/*
 * What made a dm device writes its uuid, which starts with its own name:
 * "LVM-...", "CRYPT-LUKS2-...", "mpath-...".  The rest is an identity.
 */
static const char *dm_kind(struct scan *scan, const char *name)
{
	const char *uuid = scan_text(scan, CLASS "/%s/dm/uuid", name);
	size_t n = uuid ? strcspn(uuid, "-") : 0;

	if (!n)
		return NULL;
	if (text_has_prefix(uuid, "CRYPT-"))
		n += 1 + strcspn(uuid + n + 1, "-");
	return arena_strndup(scan->arena, uuid, n);
}

static void note_layer(struct scan *scan, const struct stacked *stacked)
{
	struct names below = { { 0 } };
	struct layer *layer;

	if (is_noted(scan->facts, stacked->name))
		return;
	layer = vec_add(scan->arena, &scan->facts->layers);
	layer->name = stacked->name;
	layer->dev = stacked->dev;
	layer->alias = stacked->alias;
	layer->kind = stacked->alias ? dm_kind(scan, stacked->name) :
				       scan_text(scan, CLASS "/%s/md/level",
						 stacked->name);
	(void)sysroot_list(scan->root, scan->arena,
			   arena_printf(scan->arena, CLASS "/%s/slaves",
					stacked->name),
			   &below);
	VEC_EACH(&below.names, char *, it)
		*vec_add(scan->arena, &layer->below) = *it;
}

/* Layers that are added are looked at in their turn. */
static void add_holders(struct scan *scan, struct ns *ns, struct stack *stack)
{
	for (size_t i = 0; i < stack->layers.n; i++) {
		const char *below = stack->layers.items[i].name;
		struct names list = { { 0 } };

		(void)sysroot_list(scan->root, scan->arena,
				   arena_printf(scan->arena,
						CLASS "/%s/holders", below),
				   &list);
		VEC_EACH(&list.names, char *, name) {
			if (is_known(stack, *name))
				continue;
			add_layer(scan, stack, *name,
				  scan_text(scan, CLASS "/%s/dev", *name));
			*vec_add(scan->arena, &ns->holders) = *name;
			note_layer(scan,
				   &stack->layers.items[stack->layers.n - 1]);
		}
	}
}

static void read_table(struct scan *scan, struct user_table *table)
{
	char *text, *line;

	if (mounts_read(scan->root, scan->arena, "proc/self/mountinfo",
			&table->mounts) < 0)
		scan_blind(scan, "mounts could not be read");
	text = scan_text(scan, "proc/swaps");
	while (text && (line = strsep(&text, "\n"))) {
		line[strcspn(line, " \t")] = '\0';
		if (text_has_prefix(line, "/dev/"))
			*vec_add(scan->arena, &table->swaps) =
				mount_base_name(mount_unescape(line));
	}
}

static bool is_called(const struct stacked *layer, const char *name)
{
	return strcmp(layer->name, name) == 0 || text_equal(layer->alias, name);
}

static bool mounts_layer(const struct mount_line *line,
			 const struct stacked *layer)
{
	return mount_is_of(line, layer->name, layer->alias, layer->dev);
}

static bool has_mount_of(const struct ns *ns, const char *device)
{
	VEC_EACH(&ns->mounts, struct mount, mount)
		if (strcmp(mount->device, device) == 0)
			return true;
	return false;
}

static void add_users(struct scan *scan, struct ns *ns,
		      const struct stack *stack, const struct user_table *table)
{
	VEC_EACH(&stack->layers, struct stacked, layer) {
		VEC_EACH(&table->mounts.lines, struct mount_line, line) {
			struct mount *mount;

			/* Binds of folders, by the hundred in container
			 * hosts, tell nothing more. */
			if (!mounts_layer(line, layer) ||
			    (strcmp(line->root, "/") != 0 &&
			     has_mount_of(ns, layer->name)))
				continue;
			mount = vec_add(scan->arena, &ns->mounts);
			mount->device = layer->name;
			mount->where = line->where;
			mount->type = line->type;
			xfs_scan(scan, line->dev, mount);
		}
		VEC_EACH(&table->swaps, const char *, swap)
			if (is_called(layer, *swap))
				*vec_add(scan->arena, &ns->swaps) = layer->name;
	}
}

/*
 * No program keeps its files there.  Nor does a container's view count: what
 * lies below it lies on the file system below it.
 */
static bool holds_files(const char *type)
{
	static const char *const not [] = {
		"autofs",    "binfmt_misc", "bpf",	  "cgroup",
		"cgroup2",   "configfs",    "debugfs",	  "devpts",
		"devtmpfs",  "efivarfs",    "fuse.lxcfs", "fusectl",
		"hugetlbfs", "mqueue",	    "nsfs",	  "overlay",
		"proc",	     "pstore",	    "rpc_pipefs", "securityfs",
		"selinuxfs", "sysfs",	    "tracefs",
	};

	for (size_t i = 0; i < sizeof(not ) / sizeof(*not ); i++)
		if (text_equal(type, not [i]))
			return false;
	return true;
}

/* Those that are no drives of ours, too. */
static void add_spanned(struct scan *scan, const struct names *spans,
			struct mount_point *point)
{
	VEC_EACH(&spans->names, char *, it)
		*vec_add(scan->arena, &point->devices) = *it;
}

static void add_mount_points(struct scan *scan, const struct stack *all,
			     const struct user_table *table)
{
	VEC_EACH(&table->mounts.lines, struct mount_line, line) {
		struct mount_point *point;

		if (!holds_files(line->type))
			continue;
		point = vec_add(scan->arena, &scan->facts->mount_points);
		point->where = line->where;
		point->type = line->type;
		VEC_EACH(&all->layers, struct stacked, layer) {
			if (!mounts_layer(line, layer))
				continue;
			if (line->spans) {
				add_spanned(scan, line->spans, point);
				break;
			}
			*vec_add(scan->arena, &point->devices) = layer->name;
		}
	}
}

void users_scan(struct scan *scan)
{
	struct user_table table = { 0 };
	struct stack all = { { 0 } };

	if (scan->facts->namespaces.n)
		read_table(scan, &table);
	VEC_EACH(&scan->facts->namespaces, struct ns, ns) {
		struct stack stack = { { 0 } };

		if (ns->kind == NS_PATH)
			continue; /* nothing can open one */
		add_layer(scan, &stack, ns->name, ns->dev);
		VEC_EACH(&ns->partitions, struct partition, partition)
			add_layer(scan, &stack, partition->name,
				  partition->dev);
		add_holders(scan, ns, &stack);
		add_users(scan, ns, &stack, &table);
		VEC_EACH(&stack.layers, struct stacked, layer)
			if (!is_known(&all, layer->name))
				*vec_add(scan->arena, &all.layers) = *layer;
	}
	add_mount_points(scan, &all, &table);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/drives.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/parse.h"
#include "probe/probe.h"

/* As many as fit in a sentence. */
#define MAX_LISTED 12U

static void add(struct arena *arena, struct drives *drives, const char *name)
{
	VEC_EACH(&drives->names, const char *, it)
		if (!strcmp(*it, name))
			return;
	*vec_add(arena, &drives->names) = name;
}

static bool has_address(const struct ctrl *ctrl, const char *text)
{
	size_t n = strlen(text);
	size_t all = ctrl->address ? strlen(ctrl->address) : 0;

	if (all < n || n < 7 || strcasecmp(ctrl->address + all - n, text) != 0)
		return false;
	/* Without a domain it is domain 0, as lspci prints it. */
	return all == n || (text_has_prefix(ctrl->address, "0000:") &&
			    all - n == strlen("0000:"));
}

/* Is this what a disk or something on it is called, or where it is mounted? */
static bool is_called(const struct ns *ns, const char *name)
{
	if (text_equal(ns->name, name))
		return true;
	VEC_EACH(&ns->partitions, const struct partition, it)
		if (text_equal(it->name, name))
			return true;
	VEC_EACH(&ns->holders, const char *, it)
		if (text_equal(*it, name))
			return true;
	VEC_EACH(&ns->mounts, const struct mount, it)
		if (text_equal(it->where, name))
			return true;
	return false;
}

static void add_called(const struct facts *facts, struct arena *arena,
		       const char *name, struct drives *drives)
{
	VEC_EACH(&facts->ctrls, const struct ctrl, it)
		if (text_equal(it->name, name) || has_address(it, name))
			add(arena, drives, it->name);
	VEC_EACH(&facts->namespaces, const struct ns, it)
		if (is_called(it, name))
			add(arena, drives, it->name);
}

/* A mount point may end with a slash, the root is one. */
static char *without_slash(struct arena *arena, const char *text)
{
	size_t n = strlen(text);

	while (n > 1 && text[n - 1] == '/')
		n--;
	return arena_strndup(arena, text, n);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What a node or a link below /dev is called, by the device database where
 * there is one, otherwise by the links of the tree. */
static const char *kernel_name(const struct sysroot *root, struct arena *arena,
			       const char *path)
{
	const char *name = NULL;
	const char *end;

	if (root && probe_udev_resolve(root, arena, path, &name, NULL) == 0)
		return name;
	end = root ? sysroot_resolve(root, arena, path + 1, NULL) : NULL;
	return last_part(end ? end : path);
}

static void resolve(const struct facts *facts, const struct sysroot *root,
		    struct arena *arena, const char *wanted,
		    struct drives *drives)
{
	size_t before = drives->names.n;
	const char *name = without_slash(arena, wanted);

	add_called(facts, arena, name, drives);
	if (drives->names.n > before || !text_has_prefix(name, "/"))
		return;
	if (text_has_prefix(name, "/dev/"))
		add_called(facts, arena, kernel_name(root, arena, name),
			   drives);
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

int drives_resolve(const struct facts *facts, const struct sysroot *root,
		   struct arena *arena, int n, char *const *wanted,
		   struct drives *ret, struct err *err)
{
	struct drives drives = { 0 };

	for (int i = 0; i < n; i++) {
		struct drives one = { 0 };

		resolve(facts, root, arena, wanted[i], &one);
		if (one.names.n == 0)
			return unknown(facts, arena, wanted[i], err);
		VEC_EACH(&one.names, const char *, it)
			add(arena, &drives, *it);
	}
	*ret = drives;
	return 0;
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

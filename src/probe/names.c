/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Where the names lead that people use for drives. */

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "probe/probe.h"

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_known(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->aliases, const struct alias, it)
		if (strcmp(it->name, name) == 0)
			return true;
	return false;
}

static void add(struct arena *arena, struct facts *facts, const char *name,
		const char *leads_to)
{
	*vec_add(arena, &facts->aliases) =
		(struct alias){ .name = name, .leads_to = leads_to };
}

/* By the device database where there is one, otherwise by the links of the
 * tree. */
static void look_below_dev(const struct sysroot *root, struct arena *arena,
			   struct facts *facts, const char *path)
{
	const char *name = NULL;
	struct err ignored = { 0 };

	if (probe_udev_resolve(root, arena, path, &name, &ignored) < 0) {
		name = sysroot_resolve(root, arena, path + 1, NULL);
		name = name ? last_part(name) : NULL;
	}
	if (name && !text_equal(name, last_part(path)))
		add(arena, facts, path, name);
}

/* A captured tree does not hold the folders of programs. */
static void look_at_folder(const struct sysroot *root, struct arena *arena,
			   struct facts *facts, const char *path)
{
	int why = 0;
	const char *end = sysroot_resolve(root, arena, path + 1, &why);

	if (end && !text_equal(end, path + 1))
		add(arena, facts, path, arena_printf(arena, "/%s", end));
	else if (!end && sysroot_is_live(root) &&
		 (why == ENOENT || why == ENOTDIR))
		add(arena, facts, path, NULL);
}

void probe_name(const struct sysroot *root, struct arena *arena,
		struct facts *facts, const char *name)
{
	size_t n = strlen(name);

	if (name[0] != '/')
		return;
	while (n > 1 && name[n - 1] == '/')
		n--;
	name = arena_strndup(arena, name, n);
	if (is_known(facts, name))
		return;
	if (text_has_prefix(name, "/dev/"))
		look_below_dev(root, arena, facts, name);
	else
		look_at_folder(root, arena, facts, name);
}

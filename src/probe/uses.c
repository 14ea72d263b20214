/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/uses.h"

#include <string.h>

#include "base/parse.h"
#include "probe/mounts.h"

#define NVMET "sys/kernel/config/nvmet/subsystems"

struct look {
	const struct sysroot *root;
	struct arena *arena;
	const struct facts *facts;
	struct uses *all;
	size_t n;
};

/* Which disk, and what of it. */
struct found {
	struct uses *uses;
	const struct used_device *device;
};

static struct found find_named(const struct look *look, const char *name)
{
	struct found found = { 0 };

	for (size_t i = 0; i < look->n && !found.device; i++)
		found = (struct found){ &look->all[i],
					uses_named(&look->all[i], name) };
	return found;
}

static struct found find_numbered(const struct look *look, const char *dev)
{
	struct found found = { 0 };

	for (size_t i = 0; i < look->n && !found.device; i++)
		found = (struct found){ &look->all[i],
					uses_numbered(&look->all[i], dev) };
	return found;
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return text_has_prefix(path, folder) &&
	       (path[n] == '/' || (n && folder[n - 1] == '/'));
}

/* A file lies on what is mounted nearest above it. */
static struct found find_file(const struct look *look, const char *path)
{
	const struct mount_point *nearest = NULL;
	struct found found = { 0 };

	VEC_EACH(&look->facts->mount_points, const struct mount_point, it)
		if (is_below(path, it->where) &&
		    (!nearest || strlen(it->where) >= strlen(nearest->where)))
			nearest = it;
	if (!nearest)
		return found;
	VEC_EACH(&nearest->devices, const char *, it) {
		found = find_named(look, *it);
		if (found.device)
			break;
	}
	return found;
}

/* A node may have any name; on a tree the usual one has to do. */
static struct found find_path(const struct look *look, const char *path)
{
	const char *number;

	if (!text_has_prefix(path, "/dev/"))
		return find_file(look, path);
	number = sysroot_block_number(look->root, look->arena, path + 1);
	if (number)
		return find_numbered(look, number);
	if (sysroot_is_live(look->root))
		return (struct found){ 0 };
	path = sysroot_resolve(look->root, look->arena, path + 1, NULL);
	return path ? find_named(look, mount_base_name(path)) :
		      (struct found){ 0 };
}

static char *text_at(const struct look *look, const char *folder,
		     const char *name, const char *file)
{
	return sysroot_text(look->root, look->arena,
			    arena_printf(look->arena, "%s/%s/%s", folder, name,
					 file),
			    NULL);
}

static void look_at_loops(const struct look *look)
{
	struct names names = { { 0 } };

	(void)sysroot_list(look->root, look->arena, "sys/block", &names);
	VEC_EACH(&names.names, char *, it) {
		struct found found;
		char *path;

		if (!text_has_prefix(*it, "loop"))
			continue;
		path = text_at(look, "sys/block", *it, "loop/backing_file");
		if (!path)
			continue;
		found = find_path(look, path);
		if (found.device)
			uses_add(look->arena, found.uses,
				 (struct use){ .kind = USE_LOOP,
					       .device = found.device->name,
					       .who = arena_printf(
						       look->arena, "%s on %s",
						       *it, path) });
	}
}

/* A namespace that is not enabled uses nothing yet. */
static void look_at_target(const struct look *look, const char *nqn,
			   const char *folder, const char *nsid)
{
	const char *enabled = text_at(look, folder, nsid, "enable");
	const char *path = text_at(look, folder, nsid, "device_path");
	struct found found;

	if (!path || !text_equal(enabled, "1"))
		return;
	found = find_path(look, path);
	if (found.device)
		uses_add(look->arena, found.uses,
			 (struct use){ .kind = USE_TARGET,
				       .device = found.device->name,
				       .who = arena_printf(
					       look->arena,
					       "the NVMe target %s with %s",
					       nqn, path) });
}

static void look_at_targets(const struct look *look)
{
	struct names nqns = { { 0 } };

	(void)sysroot_list(look->root, look->arena, NVMET, &nqns);
	VEC_EACH(&nqns.names, char *, nqn) {
		const char *folder =
			arena_printf(look->arena, NVMET "/%s/namespaces", *nqn);
		struct names nsids = { { 0 } };

		(void)sysroot_list(look->root, look->arena, folder, &nsids);
		VEC_EACH(&nsids.names, char *, nsid)
			look_at_target(look, *nqn, folder, *nsid);
	}
}

void probe_uses_stacked(const struct sysroot *root, struct arena *arena,
			const struct facts *facts, struct uses *all, size_t n)
{
	const struct look look = { root, arena, facts, all, n };

	look_at_loops(&look);
	look_at_targets(&look);
}

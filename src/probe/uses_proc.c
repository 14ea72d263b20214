/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * What only /proc/PID tells: mounts of namespaces other than ours, and open
 * block devices.
 */

#include "base/parse.h"
#include "probe/mounts.h"
#include "probe/uses.h"

struct look {
	const struct sysroot *root;
	struct arena *arena;
	struct uses *all;
	size_t n;
	VEC(const char *) namespaces; /* "mnt:[4026531841]", seen */
};

static char *path_of(const struct look *look, const char *pid, const char *file)
{
	return arena_printf(look->arena, "proc/%s/%s", pid, file);
}

/* "postgres (pid 77)" */
static const char *process(const struct look *look, const char *pid)
{
	const char *comm = sysroot_text(look->root, look->arena,
					path_of(look, pid, "comm"), NULL);

	return arena_printf(look->arena, "%s (pid %s)",
			    comm && comm[0] ? comm : "a program", pid);
}

static bool is_new(struct look *look, const char *namespace)
{
	VEC_EACH(&look->namespaces, const char *, it)
		if (text_equal(*it, namespace))
			return false;
	*vec_add(look->arena, &look->namespaces) = namespace;
	return true;
}

static void look_at_mount(struct look *look, const bool *held, const char *pid,
			  const struct mount_line *line)
{
	for (size_t i = 0; i < look->n; i++) {
		struct uses *uses = &look->all[i];

		VEC_EACH(&uses->devices, const struct used_device, it)
			if (held[i] &&
			    mount_is_of(line, it->name, it->alias, it->dev))
				uses_add(
					look->arena, uses,
					(struct use){
						.kind = USE_ELSEWHERE,
						.device = it->name,
						.who = arena_printf(
							look->arena,
							"%s in the mount namespace of %s",
							line->where,
							process(look, pid)) });
	}
}

static void look_at_namespace(struct look *look, const bool *held,
			      const char *pid)
{
	_cleanup_arena_ struct arena *scratch = arena_new();
	const char *namespace = sysroot_link_text(look->root, look->arena,
						  path_of(look, pid, "ns/mnt"));
	struct mount_table table = { { 0 } };

	if (!namespace || !is_new(look, namespace))
		return;
	(void)mounts_read(look->root, scratch, path_of(look, pid, "mountinfo"),
			  &table);
	VEC_EACH(&table.lines, const struct mount_line, it)
		look_at_mount(look, held, pid, it);
}

static bool is_pid(const char *name)
{
	uint64_t pid;

	return parse_u64(name, &pid) == 0;
}

static struct names processes(const struct look *look)
{
	struct names names = { { 0 } };

	(void)sysroot_list(look->root, look->arena, "proc", &names);
	return names;
}

void probe_uses_elsewhere(const struct sysroot *root, struct arena *arena,
			  const bool *held, struct uses *all, size_t n)
{
	struct look look = { root, arena, all, n, { 0 } };
	struct names names;
	const char *ours;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= held[i];
	if (!any)
		return;
	ours = sysroot_link_text(root, arena, "proc/self/ns/mnt");
	if (ours)
		(void)is_new(&look, ours);
	names = processes(&look);
	VEC_EACH(&names.names, char *, it)
		if (is_pid(*it))
			look_at_namespace(&look, held, *it);
	for (size_t i = 0; i < n; i++)
		if (held[i] && all[i].items.n == 0)
			uses_add(
				arena, &all[i],
				(struct use){
					.kind = USE_HELD,
					.who = "something that is not seen here (a mount without a process, a pool of ZFS)" });
}

static void note_open(const struct look *look, struct uses *uses,
		      const struct used_device *device, const char *pid)
{
	struct use use = { .kind = USE_OPEN, .device = device->name };

	(void)parse_i64(pid, &use.pid);
	use.who = arena_printf(look->arena, "%s, which has %s open",
			       process(look, pid), device->name);
	uses_add(look->arena, uses, use);
}

/* A node may have any name, so that the number decides; on a tree the name has
 * to do. */
static void look_at_file(const struct look *look, struct arena *scratch,
			 const char *path, const char *pid)
{
	bool live = sysroot_is_live(look->root);
	const char *text =
		live ? sysroot_block_number(look->root, scratch, path) :
		       sysroot_link_text(look->root, scratch, path);

	if (!text || (!live && !text_has_prefix(text, "/dev/")))
		return;
	for (size_t i = 0; i < look->n; i++) {
		struct uses *uses = &look->all[i];
		const struct used_device *device =
			live ? uses_numbered(uses, text) :
			       uses_named(uses, mount_base_name(text));

		if (device)
			note_open(look, uses, device, pid);
	}
}

/* A host may have a hundred thousand open files. */
static void look_at_process(const struct look *look, const char *pid)
{
	_cleanup_arena_ struct arena *scratch = arena_new();
	const char *folder = arena_printf(scratch, "proc/%s/fd", pid);
	struct names fds = { { 0 } };

	(void)sysroot_list(look->root, scratch, folder, &fds);
	VEC_EACH(&fds.names, char *, it)
		look_at_file(look, scratch,
			     arena_printf(scratch, "%s/%s", folder, *it), pid);
}

void probe_uses_open(const struct sysroot *root, struct arena *arena,
		     struct uses *all, size_t n)
{
	const struct look look = { root, arena, all, n, { 0 } };
	const struct names names = processes(&look);
	const char *ours = sysroot_link_text(root, arena, "proc/self");

	VEC_EACH(&names.names, char *, it)
		if (is_pid(*it) && !text_equal(*it, ours))
			look_at_process(&look, *it);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Services and wrappers: our files, the units, what has their names. */

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "core/owner.h"
#include "core/runner.h"
#include "probe/scan.h"
#include "sys/profile_file.h"
#include "sys/unit_file.h"

/* systemd keeps a link here for each unit that runs, made when it was
 * started: system/unit.c, unit_export_state_files(), since 236. */
#define STATE_DIR "run/systemd/units"
#define STATE_LINK "invocation:"

struct look {
	const struct sysroot *root;
	struct arena *arena;
	struct facts *facts;
};

/*
 * On NixOS /etc/udev/rules.d leads into the store, which a rebuild makes anew:
 * nothing there may be written, where it can be at all.
 */
static const char *store_of(const struct sysroot *root, struct arena *arena,
			    const char *path)
{
	const char *folder = arena_strndup(
		arena, path + 1, (size_t)(strrchr(path, '/') - path) - 1);
	const char *real = sysroot_resolve(root, arena, folder, NULL);

	if (!real || !text_has_prefix(real, "nix/store/"))
		return NULL;
	return arena_printf(arena, "/%s", real);
}

void probe_own_file(const struct sysroot *root, struct arena *arena,
		    struct facts *facts, const char *path)
{
	struct own_file *file;
	char *text = NULL;
	mode_t mode;
	int r;

	VEC_EACH(&facts->own_files, const struct own_file, it)
		if (text_equal(it->path, path))
			return;
	r = sysroot_read_file(root, arena, path, 1U << 20, &text);
	file = vec_add(arena, &facts->own_files);
	*file = (struct own_file){ .path = path,
				   .content = text,
				   .store = store_of(root, arena, path) };
	if (r == 0 && sysroot_mode(root, path, &mode) == 0)
		file->mode = num_known(mode & 07777);
	if (r == 0)
		file->present = num_known(1);
	else if (r == -ENOENT || r == -ENOTDIR)
		file->present = num_known(0);
	else
		file->present = num_unknown(-r);
}

/* "postgresql@.service" of an instance of it, or the name itself. */
static const char *template_of(struct arena *arena, const char *name)
{
	const char *at = strchr(name, '@');
	const char *dot = strrchr(name, '.');

	if (!at || !dot || dot < at)
		return name;
	return arena_printf(arena, "%.*s%s", (int)(at + 1 - name), name, dot);
}

static bool is_installed(const struct look *look, const char *name)
{
	static const char *const folders[] = {
		"etc/systemd/system",		"run/systemd/system",
		"usr/local/lib/systemd/system", "usr/lib/systemd/system",
		"lib/systemd/system",
	};
	const char *file = template_of(look->arena, name);

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (sysroot_exists(look->root,
				   arena_printf(look->arena, "%s/%s",
						folders[i], name)) ||
		    sysroot_exists(look->root,
				   arena_printf(look->arena, "%s/%s",
						folders[i], file)))
			return true;
	return false;
}

/* Is what runs the unit, or an instance of this template? */
static bool is_instance(struct arena *arena, const char *running,
			const char *unit)
{
	return strcmp(running, unit) == 0 ||
	       strcmp(template_of(arena, running), unit) == 0;
}

/* Times of a copied tree say nothing, what was captured does.  All instances
 * count: one that was not restarted is not near its drive. */
static void look_at_running(const struct look *look, struct bound_unit *unit)
{
	const char *drop_in = owner_drop_in(look->arena, unit->name);
	const struct num written = sysroot_entry_time(look->root, drop_in);
	struct scan scan = { .root = look->root, .arena = look->arena };
	struct num restarted = num_unknown(0);
	struct names links = { { 0 } };

	if (sysroot_list(look->root, look->arena, STATE_DIR, &links) < 0)
		return;
	unit->state = is_installed(look, unit->name) ? "stopped" : "absent";
	VEC_EACH(&links.names, char *, it) {
		const char *path =
			arena_printf(look->arena, STATE_DIR "/%s", *it);
		struct num started;

		if (!text_has_prefix(*it, STATE_LINK) ||
		    !is_instance(look->arena, *it + strlen(STATE_LINK),
				 unit->name))
			continue;
		started = sysroot_entry_time(look->root, path);
		unit->state = "running";
		if (written.known && started.known && num_or(restarted, 1))
			restarted = num_known(started.value > written.value);
	}
	unit->restarted = scan_keep(
		&scan, arena_printf(look->arena, "restarted/%s", unit->name),
		restarted);
}

static bool is_binding(const struct unit_line *line)
{
	return text_equal(line->section, "Service") &&
	       (text_equal(line->key, "CPUAffinity") ||
		text_equal(line->key, "NUMAPolicy") ||
		text_equal(line->key, "NUMAMask"));
}

/* systemd reads drop-ins in the order of their names, whatever their folder;
 * those behind ours have the last word. */
static void look_behind_ours(const struct look *look, struct bound_unit *unit)
{
	struct unit read;

	unit_read(look->root, look->arena, unit->name, &read);
	VEC_EACH(&read.lines, const struct unit_line, line) {
		const char *slash = strrchr(line->file, '/');

		if (!is_binding(line) || text_equal(line->file, read.file) ||
		    !slash || strcmp(slash + 1, OWNER_DROP_IN) <= 0)
			continue;
		*vec_add(look->arena, &unit->later) = (struct unit_setting){
			.text = arena_printf(look->arena, "%s=%s", line->key,
					     line->value),
			.file = line->file,
			.line = line->line,
		};
	}
}

static void look_at_unit(const struct look *look, const char *name)
{
	struct bound_unit *unit;

	VEC_EACH(&look->facts->units, const struct bound_unit, it)
		if (text_equal(it->name, name))
			return;
	unit = vec_add(look->arena, &look->facts->units);
	unit->name = name;
	look_at_running(look, unit);
	look_behind_ours(look, unit);
}

static void look_at_command(const struct look *look, const char *name)
{
	static const char *const folders[] = { "usr/local/sbin", "usr/sbin",
					       "usr/bin", "sbin", "bin" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		const char *path =
			arena_printf(look->arena, "/%s/%s", folders[i], name);
		bool known = false;

		VEC_EACH(&look->facts->commands, const char *, it)
			known = known || text_equal(*it, path);
		if (known || !sysroot_exists(look->root, path))
			continue;
		*vec_add(look->arena, &look->facts->commands) = path;
		return;
	}
}

static void look_at(const struct look *look, enum section_kind kind,
		    const char *name)
{
	probe_own_file(look->root, look->arena, look->facts,
		       runner_path(look->arena, kind, name));
	if (kind == SECTION_SERVICE)
		look_at_unit(look, name);
	else
		look_at_command(look, name);
}

void probe_runners(const struct sysroot *root, struct arena *arena,
		   struct facts *facts, const struct profile *profile)
{
	const struct look look = { root, arena, facts };
	struct runner_list list = runners_of(arena, profile);

	VEC_EACH(&list.items, const struct runner, it) {
		look_at(&look, it->kind, it->name);
		if (it->drive)
			probe_name(root, arena, facts, it->drive);
	}
}

/* Drop-ins of ours, whoever asked for them. */
static void scan_units(const struct look *look)
{
	struct names folders = { { 0 } };

	(void)sysroot_list(look->root, look->arena, OWNER_UNITS, &folders);
	VEC_EACH(&folders.names, char *, it) {
		const char *path = arena_printf(
			look->arena, OWNER_UNITS "%s/" OWNER_DROP_IN, *it);
		enum section_kind kind;
		const char *name;

		if (runner_of_path(look->arena, path, &kind, &name) &&
		    sysroot_exists(look->root, path))
			look_at(look, kind, name);
	}
}

/* Those of the profile that was applied last, so that a capture has all that
 * a plan from it asks for. */
void runners_scan(struct scan *scan)
{
	const struct look look = { scan->root, scan->arena, scan->facts };

	scan_units(&look);
	VEC_EACH(&scan->facts->own_files, const struct own_file, it) {
		struct problems problems = { .arena = scan->arena };
		struct profile profile;

		if (!text_equal(it->path, OWNER_APPLIED) || !it->content)
			continue;
		(void)profile_read(scan->arena, scan->knobs, "applied",
				   OWNER_APPLIED, it->content,
				   strlen(it->content), &profile, &problems);
		probe_runners(scan->root, scan->arena, scan->facts, &profile);
		break;
	}
}

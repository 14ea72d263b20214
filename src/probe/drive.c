/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * One controller and what belongs to it, for whoever has to be quick: the
 * others of its subsystem are only looked at as owners of paths to the same
 * disks, and no other drive of the host is.
 */

#include "probe/drive.h"

#include <string.h>

#include "base/parse.h"
#include "probe/scan.h"

#define CTRLS "sys/class/nvme"
#define DISKS "sys/class/block"
#define SUBSYSTEMS "sys/class/nvme-subsystem"
#define UDEV_DATABASE "run/udev/data"
#define MULTIPATH "sys/module/nvme_core/parameters/multipath"

static bool exists(struct scan *scan, const char *dir, const char *name)
{
	return sysroot_exists(scan->root,
			      arena_printf(scan->arena, "%s/%s", dir, name));
}

static struct names entries(struct scan *scan, const char *dir,
			    const char *name)
{
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena,
			   arena_printf(scan->arena, "%s/%s", dir, name),
			   &list);
	return list;
}

/* A controller has no link to its subsystem, which has one to it. */
static const char *subsystem_of(struct scan *scan, const char *ctrl)
{
	struct names list = entries(scan, SUBSYSTEMS, "");

	VEC_EACH(&list.names, char *, name)
		if (exists(scan,
			   arena_printf(scan->arena, SUBSYSTEMS "/%s", *name),
			   ctrl))
			return *name;
	return NULL;
}

static void scan_ctrls(struct scan *scan, const char *subsystem)
{
	struct names list = { { 0 } };

	if (subsystem)
		list = entries(scan, SUBSYSTEMS, subsystem);
	VEC_EACH(&list.names, char *, name)
		if (scan_is_numbered(*name, "nvme"))
			ctrl_scan_one(scan, *name);
	if (!facts_ctrl(scan->facts, scan->only))
		ctrl_scan_one(scan, scan->only);
	VEC_EACH(&scan->facts->ctrls, struct ctrl, ctrl)
		ctrl->subsystem = subsystem;
}

/* The disk that a path leads to. */
static char *head_of(struct scan *scan, const struct disk_name *path)
{
	return arena_printf(scan->arena, "nvme%llun%llu",
			    (unsigned long long)path->instance,
			    (unsigned long long)path->nsid_index);
}

/*
 * A disk that udev does not know yet has an "add" to come, at which rules set
 * it before anybody else does; hidden ones (no number) it never gets to know.
 */
static bool is_to_come(struct scan *scan, const char *name)
{
	const char *number = scan_text(scan, DISKS "/%s/dev", name);

	return number && sysroot_exists(scan->root, UDEV_DATABASE) &&
	       !exists(scan, UDEV_DATABASE,
		       arena_printf(scan->arena, "b%s", number));
}

static void scan_known(struct scan *scan, const char *name, const char *disk)
{
	if (!exists(scan, DISKS, name) || facts_ns(scan->facts, name) ||
	    (!disk && is_to_come(scan, name)))
		return;
	ns_scan_one(scan, name);
}

/* disk: only this one and, of a path or a head, its other half. */
static void scan_disk_of(struct scan *scan, const char *name, const char *disk)
{
	struct disk_name parsed;
	const char *head = NULL;

	if (!scan_disk_name(name, &parsed))
		return;
	if (parsed.is_path)
		head = head_of(scan, &parsed);
	if (disk && !text_equal(name, disk) && !text_equal(head, disk))
		return;
	scan_known(scan, name, disk);
	if (head)
		scan_known(scan, head, disk);
}

static void scan_disks(struct scan *scan, const char *disk)
{
	VEC_EACH(&scan->facts->ctrls, struct ctrl, ctrl) {
		struct names list = entries(scan, CTRLS, ctrl->name);

		VEC_EACH(&list.names, char *, name)
			scan_disk_of(scan, *name, disk);
	}
	ns_scan_end(scan);
}

static bool has_scope(const struct knob_set *knobs, enum knob_scope scope)
{
	for (size_t i = 0; i < knobs->n; i++)
		if (knobs->items[i]->scope == scope)
			return true;
	return false;
}

void probe_drive(const struct sysroot *root, const struct knob_set *knobs,
		 const char *ctrl, const char *disk, struct arena *arena,
		 struct facts *ret)
{
	const struct probe_options options = { 0 };
	struct facts facts = { 0 };
	struct scan scan = {
		.root = root,
		.knobs = knobs,
		.options = &options,
		.arena = arena,
		.facts = &facts,
		.only = ctrl,
	};
	const char *multipath = scan_text(&scan, MULTIPATH);

	host_scan_cpus(&scan);
	if (multipath)
		facts.multipath = num_known(strcmp(multipath, "Y") == 0);
	scan_ctrls(&scan, subsystem_of(&scan, ctrl));
	pci_scan(&scan);
	scan_disks(&scan, disk);
	if (has_scope(knobs, SCOPE_VECTOR))
		vectors_scan(&scan);
	observe_scan(&scan);
	if (has_scope(knobs, SCOPE_CTRL))
		admin_scan(&scan);
	*ret = facts;
}

void probe_drive_ctrls(const struct sysroot *root, struct arena *arena,
		       const char *name, struct names *ret)
{
	struct scan scan = { .root = root, .arena = arena };
	const char *owner = name;
	struct disk_name parsed;

	*ret = (struct names){ { 0 } };
	if (scan_disk_name(name, &parsed))
		owner = exists(&scan, DISKS, name) ?
				scan_disk_owner(&scan, name) :
				NULL;
	if (!owner)
		return;
	if (scan_is_numbered(owner, "nvme")) {
		if (exists(&scan, CTRLS, owner))
			*vec_add(arena, &ret->names) =
				arena_strdup(arena, owner);
		return;
	}
	for (struct names list = entries(&scan, SUBSYSTEMS, owner);
	     list.names.n; list.names.items++, list.names.n--)
		if (scan_is_numbered(list.names.items[0], "nvme"))
			*vec_add(arena, &ret->names) = list.names.items[0];
}

bool probe_drive_name(const char *name, bool *ret_is_disk)
{
	struct disk_name parsed;

	*ret_is_disk = scan_disk_name(name, &parsed);
	return *ret_is_disk || scan_is_numbered(name, "nvme");
}

/* "nvme0n1" and controller "nvme3" to "nvme0c3n1". */
static char *path_of(struct scan *scan, const char *ctrl,
		     const struct disk_name *head)
{
	return arena_printf(scan->arena, "nvme%lluc%sn%llu",
			    (unsigned long long)head->instance,
			    ctrl + strlen("nvme"),
			    (unsigned long long)head->nsid_index);
}

struct drive_paths probe_drive_paths(const struct sysroot *root,
				     struct arena *arena, const char *ctrl)
{
	struct scan scan = { .root = root, .arena = arena };
	const char *subsystem = subsystem_of(&scan, ctrl);
	const char *dir = arena_printf(arena, CTRLS "/%s", ctrl);
	struct drive_paths paths = { 0 };
	struct names list = { { 0 } };

	if (subsystem)
		list = entries(&scan, SUBSYSTEMS, subsystem);
	VEC_EACH(&list.names, char *, name) {
		struct disk_name head;

		if (!scan_disk_name(*name, &head) || head.is_path)
			continue;
		if (exists(&scan, dir, path_of(&scan, ctrl, &head)))
			paths.there++;
		else
			paths.missing++;
	}
	return paths;
}

enum drive_queue probe_drive_queue(const struct sysroot *root,
				   struct arena *arena, const char *disk)
{
	struct scan scan = { .root = root, .arena = arena };
	const char *dir = arena_printf(arena, DISKS "/%s", disk);

	if (!exists(&scan, DISKS, disk))
		return DRIVE_QUEUE_GONE;
	if (!exists(&scan, dir, "queue"))
		return DRIVE_QUEUE_MISSING;
	return exists(&scan, dir, "integrity") ? DRIVE_QUEUE_WHOLE :
						 DRIVE_QUEUE_BEGUN;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/identity.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "core/facts.h"
#include "sys/sysroot.h"

#define CTRL_FOLDER "sys/class/nvme"
#define DISK_FOLDER "sys/class/block"
#define MODULE "sys/module/nvme_core/parameters"

struct look {
	const struct sysroot *root;
	struct arena *arena;
};

static char *text_at(const struct look *look, const char *dir, const char *name)
{
	char *text = sysroot_text(look->root, look->arena,
				  arena_printf(look->arena, "%s/%s", dir, name),
				  NULL);

	return text && *text ? text : NULL;
}

static struct num num_at(const struct look *look, const char *dir,
			 const char *name)
{
	return sysroot_num(look->root,
			   arena_printf(look->arena, "%s/%s", dir, name));
}

static struct ctrl read_ctrl(const struct look *look, const char *name)
{
	const char *dir = arena_printf(look->arena, CTRL_FOLDER "/%s", name);

	return (struct ctrl){
		.name = name,
		.nqn = text_at(look, dir, "subsysnqn"),
		.serial = text_at(look, dir, "serial"),
		.cntlid = num_at(look, dir, "cntlid"),
		.address = text_at(look, dir, "address"),
	};
}

/* nvme0c1n1: the only names with a "c" behind the first number. */
static bool is_path_name(const char *name)
{
	name += strspn(name, "nvme");
	return name[strspn(name, "0123456789")] == 'c';
}

/*
 * Just as much of the facts as facts_ns_id() looks at: a disk and its
 * controller, or a head with one path to its subsystem, which has the serial.
 */
static char *disk_id(const struct look *look, const char *name)
{
	const char *dir = arena_printf(look->arena, DISK_FOLDER "/%s", name);
	const char *owner =
		sysroot_link_name(look->root, look->arena,
				  arena_printf(look->arena, "%s/device", dir));
	struct ctrl ctrl = { .name = owner };
	struct ns disks[2] = { { .name = name, .ctrl = owner } };
	struct facts facts = { 0 };
	const char *multipath;

	if (!owner)
		return NULL;
	multipath = text_at(look, MODULE, "multipath");
	if (multipath)
		facts.multipath = num_known(text_equal(multipath, "Y"));
	disks[0].wwid = text_at(look, dir, "wwid");
	disks[0].nsid = num_at(look, dir, "nsid");
	facts.ctrls.items = &ctrl;
	facts.ctrls.n = 1;
	facts.namespaces.items = disks;
	facts.namespaces.n = 1;
	if (text_has_prefix(owner, "nvme-subsys")) {
		ctrl.serial = text_at(look, dir, "device/serial");
		disks[0].kind = NS_HEAD;
		disks[1] = (struct ns){ .kind = NS_PATH,
					.head = name,
					.ctrl = owner };
		facts.namespaces.n = 2;
	} else {
		ctrl = read_ctrl(look, owner);
		disks[0].kind = is_path_name(name) ? NS_PATH : NS_PLAIN;
	}
	return facts_ns_id(look->arena, &facts, &disks[0]);
}

/* NULL: nobody of that name. */
static char *id_of(const struct look *look, enum target_kind kind,
		   const char *name)
{
	struct ctrl ctrl;

	if (kind == TARGET_QUEUE)
		return disk_id(look, name);
	if (!sysroot_exists(look->root,
			    arena_printf(look->arena, CTRL_FOLDER "/%s", name)))
		return NULL;
	ctrl = read_ctrl(look, name);
	return facts_ctrl_id(look->arena, &ctrl);
}

static bool has_identity(const struct target *target)
{
	return target->kind == TARGET_CTRL || target->kind == TARGET_QUEUE;
}

int identity_check(const struct sysroot *root, struct arena *arena,
		   const struct target *target)
{
	const struct look look = { .root = root, .arena = arena };
	const char *id;

	if (!has_identity(target))
		return sysroot_exists(root, target->dir) ? 0 : -ENODEV;
	id = id_of(&look, target->kind, target->name);
	if (!id)
		return -ENODEV;
	return text_equal(id, target->id) ? 0 : -ESTALE;
}

int identity_find(const struct sysroot *root, struct arena *arena,
		  const struct target *recorded, struct target *ret)
{
	const struct look look = { .root = root, .arena = arena };
	const char *folder = recorded->kind == TARGET_QUEUE ? DISK_FOLDER :
							      CTRL_FOLDER;
	struct names names = { { 0 } };
	struct target found = *recorded;
	size_t matches = 0;
	int r;

	r = identity_check(root, arena, recorded);
	if (r == 0 || !has_identity(recorded)) {
		*ret = *recorded;
		return r;
	}
	r = sysroot_list(root, arena, folder, &names);
	if (r < 0)
		return -ENODEV;
	VEC_EACH(&names.names, char *, it) {
		if (!text_has_prefix(*it, "nvme") ||
		    !text_equal(id_of(&look, recorded->kind, *it),
				recorded->id))
			continue;
		found.name = *it;
		matches++;
	}
	if (matches != 1)
		return matches ? -ENOTUNIQ : -ENODEV;
	found.dir = arena_printf(arena, "%s/%s", folder, found.name);
	*ret = found;
	return 0;
}

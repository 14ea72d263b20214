/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/identity.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "core/facts.h"
#include "sys/sysroot.h"

#define CTRL_FOLDER "sys/class/nvme"
#define DISK_FOLDER "sys/class/block"
#define MODULE "sys/module/nvme_core/parameters"
#define SUBSYSTEM_FOLDER "sys/class/nvme-subsystem"

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

static char *ctrl_id(const struct look *look, const char *name)
{
	struct ctrl ctrl;

	if (!sysroot_exists(look->root,
			    arena_printf(look->arena, CTRL_FOLDER "/%s", name)))
		return NULL;
	ctrl = read_ctrl(look, name);
	return facts_ctrl_id(look->arena, &ctrl);
}

/* "q3" of "nvme0q3" and of "nqn.../1/q3". */
static const char *queue_part(const char *text)
{
	const char *q = strrchr(text, 'q');

	return q ? q : "";
}

static char *vector_id(const struct look *look, const char *name)
{
	const char *queue = queue_part(name);
	const char *owner = arena_strndup(
		look->arena, name, (size_t)(strlen(name) - strlen(queue)));
	const char *id = ctrl_id(look, owner);

	return id ? arena_printf(look->arena, "%s/%s", id, queue) : NULL;
}

static char *subsystem_id(const struct look *look, const char *name)
{
	return text_at(look,
		       arena_printf(look->arena, SUBSYSTEM_FOLDER "/%s", name),
		       "subsysnqn");
}

/* How the targets of a kind are told apart; NULL id: there is one. */
struct kind {
	const char *folder; /* whose entries may be the target, or have it */
	char *(*id)(const struct look *look, const char *name);
	char *(*entry_id)(const struct look *look, const char *name);
};

static const struct kind *kind_of(enum target_kind kind)
{
	static const struct kind kinds[] = {
		[TARGET_CTRL] = { CTRL_FOLDER, ctrl_id, ctrl_id },
		[TARGET_FUNCTION] = { CTRL_FOLDER, ctrl_id, ctrl_id },
		[TARGET_VECTOR] = { CTRL_FOLDER, vector_id, ctrl_id },
		[TARGET_QUEUE] = { DISK_FOLDER, disk_id, disk_id },
		[TARGET_SUBSYSTEM] = { SUBSYSTEM_FOLDER, subsystem_id,
				       subsystem_id },
		[TARGET_CPUS] = { NULL, NULL, NULL },
		[TARGET_SERVICE] = { NULL, NULL, NULL },
		[TARGET_WRAPPER] = { NULL, NULL, NULL },
	};

	return &kinds[kind];
}

/* The folder of the interrupt that serves this queue now. */
static char *vector_dir(const struct look *look, const char *ctrl,
			const char *name)
{
	const char *folder = arena_printf(
		look->arena, CTRL_FOLDER "/%s/device/msi_irqs", ctrl);
	struct names irqs = { { 0 } };

	if (sysroot_list(look->root, look->arena, folder, &irqs) < 0)
		return NULL;
	VEC_EACH(&irqs.names, char *, irq) {
		char *dir = arena_printf(look->arena, "proc/irq/%s", *irq);

		if (sysroot_exists(look->root,
				   arena_printf(look->arena, "%s/%s", dir,
						name)))
			return dir;
	}
	return NULL;
}

int identity_check(const struct sysroot *root, struct arena *arena,
		   const struct target *target)
{
	const struct look look = { .root = root, .arena = arena };
	const struct kind *kind = kind_of(target->kind);
	const char *id;

	if (!sysroot_exists(root, target->dir))
		return -ENODEV;
	if (!kind->id)
		return 0;
	id = kind->id(&look, target->name);
	if (!id)
		return -ENODEV;
	if (target->kind == TARGET_VECTOR &&
	    !sysroot_exists(root, arena_printf(arena, "%s/%s", target->dir,
					       target->name)))
		return -ESTALE;
	return text_equal(id, target->id) ? 0 : -ESTALE;
}

const char *identity_stale(const struct target *target)
{
	return target->kind == TARGET_VECTOR ?
		       "its interrupt serves something else now" :
		       "another drive has this name now";
}

/* The recorded target as it would be called if entry were its owner. */
static struct target renamed(const struct look *look,
			     const struct target *recorded, const char *entry)
{
	const char *folder = kind_of(recorded->kind)->folder;
	struct target target = *recorded;

	target.name = entry;
	target.dir = arena_printf(look->arena, "%s/%s", folder, entry);
	if (recorded->kind == TARGET_FUNCTION)
		target.dir = arena_printf(look->arena, "%s/device", target.dir);
	if (recorded->kind == TARGET_VECTOR) {
		target.name = arena_printf(look->arena, "%s%s", entry,
					   queue_part(recorded->id));
		target.dir = vector_dir(look, entry, target.name);
	}
	return target;
}

struct entry {
	const char *name;
	const char *id; /* NULL: it has none */
};

struct list {
	const char *folder;
	VEC(struct entry) entries;
};

#define MOST_FOLDERS 3 /* that kind_of() names */

struct identities {
	struct look look;
	struct list lists[MOST_FOLDERS];
	size_t n;
};

struct identities *identities_new(const struct sysroot *root,
				  struct arena *arena)
{
	struct identities *all = ARENA_NEW(arena, struct identities);

	*all = (struct identities){ .look = { root, arena } };
	return all;
}

/* Each entry is asked who it is once, however many targets are sought. */
static const struct list *list_of(struct identities *all,
				  const struct kind *kind)
{
	struct arena *arena = all->look.arena;
	struct names names = { { 0 } };
	struct list *list;

	for (size_t i = 0; i < all->n; i++)
		if (text_equal(all->lists[i].folder, kind->folder))
			return &all->lists[i];
	assert(all->n < MOST_FOLDERS);
	list = &all->lists[all->n++];
	list->folder = kind->folder;
	(void)sysroot_list(all->look.root, arena, kind->folder, &names);
	VEC_EACH(&names.names, char *, it)
		if (text_has_prefix(*it, "nvme"))
			*vec_add(arena, &list->entries) = (struct entry){
				*it, kind->entry_id(&all->look, *it)
			};
	return list;
}

/* Is the recorded target this entry, or a vector of it? */
static bool answers(const struct entry *entry, const struct target *recorded)
{
	const size_t n = entry->id ? strlen(entry->id) : 0;

	if (recorded->kind != TARGET_VECTOR || !entry->id)
		return text_equal(entry->id, recorded->id);
	return strncmp(recorded->id, entry->id, n) == 0 &&
	       recorded->id[n] == '/' &&
	       text_equal(recorded->id + n + 1, queue_part(recorded->id));
}

int identities_find(struct identities *all, const struct target *recorded,
		    struct target *ret)
{
	const struct look *look = &all->look;
	const struct kind *kind = kind_of(recorded->kind);
	size_t matches = 0;
	int r = identity_check(look->root, look->arena, recorded);

	if (r == 0 || !kind->id) {
		*ret = *recorded;
		return r;
	}
	VEC_EACH(&list_of(all, kind)->entries, const struct entry, entry) {
		struct target target;

		if (!answers(entry, recorded))
			continue;
		target = renamed(look, recorded, entry->name);
		if (!target.dir)
			continue;
		*ret = target;
		matches++;
	}
	if (matches != 1)
		return matches ? -ENOTUNIQ : -ENODEV;
	return 0;
}

int identity_find(const struct sysroot *root, struct arena *arena,
		  const struct target *recorded, struct target *ret)
{
	return identities_find(identities_new(root, arena), recorded, ret);
}

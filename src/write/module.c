/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/module.h"

#include <errno.h>
#include <fcntl.h>
#include <libkmod.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/parse.h"
#include "sys/sysroot.h"

#define MODULE "nvme"
#define CORE "nvme_core"
#define MODULE_DIR "sys/module/nvme"
#define CLASS "sys/class/nvme"

/* Of a tenth of a second each. */
#define BUSY_TRIES 10
#define WAIT_STEPS 300

static void kmod_cleanup(struct kmod_ctx **ctx)
{
	if (*ctx)
		(void)kmod_unref(*ctx);
}

static void module_cleanup(struct kmod_module **module)
{
	if (*module)
		(void)kmod_module_unref(*module);
}

#define _cleanup_kmod_ __attribute__((cleanup(kmod_cleanup)))
#define _cleanup_module_ __attribute__((cleanup(module_cleanup)))

/* A new context each time: it reads modprobe.d when it is made. */
static int open_module(const char *name, struct kmod_ctx **ret_ctx,
		       struct kmod_module **ret, struct err *err)
{
	struct kmod_ctx *ctx = kmod_new(NULL, NULL);
	int r;

	if (!ctx)
		return err_set(err, -ENOMEM,
			       "the modules of this kernel cannot be read");
	*ret_ctx = ctx;
	kmod_set_log_priority(ctx, 0); /* it would speak on stderr */
	r = kmod_module_new_from_name(ctx, name, ret);
	return r < 0 ? err_errno(err, r, "%s: cannot be found", name) : 0;
}

/* What the process has open as this descriptor: "nvme0n1", or NULL. */
static const char *open_drive(const struct sysroot *root, struct arena *arena,
			      const char *pid, const char *fd)
{
	const char *path = arena_printf(arena, "proc/%s/fd/%s", pid, fd);
	char *name = sysroot_link_name(root, arena, path);

	/* The controller's own node counts in the module's references. */
	if (name &&
	    (text_has_prefix(name, "nvme") || text_has_prefix(name, "ng")) &&
	    sysroot_exists(root, arena_printf(arena, "dev/%s", name)))
		return name;
	return NULL;
}

static int check_process(const struct sysroot *root, struct arena *arena,
			 const char *pid, struct err *err)
{
	struct names list = { { 0 } };

	(void)sysroot_list(root, arena, arena_printf(arena, "proc/%s/fd", pid),
			   &list);
	VEC_EACH(&list.names, char *, fd) {
		const char *drive = open_drive(root, arena, pid, *fd);
		const char *comm;

		if (!drive)
			continue;
		comm = sysroot_text(root, arena,
				    arena_printf(arena, "proc/%s/comm", pid),
				    NULL);
		return err_set(err, -EBUSY, "%s is open in process %s (%s)",
			       drive, pid, comm ? comm : "unknown");
	}
	return 0;
}

static int check_processes(const struct sysroot *root, struct arena *arena,
			   struct err *err)
{
	struct names list = { { 0 } };

	(void)sysroot_list(root, arena, "proc", &list);
	VEC_EACH(&list.names, char *, pid) {
		uint64_t number;
		int r;

		if (parse_u64(*pid, &number) < 0)
			continue;
		r = check_process(root, arena, *pid, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool is_disk(const struct sysroot *root, struct arena *arena,
		    const char *name)
{
	return text_has_prefix(name, "nvme") &&
	       !sysroot_exists(
		       root, arena_printf(arena, "sys/class/block/%s/partition",
					  name)) &&
	       sysroot_exists(root, arena_printf(arena, "dev/%s", name));
}

/* A mount, md, dm, swap, ZFS ... claims a disk or one of its partitions, and
 * then nobody else may have the disk for himself. */
static int check_claims(const struct sysroot *root, struct arena *arena,
			struct err *err)
{
	struct names list = { { 0 } };

	(void)sysroot_list(root, arena, "sys/class/block", &list);
	VEC_EACH(&list.names, char *, name) {
		_cleanup_close_ int fd = -1;

		if (!is_disk(root, arena, *name))
			continue;
		fd = sysroot_open_fd(root, arena_printf(arena, "dev/%s", *name),
				     O_RDONLY | O_EXCL | O_NONBLOCK);
		if (fd == -EBUSY)
			return err_set(
				err, -EBUSY,
				"%s is in use: mounted, or part of something that is",
				*name);
	}
	return 0;
}

static bool is_live(const struct sysroot *root, struct arena *arena,
		    const char *ctrl)
{
	const char *dir = arena_printf(arena, CLASS "/%s", ctrl);
	const char *transport = sysroot_text(
		root, arena, arena_printf(arena, "%s/transport", dir), NULL);
	const char *state = sysroot_text(
		root, arena, arena_printf(arena, "%s/state", dir), NULL);

	return text_equal(transport, "pcie") && text_equal(state, "live");
}

/* Controllers that are live, and disks. */
struct census {
	unsigned int ctrls;
	unsigned int disks;
};

static struct census take_census(const struct sysroot *root,
				 struct arena *arena)
{
	struct names ctrls = { { 0 } }, disks = { { 0 } };
	struct census census = { 0 };

	(void)sysroot_list(root, arena, CLASS, &ctrls);
	VEC_EACH(&ctrls.names, char *, name)
		census.ctrls += is_live(root, arena, *name);
	(void)sysroot_list(root, arena, "sys/class/block", &disks);
	VEC_EACH(&disks.names, char *, name)
		census.disks += is_disk(root, arena, *name);
	return census;
}

static void pause_shortly(void)
{
	const struct timespec tenth = { .tv_nsec = 100 * 1000 * 1000 };

	(void)nanosleep(&tenth, NULL);
}

/* They are probed in the background. */
static void wait_for_drives(const struct sysroot *root,
			    const struct census *before)
{
	for (unsigned int i = 0; i < WAIT_STEPS; i++) {
		struct arena *arena = arena_new();
		struct census now = take_census(root, arena);

		arena_free(arena);
		if (now.ctrls >= before->ctrls && now.disks >= before->disks)
			return;
		pause_shortly();
	}
}

/* The kernel's own word on it; never KMOD_REMOVE_FORCE. */
static int remove_module(const char *name, struct err *err)
{
	_cleanup_kmod_ struct kmod_ctx *ctx = NULL;
	_cleanup_module_ struct kmod_module *module = NULL;
	int r = open_module(name, &ctx, &module, err);

	if (r < 0)
		return r;
	r = kmod_module_remove_module(module, KMOD_REMOVE_NOLOG);
	if (r == -EAGAIN || r == -EBUSY)
		return err_set(err, -EBUSY, "the kernel counts a user of %s",
			       name);
	return r < 0 ? err_errno(err, r, "%s: cannot be removed", name) : 0;
}

/* It has parameters of its own; fabrics may hold it, and then it stays. */
static bool remove_core(void)
{
	struct err ignored = { 0 };

	return remove_module(CORE, &ignored) == 0;
}

int module_insert_nvme(const struct sysroot *root, struct err *err)
{
	_cleanup_kmod_ struct kmod_ctx *ctx = NULL;
	_cleanup_module_ struct kmod_module *module = NULL;
	int r;

	if (sysroot_exists(root, MODULE_DIR))
		return 0;
	r = open_module(MODULE, &ctx, &module, err);
	if (r < 0)
		return r;
	/* Its options, but no "install" command: that is a shell's line. */
	r = kmod_module_probe_insert_module(module, KMOD_PROBE_IGNORE_COMMAND,
					    NULL, NULL, NULL, NULL);
	return r < 0 ? err_errno(err, r, MODULE ": cannot be loaded") : 0;
}

static int check_idle(const struct sysroot *root, struct arena *arena,
		      struct err *err)
{
	int r;

	if (!sysroot_is_live(root) ||
	    !sysroot_exists(root, MODULE_DIR "/initstate"))
		return err_set(err, -EOPNOTSUPP,
			       MODULE " is not loaded as a module here");
	r = check_claims(root, arena, err);
	return r < 0 ? r : check_processes(root, arena, err);
}

static int remove_idle(const struct sysroot *root, struct arena *arena,
		       struct err *err)
{
	int r = check_idle(root, arena, err);

	return r < 0 ? r : remove_module(MODULE, err);
}

int module_reload_nvme(const struct sysroot *root, struct arena *arena,
		       bool *ret_core, struct err *err)
{
	struct census before = take_census(root, arena);
	int r = remove_idle(root, arena, err);

	/* udev looks into a disk whenever somebody closes it. */
	for (unsigned int i = 0; r == -EBUSY && i < BUSY_TRIES; i++) {
		pause_shortly();
		*err = (struct err){ 0 };
		r = remove_idle(root, arena, err);
	}
	if (r < 0)
		return r;
	*ret_core = remove_core();
	r = module_insert_nvme(root, err);
	if (r == 0)
		wait_for_drives(root, &before);
	return r;
}

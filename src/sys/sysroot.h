/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/vec.h"
#include "core/facts.h"

/*
 * The one door to /sys, /proc, /etc, /run and /lib/modules, with a root: "/"
 * on the live host, a captured tree or an image root otherwise.  Paths are
 * relative to that root ("sys/class/nvme", no leading slash) and resolved
 * beneath it (openat2 with RESOLVE_IN_ROOT; plain openat where the kernel
 * has no openat2 or a sandbox refuses it): links cannot lead outside.
 *
 * Functions return 0 (or a length) or a negative errno and never print.
 */

struct err;
struct sysroot;

/* Tests only; NULL members let the call go on. */
struct sysroot_hooks {
	/* 0: go on, negative errno: the call fails with it. */
	int (*open)(void *data, const char *path, int flags);
	int (*read)(void *data, const char *path);
	int (*list)(void *data, const char *path);
	/* Called instead of write(2) on an attribute, which still holds its
	 * old text; returns n or a negative errno. */
	ssize_t (*write)(void *data, int fd, const char *path, const char *text,
			 size_t n);
	/* Called instead of opening a device node; returns a descriptor. */
	int (*device)(void *data, const char *path);
	/* The same for a mount point. */
	int (*mount)(void *data, const char *path);
	bool no_openat2; /* as on a kernel that has none */
	void *data;
};

int sysroot_open(const char *path, struct sysroot **ret, struct err *err);
/*
 * The root of a system that does not run: what somebody may have mounted on
 * its dev, proc, run and sys is of the machine that builds it, and is not
 * there (-ENOENT).  -EINVAL: path is the running host's own root.
 */
int sysroot_open_image(const char *path, struct sysroot **ret, struct err *err);
void sysroot_close(struct sysroot *root); /* NULL is fine */
void sysroot_closep(struct sysroot **root);
#define _cleanup_sysroot_ __attribute__((cleanup(sysroot_closep)))

/*
 * What is read from here on is kept in record, which is the caller's; NULL
 * ends it.  A root that was made of such a record, which its folder
 * nvmetune.raw shows, gives the same errors again.
 */
struct record;
void sysroot_set_record(struct sysroot *root, struct record *record);
struct record *sysroot_record(const struct sysroot *root); /* or NULL */

/*
 * For what is no file: an answer from a drive, a library, the kernel.  keep()
 * puts it into the record of a root, if there is one, under a name below
 * nvmetune.raw; r is 0, or the negative errno that was had instead.
 * kept() gives it back on a root that was made of one, where the live host
 * has to be asked: its length, or a negative errno.
 */
void sysroot_keep(const struct sysroot *root, const char *name,
		  const void *bytes, size_t n, int r);
ssize_t sysroot_kept(const struct sysroot *root, const char *name, void *bytes,
		     size_t n);
/* As text in the arena; NULL where there is none. */
char *sysroot_kept_text(const struct sysroot *root, struct arena *arena,
			const char *name);

void sysroot_set_hooks(struct sysroot *root, const struct sysroot_hooks *hooks);

/* The root is "/": libudev and other libraries speak of the same host. */
bool sysroot_is_live(const struct sysroot *root);
/* Opened by sysroot_open_image(). */
bool sysroot_is_image(const struct sysroot *root);
const char *sysroot_path(const struct sysroot *root); /* as given */

/*
 * A whole file of at most cap - 1 bytes into buf, NUL-terminated; returns
 * the length, -EFBIG when it is larger.  A NUL byte inside is -EBADMSG.
 */
ssize_t sysroot_read(const struct sysroot *root, const char *path, char *buf,
		     size_t cap);

/* Up to n bytes of a file that is no text; returns how many there were. */
ssize_t sysroot_read_bytes(const struct sysroot *root, const char *path,
			   void *buf, size_t n);

/* A whole text into the arena, up to max bytes. */
int sysroot_read_file(const struct sysroot *root, struct arena *arena,
		      const char *path, size_t max, char **ret);

/*
 * One attribute as text in the arena, white space off both ends.  Returns
 * NULL and sets *why (a positive errno; why may be NULL) when it could not
 * be read.  An empty attribute is "".
 */
char *sysroot_text(const struct sysroot *root, struct arena *arena,
		   const char *path, int *why);

/* One attribute that is a number, decimal or 0x...; EBADMSG if it is not. */
struct num sysroot_num(const struct sysroot *root, const char *path);

struct names {
	VEC(char *) names;
};

/*
 * The entries of a folder without "." and "..", in natural order: nvme2
 * before nvme10.
 */
int sysroot_list(const struct sysroot *root, struct arena *arena,
		 const char *path, struct names *ret);

bool sysroot_exists(const struct sysroot *root, const char *path);
/* The mode bits and type of what path leads to. */
int sysroot_mode(const struct sysroot *root, const char *path, mode_t *ret);
/* When it was written last, in seconds since 1970. */
struct num sysroot_mtime(const struct sysroot *root, const char *path);
/* The same of the entry itself, be it a link that leads nowhere, in nanoseconds
 * since 1970. */
struct num sysroot_entry_time(const struct sysroot *root, const char *path);

/* The last component of what a symbolic link says ("driver" -> "nvme"). */
char *sysroot_link_name(const struct sysroot *root, struct arena *arena,
			const char *path);
/* All that it says. */
char *sysroot_link_text(const struct sysroot *root, struct arena *arena,
			const char *path);
/* The path below the root to which path leads, every link resolved, without
 * leading slash; NULL and *why as above. */
char *sysroot_resolve(const struct sysroot *root, struct arena *arena,
		      const char *path, int *why);

/*
 * The number ("259:1") of the block device that path leads to, through links
 * of /proc to what processes have open, too.  NULL when it leads to anything
 * else, or on a root that is not live: a tree has no devices.
 */
char *sysroot_block_number(const struct sysroot *root, struct arena *arena,
			   const char *path);

/* A descriptor resolved beneath the root; O_CLOEXEC is added, O_CREAT is
 * refused.  Negative errno on failure. */
int sysroot_open_fd(const struct sysroot *root, const char *path, int flags);

/*
 * The character device with this number ("241:0"), for reading and without
 * waiting.  -ENODEV when path leads to anything else.
 */
int sysroot_open_device(const struct sysroot *root, const char *path,
			const char *number);

/*
 * The folder at which a file system of this number ("259:1") is mounted.
 * -ENODEV when another one is on top of it, or none: only the live root has
 * any.
 */
int sysroot_open_mount(const struct sysroot *root, const char *path,
		       const char *number);

/* Is the file system behind the path mounted read-only?  As /sys is in many
 * containers.  False also when that cannot be told. */
bool sysroot_is_read_only(const struct sysroot *root, const char *path);

/*
 * Write a sysfs or procfs attribute: one write(2), never O_CREAT (a missing
 * attribute is -ENOENT).  Only write/ may call this.
 */
int sysroot_write_attr(const struct sysroot *root, const char *path,
		       const char *text);

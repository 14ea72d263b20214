/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/sysroot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/parse.h"
#include "sys/device.h"
#include "sys/sysroot_inside.h"
#include "sys/walk.h"

static int openat2_in_root(int fd, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned int)flags,
		.resolve = RESOLVE_IN_ROOT,
	};
	long r;

	/* EAGAIN: something was renamed while ".." was being resolved. */
	for (int i = 0; i < 8; i++) {
		r = syscall(SYS_openat2, fd, path, &how, sizeof(how));
		if (r >= 0 || errno != EAGAIN)
			break;
	}
	return r < 0 ? -errno : (int)r;
}

/*
 * Without openat2 (before 5.6, or a sandbox that refuses it): on the live
 * root the kernel's own resolution is already right; elsewhere links are
 * resolved here, one component at a time.
 */
static int open_fallback(const struct sysroot *root, const char *path,
			 int flags)
{
	char walked[PATH_MAX];
	int r;

	if (!root->live) {
		r = walk_resolve(root->fd, path, !(flags & O_NOFOLLOW), walked);
		if (r < 0)
			return r;
		path = walked;
		flags |= O_NOFOLLOW;
	}
	r = openat(root->fd, path, flags);
	return r < 0 ? -errno : r;
}

/* A folder that a running system fills. */
static bool is_of_a_run(const char *path)
{
	static const char *const folders[] = { "dev", "proc", "run", "sys" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		size_t n = strlen(folders[i]);

		if (strncmp(path, folders[i], n) == 0 &&
		    (path[n] == '/' || path[n] == '\0'))
			return true;
	}
	return false;
}

/* A link of an image may lead to what is_of_a_run() would not let pass. */
static int not_of_a_run(int fd)
{
	struct statfs about;

	if (fd < 0)
		return fd;
	if (fstatfs(fd, &about) == 0 && about.f_type != PROC_SUPER_MAGIC &&
	    about.f_type != SYSFS_MAGIC)
		return fd;
	(void)close(fd);
	return -ENOENT;
}

static int open_resolved(const struct sysroot *root, const char *path,
			 int flags)
{
	int r;

	if (!root->has_openat2)
		return open_fallback(root, path, flags);
	r = openat2_in_root(root->fd, path, flags);
	/* RESOLVE_IN_ROOT refuses the links of /proc/PID/fd, which is what a
	 * shell's <(...) names; nothing lies outside of the live root. */
	return r == -EXDEV && root->live ? open_fallback(root, path, flags) : r;
}

int sysroot_open_below(const struct sysroot *root, const char *path, int flags)
{
	int r;

	while (*path == '/')
		path++;
	if (*path == '\0')
		path = ".";
	if (root->hooks.open) {
		r = root->hooks.open(root->hooks.data, path, flags);
		if (r < 0)
			return r;
	}
	if (root->image && is_of_a_run(path))
		return -ENOENT;
	r = open_resolved(root, path, flags | O_CLOEXEC);
	return root->image ? not_of_a_run(r) : r;
}

static bool is_live(int fd)
{
	struct stat here, top;

	return fstat(fd, &here) == 0 && stat("/", &top) == 0 &&
	       here.st_dev == top.st_dev && here.st_ino == top.st_ino;
}

#define MOST_ERRORS ((size_t)16 << 20)

static void read_errors(struct sysroot *root)
{
	char *text;

	if (!sysroot_exists(root, RECORD_DIR))
		return;
	root->arena = arena_new();
	if (sysroot_read_file(root, root->arena, RECORD_ERRORS, MOST_ERRORS,
			      &text) == 0)
		kept_errors_parse(root->arena, text, &root->errors);
}

int sysroot_open(const char *path, struct sysroot **ret, struct err *err)
{
	_cleanup_close_ int fd = -1;
	_cleanup_sysroot_ struct sysroot *root = NULL;
	int probe;

	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, -errno, "%s: cannot open", path);
	root = calloc(1, sizeof(*root));
	if (!root)
		return err_errno(err, -ENOMEM, "%s", path);
	root->fd = TAKE_FD(fd);
	root->path = strdup(path);
	if (!root->path)
		return err_errno(err, -ENOMEM, "%s", path);
	root->live = is_live(root->fd);
	probe = openat2_in_root(root->fd, ".", O_PATH | O_CLOEXEC);
	root->has_openat2 = probe >= 0;
	if (probe >= 0)
		(void)close(probe);
	if (!root->live)
		read_errors(root);
	*ret = TAKE_PTR(root);
	return 0;
}

int sysroot_open_image(const char *path, struct sysroot **ret, struct err *err)
{
	int r = sysroot_open(path, ret, err);

	if (r < 0)
		return r;
	if (!(*ret)->live) {
		(*ret)->image = true;
		return 0;
	}
	sysroot_close(*ret);
	*ret = NULL;
	return err_set(
		err, -EINVAL,
		"--root %s: is the running host, which needs no --root: legal is the folder that an image is built in",
		path);
}

void sysroot_close(struct sysroot *root)
{
	if (!root)
		return;
	if (root->fd >= 0)
		(void)close(root->fd);
	free(root->path);
	arena_free(root->arena);
	free(root);
}

void sysroot_closep(struct sysroot **root)
{
	sysroot_close(*root);
}

void sysroot_set_hooks(struct sysroot *root, const struct sysroot_hooks *hooks)
{
	root->hooks = *hooks;
	if (hooks->no_openat2)
		root->has_openat2 = false;
}

void sysroot_set_record(struct sysroot *root, struct record *record)
{
	root->record = record;
}

struct record *sysroot_record(const struct sysroot *root)
{
	return root->record;
}

bool sysroot_is_live(const struct sysroot *root)
{
	return root->live;
}

bool sysroot_is_image(const struct sysroot *root)
{
	return root->image;
}

const char *sysroot_path(const struct sysroot *root)
{
	return root->path;
}

int sysroot_mode(const struct sysroot *root, const char *path, mode_t *ret)
{
	_cleanup_close_ int fd = sysroot_open_below(root, path, O_PATH);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	record_place(root->record, path, st.st_mode);
	*ret = st.st_mode;
	return 0;
}

struct num sysroot_mtime(const struct sysroot *root, const char *path)
{
	_cleanup_close_ int fd = sysroot_open_below(root, path, O_PATH);
	struct stat st;

	if (fd < 0)
		return num_unknown(-fd);
	if (fstat(fd, &st) < 0)
		return num_unknown(errno);
	return num_known(st.st_mtim.tv_sec);
}

struct num sysroot_entry_time(const struct sysroot *root, const char *path)
{
	_cleanup_close_ int fd =
		sysroot_open_below(root, path, O_PATH | O_NOFOLLOW);
	struct stat st;

	if (fd < 0)
		return num_unknown(-fd);
	if (fstat(fd, &st) < 0)
		return num_unknown(errno);
	return num_known((int64_t)st.st_mtim.tv_sec * 1000000000 +
			 st.st_mtim.tv_nsec);
}

bool sysroot_exists(const struct sysroot *root, const char *path)
{
	mode_t mode;

	return sysroot_mode(root, path, &mode) == 0;
}

char *sysroot_link_text(const struct sysroot *root, struct arena *arena,
			const char *path)
{
	_cleanup_close_ int fd =
		sysroot_open_below(root, path, O_PATH | O_NOFOLLOW);
	char target[PATH_MAX];
	ssize_t n;

	if (fd < 0)
		return NULL;
	n = readlinkat(fd, "", target, sizeof(target) - 1);
	if (n <= 0)
		return NULL;
	target[n] = '\0';
	record_link(root->record, path);
	return arena_strdup(arena, target);
}

char *sysroot_link_name(const struct sysroot *root, struct arena *arena,
			const char *path)
{
	char *text = sysroot_link_text(root, arena, path);
	char *slash = text ? strrchr(text, '/') : NULL;

	return slash ? slash + 1 : text;
}

/* What a server has to be asked for is no device: a dead one is not waited
 * for. */
char *sysroot_block_number(const struct sysroot *root, struct arena *arena,
			   const char *path)
{
	struct statx st;

	if (!root->live ||
	    statx(root->fd, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT,
		  STATX_TYPE, &st) < 0 ||
	    !S_ISBLK(st.stx_mode))
		return NULL;
	return arena_printf(arena, "%u:%u", st.stx_rdev_major,
			    st.stx_rdev_minor);
}

char *sysroot_resolve(const struct sysroot *root, struct arena *arena,
		      const char *path, int *why)
{
	char walked[PATH_MAX];
	int r = 0;

	if (root->hooks.open)
		r = root->hooks.open(root->hooks.data, path, O_PATH);
	if (r >= 0)
		r = root->image && is_of_a_run(path) ?
			    -ENOENT :
			    walk_resolve(root->fd, path, true, walked);
	if (r < 0) {
		if (why)
			*why = -r;
		return NULL;
	}
	record_place(root->record, path, 0);
	return arena_strdup(arena, walked);
}

int sysroot_open_fd(const struct sysroot *root, const char *path, int flags)
{
	if (flags & O_CREAT)
		return -EINVAL;
	return sysroot_open_below(root, path, flags);
}

static int open_device(const struct sysroot *root, const char *path,
		       const char *number)
{
	_cleanup_close_ int fd = -1;
	struct stat st;
	dev_t expected;
	int r;

	r = kept_errors_find(&root->errors, path);
	if (r < 0)
		return r;
	if (root->hooks.device)
		return root->hooks.device(root->hooks.data, path);
	if (device_number_parse(number, &expected) < 0)
		return -EINVAL;
	/* Looked at without opening first: opening a device has effects. */
	fd = sysroot_open_below(root, path, O_PATH);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISCHR(st.st_mode) || st.st_rdev != expected)
		return -ENODEV;
	(void)close(TAKE_FD(fd));
	fd = sysroot_open_below(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISCHR(st.st_mode) || st.st_rdev != expected)
		return -ENODEV;
	return TAKE_FD(fd);
}

int sysroot_open_device(const struct sysroot *root, const char *path,
			const char *number)
{
	int fd = open_device(root, path, number);

	record_error(root->record, path, fd);
	return fd;
}

int sysroot_open_mount(const struct sysroot *root, const char *path,
		       const char *number)
{
	_cleanup_close_ int fd = -1;
	struct stat st;
	dev_t expected;

	if (root->hooks.mount)
		return root->hooks.mount(root->hooks.data, path);
	if (device_number_parse(number, &expected) < 0)
		return -EINVAL;
	if (!root->live)
		return -ENODEV;
	fd = sysroot_open_below(root, path,
				O_RDONLY | O_DIRECTORY | O_NONBLOCK);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	return st.st_dev == expected ? TAKE_FD(fd) : -ENODEV;
}

static ssize_t write_once(int fd, const char *text, size_t n)
{
	ssize_t r = write(fd, text, n);

	return r < 0 ? -errno : r;
}

bool sysroot_is_read_only(const struct sysroot *root, const char *path)
{
	_cleanup_close_ int fd = sysroot_open_below(root, path, O_PATH);
	struct statvfs about;

	return fd >= 0 && fstatvfs(fd, &about) == 0 && about.f_flag & ST_RDONLY;
}

int sysroot_write_attr(const struct sysroot *root, const char *path,
		       const char *text)
{
	size_t n = strlen(text);
	_cleanup_close_ int fd = -1;
	ssize_t r;

	/* sysfs ignores O_TRUNC; a captured tree keeps the old tail without. */
	fd = sysroot_open_below(
		root, path, root->hooks.write ? O_WRONLY : O_WRONLY | O_TRUNC);
	if (fd < 0)
		return fd;
	if (root->hooks.write)
		r = root->hooks.write(root->hooks.data, fd, path, text, n);
	else
		r = write_once(fd, text, n);
	if (r < 0)
		return (int)r;
	return (size_t)r == n ? 0 : -EIO;
}

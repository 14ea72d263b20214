/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/sysroot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <poll.h>
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
#include "sys/record.h"
#include "sys/walk.h"

struct sysroot {
	int fd;
	bool live;
	bool image;
	bool has_openat2;
	char *path;
	struct sysroot_hooks hooks;
	struct record *record;
	struct arena *arena; /* of errors; NULL: a root that keeps none */
	struct kept_errors errors;
};

/* More than any attribute; what is larger is read with sysroot_read_file(). */
#define ATTR_SIZE (64U * 1024)

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

static int open_below(const struct sysroot *root, const char *path, int flags)
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

/* O_NONBLOCK: a FIFO in a captured tree must not hang the reader. */
static int open_to_read(const struct sysroot *root, const char *path)
{
	int r;

	r = kept_errors_find(&root->errors, path);
	if (r < 0)
		return r;
	if (root->hooks.read) {
		r = root->hooks.read(root->hooks.data, path);
		if (r < 0)
			return r;
	}
	return open_below(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

#define PATIENCE_MS 10000

/* A pipe whose writer is not ready; one without a writer is at its end. */
static bool wait_for_writer(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };

	return poll(&poller, 1, PATIENCE_MS) > 0;
}

/* Until the end of the file or n bytes; the number of bytes. */
static ssize_t read_full(int fd, char *buf, size_t n)
{
	size_t len = 0;

	while (len < n) {
		ssize_t r = read(fd, buf + len, n - len);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0 && errno == EAGAIN && wait_for_writer(fd))
			continue;
		if (r < 0)
			return -errno;
		if (r == 0)
			break;
		len += (size_t)r;
	}
	return (ssize_t)len;
}

ssize_t sysroot_read_bytes(const struct sysroot *root, const char *path,
			   void *buf, size_t n)
{
	_cleanup_close_ int fd = open_to_read(root, path);
	ssize_t r = fd < 0 ? fd : read_full(fd, buf, n);

	if (r < 0)
		record_error(root->record, path, (int)r);
	else
		record_file(root->record, path, buf, (size_t)r);
	return r;
}

ssize_t sysroot_read(const struct sysroot *root, const char *path, char *buf,
		     size_t cap)
{
	ssize_t n = sysroot_read_bytes(root, path, buf, cap);

	if (n < 0)
		return n;
	if ((size_t)n == cap)
		return -EFBIG;
	if (memchr(buf, '\0', (size_t)n))
		return -EBADMSG;
	buf[n] = '\0';
	return n;
}

static int read_whole(const struct sysroot *root, const char *path, size_t max,
		      char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = open_to_read(root, path);
	_cleanup_free_ char *buf = NULL;
	size_t len = 0, cap = 0;
	ssize_t n;

	if (fd < 0)
		return fd;
	do {
		char *bigger = realloc(buf, cap ? cap * 2 : 4096);

		if (!bigger)
			return -ENOMEM;
		buf = bigger;
		cap = cap ? cap * 2 : 4096;
		n = read_full(fd, buf + len, cap - len);
		if (n < 0)
			return (int)n;
		len += (size_t)n;
	} while (len == cap && len <= max);
	if (len > max)
		return -EFBIG;
	if (memchr(buf, '\0', len))
		return -EBADMSG;
	*ret = TAKE_PTR(buf);
	*ret_len = len;
	return 0;
}

int sysroot_read_file(const struct sysroot *root, struct arena *arena,
		      const char *path, size_t max, char **ret)
{
	_cleanup_free_ char *buf = NULL;
	size_t len = 0;
	int r = read_whole(root, path, max, &buf, &len);

	if (r < 0) {
		record_error(root->record, path, r);
		return r;
	}
	record_file(root->record, path, buf, len);
	*ret = arena_strndup(arena, buf, len);
	return 0;
}

char *sysroot_text(const struct sysroot *root, struct arena *arena,
		   const char *path, int *why)
{
	char buf[ATTR_SIZE];
	ssize_t n = sysroot_read(root, path, buf, sizeof(buf));

	if (n < 0) {
		if (why)
			*why = (int)-n;
		return NULL;
	}
	return arena_strdup(arena, text_trim(buf));
}

struct num sysroot_num(const struct sysroot *root, const char *path)
{
	char buf[64];
	ssize_t n = sysroot_read(root, path, buf, sizeof(buf));
	const char *text;
	uint64_t hex;
	int64_t value;

	if (n < 0)
		return num_unknown(n == -EFBIG ? EBADMSG : (int)-n);
	text = text_trim(buf);
	if (parse_i64(text, &value) == 0)
		return num_known(value);
	if (text_has_prefix(text, "0x") && parse_hex_u64(text, &hex) == 0 &&
	    hex <= INT64_MAX)
		return num_known((int64_t)hex);
	return num_unknown(EBADMSG);
}

static int natural_order(const void *a, const void *b)
{
	/* The order of versions is the natural one: nvme2 before nvme10. */
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int read_names(const struct sysroot *root, struct arena *arena,
		      const char *path, struct names *ret)
{
	_cleanup_close_ int fd = -1;
	_cleanup_closedir_ DIR *dir = NULL;
	struct names names = { { 0 } };
	const struct dirent *entry;
	int r = kept_errors_find(&root->errors, path);

	if (r < 0)
		return r;
	if (root->hooks.list) {
		r = root->hooks.list(root->hooks.data, path);
		if (r < 0)
			return r;
	}
	fd = open_below(root, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir)
		return -errno;
	fd = -1; /* dir's now */
	while (errno = 0, (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			*vec_add(arena, &names.names) =
				arena_strdup(arena, entry->d_name);
	}
	if (errno)
		return -errno;
	if (names.names.n)
		qsort(names.names.items, names.names.n, sizeof(char *),
		      natural_order);
	*ret = names;
	return 0;
}

int sysroot_list(const struct sysroot *root, struct arena *arena,
		 const char *path, struct names *ret)
{
	int r = read_names(root, arena, path, ret);

	if (r < 0)
		record_error(root->record, path, r);
	else
		record_list(root->record, path,
			    (const char *const *)ret->names.items,
			    ret->names.n);
	return r;
}

int sysroot_mode(const struct sysroot *root, const char *path, mode_t *ret)
{
	_cleanup_close_ int fd = open_below(root, path, O_PATH);
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
	_cleanup_close_ int fd = open_below(root, path, O_PATH);
	struct stat st;

	if (fd < 0)
		return num_unknown(-fd);
	if (fstat(fd, &st) < 0)
		return num_unknown(errno);
	return num_known(st.st_mtim.tv_sec);
}

struct num sysroot_entry_time(const struct sysroot *root, const char *path)
{
	_cleanup_close_ int fd = open_below(root, path, O_PATH | O_NOFOLLOW);
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
	_cleanup_close_ int fd = open_below(root, path, O_PATH | O_NOFOLLOW);
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
	return open_below(root, path, flags);
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
	fd = open_below(root, path, O_PATH);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISCHR(st.st_mode) || st.st_rdev != expected)
		return -ENODEV;
	(void)close(TAKE_FD(fd));
	fd = open_below(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
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
	fd = open_below(root, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
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
	_cleanup_close_ int fd = open_below(root, path, O_PATH);
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
	fd = open_below(root, path,
			root->hooks.write ? O_WRONLY : O_WRONLY | O_TRUNC);
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

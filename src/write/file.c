/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "sys/sysroot.h"
#include "write/folder.h"

static int staged_name(const char *name, char ret[NAME_MAX + 1])
{
	int n = snprintf(ret, NAME_MAX + 1, "%s" FILE_NEW_SUFFIX, name);

	return n < 0 || n > NAME_MAX ? -ENAMETOOLONG : 0;
}

static int write_full(int fd, const char *text, size_t n)
{
	while (n > 0) {
		ssize_t r = write(fd, text, n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		text += r;
		n -= (size_t)r;
	}
	return 0;
}

static int read_full(int fd, char *buf, size_t n)
{
	size_t len = 0;

	while (len < n) {
		ssize_t r = read(fd, buf + len, n - len);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		if (r == 0)
			break;
		len += (size_t)r;
	}
	return len == n ? 0 : -EIO;
}

int file_read_bytes(const struct sysroot *root, struct arena *arena,
		    const char *path, size_t limit, char **ret_bytes,
		    size_t *ret_size, unsigned int *ret_mode, struct err *err)
{
	_cleanup_close_ int fd = sysroot_open_fd(
		root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	char *bytes;
	int r;

	if (fd == -ENOENT) {
		*ret_bytes = NULL;
		return 0;
	}
	if (fd == -ELOOP)
		return err_set(err, -EEXIST, "%s: is not a plain file", path);
	if (fd < 0)
		return err_errno(err, fd, "%s: cannot read", path);
	if (fstat(fd, &st) < 0)
		return err_errno(err, -errno, "%s: cannot read", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EEXIST, "%s: is not a plain file", path);
	if ((uint64_t)st.st_size > limit)
		return err_errno(err, -EFBIG, "%s: cannot read", path);
	bytes = arena_alloc(arena, (size_t)st.st_size + 1);
	r = read_full(fd, bytes, (size_t)st.st_size);
	if (r < 0)
		return err_errno(err, r, "%s: cannot read", path);
	*ret_bytes = bytes;
	*ret_size = (size_t)st.st_size;
	*ret_mode = st.st_mode & 07777;
	return 0;
}

int file_read(const struct sysroot *root, struct arena *arena, const char *path,
	      char **ret_text, unsigned int *ret_mode, struct err *err)
{
	char *text = NULL;
	size_t size = 0;
	int r = file_read_bytes(root, arena, path, FILE_SIZE_LIMIT, &text,
				&size, ret_mode, err);

	if (r < 0)
		return r;
	if (text && strlen(text) != size)
		return err_set(err, -EBADMSG, "%s: holds a NUL byte", path);
	*ret_text = text;
	return 0;
}

/* The nearest folder above path that exists. */
static int open_above(const struct sysroot *root, const char *path)
{
	char above[PATH_MAX];
	const char *name;
	int fd;

	if (strlen(path) >= sizeof(above))
		return -ENAMETOOLONG;
	memcpy(above, path, strlen(path) + 1);
	while ((fd = folder_open_parent(root, above, &name)) == -ENOENT &&
	       name > above)
		above[name - above - 1] = '\0';
	return fd;
}

int file_check_writable(const struct sysroot *root, const char *path,
			struct err *err)
{
	_cleanup_close_ int fd = open_above(root, path);

	if (fd < 0)
		return err_errno(err, fd, "%s: cannot write", path);
	if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return err_errno(err, -errno, "%s: cannot write", path);
	return 0;
}

/* How a file comes to be where none is. */
struct content {
	const char *text;
	unsigned int mode;
	/* FAT has its own modes, and some network file systems, too. */
	bool any_mode;
};

static int create(int folder, const char *name, const struct content *content)
{
	_cleanup_close_ int fd = openat(
		folder, name,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int r;

	if (fd < 0)
		return -errno;
	r = write_full(fd, content->text, strlen(content->text));
	if (r == 0 && fchmod(fd, content->mode) < 0 && !content->any_mode)
		r = -errno;
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	/* close() is where some network file systems report a full disk. */
	if (close(TAKE_FD(fd)) < 0 && r == 0)
		r = -errno;
	if (r < 0)
		(void)unlinkat(folder, name, 0);
	return r;
}

static int stage(const struct sysroot *root, const char *path,
		 const struct content *content, struct err *err)
{
	const char *name;
	char new_name[NAME_MAX + 1];
	_cleanup_close_ int fd = folder_open_parent(root, path, &name);
	int r = fd;

	if (r >= 0)
		r = staged_name(name, new_name);
	if (r < 0)
		return err_errno(err, r, "%s: cannot write", path);
	/* What a crash left under this name is in the way of O_EXCL. */
	if (unlinkat(fd, new_name, 0) < 0 && errno != ENOENT)
		r = -errno;
	else
		r = create(fd, new_name, content);
	return r < 0 ? err_errno(err, r, "%s: cannot write", path) : 0;
}

int file_stage(const struct sysroot *root, const char *path, const char *text,
	       unsigned int mode, struct err *err)
{
	const struct content content = { .text = text, .mode = mode };

	return stage(root, path, &content, err);
}

int file_check_new(const struct sysroot *root, const char *path,
		   struct err *err)
{
	const struct content none = { .text = "", .any_mode = true };
	const char *name;
	_cleanup_close_ int fd = folder_open_parent(root, path, &name);
	int r = file_check_writable(root, path, err);

	if (r < 0 || fd < 0)
		return r;
	r = stage(root, path, &none, err);
	if (r == 0)
		(void)file_discard(root, path);
	return r;
}

int file_publish(const struct sysroot *root, const char *path, struct err *err)
{
	const char *name;
	char new_name[NAME_MAX + 1];
	_cleanup_close_ int fd = folder_open_parent(root, path, &name);
	int r = fd;

	if (r >= 0)
		r = staged_name(name, new_name);
	if (r >= 0 && renameat(fd, new_name, fd, name) < 0)
		r = -errno;
	if (r >= 0)
		r = folder_sync(fd);
	if (r < 0)
		return err_errno(err, r, "%s: cannot write", path);
	return 0;
}

int file_discard(const struct sysroot *root, const char *path)
{
	const char *name;
	char new_name[NAME_MAX + 1];
	_cleanup_close_ int fd = folder_open_parent(root, path, &name);
	int r = fd < 0 ? fd : staged_name(name, new_name);

	if (r == 0 && unlinkat(fd, new_name, 0) < 0)
		r = -errno;
	else if (r == 0)
		r = folder_sync(fd);
	return r == -ENOENT ? 0 : r;
}

int file_put(const struct sysroot *root, const char *path, const char *text,
	     unsigned int mode, struct err *err)
{
	int r = file_stage(root, path, text, mode, err);

	if (r < 0)
		return r;
	r = file_publish(root, path, err);
	if (r < 0)
		(void)file_discard(root, path);
	return r;
}

/*
 * What NFS, 9p and FUSE say of a rename that must not replace, and FAT of a
 * link.
 */
static bool is_unsupported(int r)
{
	return r == -EINVAL || r == -ENOSYS || r == -EPERM ||
	       r == -EOPNOTSUPP || r == -EMLINK;
}

static int publish_new(int folder, const char *new_name, const char *name,
		       const struct content *content)
{
	int r = 0;

	if (renameat2(folder, new_name, folder, name, RENAME_NOREPLACE) < 0)
		r = -errno;
	if (is_unsupported(r))
		r = linkat(folder, new_name, folder, name, 0) < 0 ? -errno : 0;
	return is_unsupported(r) ? create(folder, name, content) : r;
}

int file_put_new(const struct sysroot *root, const char *path, const char *text,
		 unsigned int mode, struct err *err)
{
	const struct content content = { text, mode, .any_mode = true };
	const char *name;
	char new_name[NAME_MAX + 1];
	_cleanup_close_ int fd = -1;
	int r = stage(root, path, &content, err);

	if (r < 0)
		return r;
	fd = folder_open_parent(root, path, &name);
	r = fd < 0 ? fd : staged_name(name, new_name);
	if (r == 0)
		r = publish_new(fd, new_name, name, &content);
	if (r < 0)
		(void)err_errno(err, r, "%s: cannot write", path);
	(void)file_discard(root, path);
	return r;
}

int file_remove(const struct sysroot *root, const char *path, struct err *err)
{
	const char *name;
	_cleanup_close_ int fd = folder_open_parent(root, path, &name);
	int r = fd;

	if (r == -ENOENT)
		return 0;
	if (r >= 0 && unlinkat(fd, name, 0) < 0) {
		if (errno == ENOENT)
			return 0;
		r = -errno;
	}
	if (r >= 0)
		r = folder_sync(fd);
	if (r < 0)
		return err_errno(err, r, "%s: cannot remove", path);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"

#define PAGE_BYTES 4096U
#define NAME ".nvmetune-bench"

static unsigned long long mib(uint64_t bytes)
{
	return bytes / LAYOUT_UNIT;
}

static int check_limit(uint64_t size_bytes, struct err *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) < 0 ||
	    limit.rlim_cur == RLIM_INFINITY || size_bytes <= limit.rlim_cur)
		return 0;
	return err_set(
		err, -EFBIG,
		"a file of %llu MiB is larger than this process may write (ulimit -f)",
		mib(size_bytes));
}

static int check_space(int dir_fd, uint64_t size_bytes, struct err *err)
{
	struct statvfs fs;
	uint64_t most;

	if (fstatvfs(dir_fd, &fs) < 0)
		return err_errno(err, -errno, "cannot see what is free");
	most = (uint64_t)fs.f_bavail * fs.f_frsize / 2;
	if (size_bytes <= most)
		return 0;
	return err_set(
		err, -ENOSPC,
		"a file of %llu MiB would take more than half of the %llu MiB that are free: ask for at most %llu MiB",
		mib(size_bytes), mib(most * 2), mib(most));
}

#define NEW (O_RDWR | O_CLOEXEC | O_EXCL)

/*
 * A file that is new and loses its name at once.  O_DIRECT only then: where a
 * file system has none, the kernel refuses it with the file already there.
 */
static int open_named(int dir_fd)
{
	int fd = openat(dir_fd, NAME, NEW | O_CREAT | O_NOFOLLOW, 0600);
	int r = 0;

	if (fd < 0)
		return -errno;
	if (unlinkat(dir_fd, NAME, 0) < 0 || fcntl(fd, F_SETFL, O_DIRECT) < 0)
		r = -errno;
	if (r == 0)
		return fd;
	(void)close(fd);
	return r;
}

/* Not every file system has files without a name. */
static int open_new(int dir_fd)
{
	int fd = openat(dir_fd, ".", NEW | O_DIRECT | O_TMPFILE, 0600);

	if (fd >= 0)
		return fd;
	return errno == EOPNOTSUPP || errno == EISDIR ? open_named(dir_fd) :
							-errno;
}

static int fill_random(char *bytes, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = getrandom(bytes + done, n - done, 0);

		if (got < 0 && errno != EINTR)
			return -errno;
		done += got < 0 ? 0 : (size_t)got;
	}
	return 0;
}

static int write_unit(int fd, const char *bytes, uint64_t offset)
{
	size_t done = 0;

	while (done < LAYOUT_UNIT) {
		ssize_t n = pwrite(fd, bytes + done, LAYOUT_UNIT - done,
				   (off_t)(offset + done));

		if (n == 0)
			return -ENOSPC;
		if (n < 0 && errno != EINTR)
			return -errno;
		done += n < 0 ? 0 : (size_t)n;
	}
	return 0;
}

static int fill(int fd, uint64_t size_bytes, const volatile sig_atomic_t *stop,
		struct err *err)
{
	_cleanup_free_ char *bytes = aligned_alloc(PAGE_BYTES, LAYOUT_UNIT);
	int r = bytes ? 0 : -ENOMEM;

	for (uint64_t at = 0; at < size_bytes && r == 0; at += LAYOUT_UNIT) {
		if (stop && *stop)
			return err_set(err, -EINTR, "interrupted");
		r = fill_random(bytes, LAYOUT_UNIT);
		if (r == 0)
			r = write_unit(fd, bytes, at);
	}
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (r < 0)
		return err_errno(err, r, "cannot write the file");
	return 0;
}

static int lay_out(const char *dir, uint64_t size_bytes,
		   const volatile sig_atomic_t *stop, int *ret_fd,
		   struct err *err)
{
	_cleanup_close_ int dir_fd =
		open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_close_ int fd = -1;
	int r;

	if (dir_fd < 0)
		return err_errno(err, -errno, "cannot open the folder");
	r = check_limit(size_bytes, err);
	if (r == 0)
		r = check_space(dir_fd, size_bytes, err);
	if (r < 0)
		return r;
	fd = open_new(dir_fd);
	if (fd == -EINVAL)
		return err_set(
			err, -EOPNOTSUPP,
			"its file system has no direct I/O, and would measure memory");
	if (fd < 0)
		return err_errno(err, fd, "cannot make a file");
	r = fill(fd, size_bytes, stop, err);
	if (r == 0)
		*ret_fd = TAKE_FD(fd);
	return r;
}

int layout_open(const char *dir, uint64_t size_bytes,
		const volatile sig_atomic_t *stop, struct layout *ret,
		struct err *err)
{
	int r;

	size_bytes -= size_bytes % LAYOUT_UNIT;
	ret->fd = -1;
	if (size_bytes == 0)
		return err_set(err, -EINVAL,
			       "%s: a file of less than 1 MiB tells nothing",
			       dir);
	r = lay_out(dir, size_bytes, stop, &ret->fd, err);
	if (r < 0)
		return err_context(err, "%s", dir);
	ret->size_bytes = size_bytes;
	return 0;
}

void layout_close(struct layout *layout)
{
	if (layout->fd >= 0)
		(void)close(layout->fd);
	layout->fd = -1;
}

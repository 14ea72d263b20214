/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/device.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/parse.h"

int device_number_parse(const char *text, dev_t *ret)
{
	uint64_t major, minor;

	if (parse_u64_prefix(&text, &major) < 0 || *text++ != ':' ||
	    parse_u64(text, &minor) < 0 || major > UINT_MAX || minor > UINT_MAX)
		return -EINVAL;
	*ret = makedev((unsigned int)major, (unsigned int)minor);
	return 0;
}

/* Looked at before the open (opening may have effects: tapes, FIFOs) and
 * after it (the node may have been replaced in between). */
static int check_node(const char *path, const struct stat *st, dev_t expected,
		      struct err *err)
{
	if (!S_ISBLK(st->st_mode))
		return err_set(err, -ENOTBLK, "%s: not a block device", path);
	if (st->st_rdev != expected)
		return err_set(err, -ENODEV,
			       "%s: is device %u:%u now, not %u:%u", path,
			       major(st->st_rdev), minor(st->st_rdev),
			       major(expected), minor(expected));
	return 0;
}

static int open_checked(const char *path, dev_t expected, int flags,
			int *ret_fd, struct err *err)
{
	_cleanup_close_ int fd = -1;
	struct stat st;
	int r;

	if (stat(path, &st) < 0)
		return err_errno(err, -errno, "%s: cannot look at it", path);
	r = check_node(path, &st, expected, err);
	if (r < 0)
		return r;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
	if (fd < 0)
		return err_errno(err, -errno, "%s: cannot open for reading",
				 path);
	if (fstat(fd, &st) < 0)
		return err_errno(err, -errno, "%s: cannot look at it", path);
	r = check_node(path, &st, expected, err);
	if (r < 0)
		return r;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int device_open_read(const char *path, dev_t expected, int *ret_fd,
		     struct err *err)
{
	_cleanup_close_ int fd = -1;
	int flags;
	int r = open_checked(path, expected, O_DIRECT, &fd, err);

	if (r < 0)
		return r;
	/* Reads that wait are what is measured: take O_NONBLOCK off again. */
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		return err_errno(err, -errno, "%s: cannot set flags", path);
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || (flags & O_ACCMODE) != O_RDONLY)
		return err_set(err, -EPERM, "%s: did not open read-only", path);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int device_geometry_read(int fd, struct device_geometry *ret, struct err *err)
{
	uint64_t size_bytes;
	int block_bytes;

	if (ioctl(fd, BLKGETSIZE64, &size_bytes) < 0)
		return err_errno(err, -errno, "cannot read the size");
	if (ioctl(fd, BLKSSZGET, &block_bytes) < 0)
		return err_errno(err, -errno, "cannot read the block size");
	if (block_bytes <= 0)
		return err_set(err, -EINVAL, "block size reads %d",
			       block_bytes);
	ret->size_bytes = size_bytes;
	ret->block_bytes = (uint32_t)block_bytes;
	return 0;
}

int device_check_file(int fd, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(err, -errno, "cannot look at the file");
	if (!S_ISREG(st.st_mode))
		return err_set(
			err, -EPERM,
			"a drive is never written to: writes go into a file of a folder that you name");
	return 0;
}

int device_is_held(const char *path, dev_t expected, struct err *err)
{
	_cleanup_close_ int fd = -1;
	int r = open_checked(path, expected, O_EXCL, &fd, err);

	if (r == -EBUSY)
		return 1;
	return r;
}

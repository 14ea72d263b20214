/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * How an XFS is laid out, which no file tells: an ioctl on its mount point.
 *
 * The kernel's own headers do not have it, xfsprogs' do.  Where these were
 * not there when nvmetune was built, the geometry is unknown: a copy of the
 * struct here would be wrong one day, and say nothing about it.
 */

#include "probe/xfs.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "probe/scan.h"

#ifdef __has_include
#if __has_include(<xfs/xfs.h>)
#include <xfs/xfs.h>
#endif
#endif

#ifdef XFS_IOC_FSGEOMETRY
static int read_geometry(int fd, struct xfs_geometry *ret)
{
	struct xfs_fsop_geom geometry = { 0 };

	if (ioctl(fd, XFS_IOC_FSGEOMETRY, &geometry) < 0)
		return errno;
	ret->agcount = num_known(geometry.agcount);
	ret->ag_bytes =
		num_known((int64_t)geometry.agblocks * geometry.blocksize);
	ret->log_bytes =
		num_known((int64_t)geometry.logblocks * geometry.blocksize);
	return 0;
}
#else
static int read_geometry(int fd, struct xfs_geometry *ret)
{
	(void)fd;
	(void)ret;
	return EOPNOTSUPP;
}
#endif

void xfs_scan(struct scan *scan, const char *dev, struct mount *mount)
{
	_cleanup_close_ int fd = -1;
	int why;

	if (!text_equal(mount->type, "xfs"))
		return;
	fd = sysroot_open_mount(scan->root, mount->where, dev);
	why = fd < 0 ? -fd : read_geometry(fd, &mount->xfs);
	if (why)
		mount->xfs.agcount = num_unknown(why);
}

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
#include <inttypes.h>
#include <string.h>
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

static const char *kept_name(struct scan *scan, const char *dev)
{
	return arena_printf(scan->arena, "xfs/%s", dev);
}

static void keep(struct scan *scan, const char *dev,
		 const struct xfs_geometry *geometry)
{
	const char *text = arena_printf(scan->arena,
					"%" PRId64 " %" PRId64 " %" PRId64 "\n",
					geometry->agcount.value,
					geometry->ag_bytes.value,
					geometry->log_bytes.value);

	sysroot_keep(scan->root, kept_name(scan, dev), text, strlen(text),
		     -geometry->agcount.why);
}

/* What the live host said, in a root that was recorded there. */
static int read_kept(struct scan *scan, const char *dev,
		     struct xfs_geometry *ret)
{
	struct num *const to[] = { &ret->agcount, &ret->ag_bytes,
				   &ret->log_bytes };
	char text[80] = "";
	const char *at = text;
	ssize_t n = sysroot_kept(scan->root, kept_name(scan, dev), text,
				 sizeof(text) - 1);

	if (n < 0)
		return (int)-n;
	for (size_t i = 0; i < 3; i++) {
		uint64_t value;

		at += strspn(at, " ");
		if (parse_u64_prefix(&at, &value) < 0 || value > INT64_MAX)
			return EBADMSG;
		*to[i] = num_known((int64_t)value);
	}
	return 0;
}

void xfs_scan(struct scan *scan, const char *dev, struct mount *mount)
{
	_cleanup_close_ int fd = -1;
	int why;

	if (!text_equal(mount->type, "xfs"))
		return;
	fd = sysroot_open_mount(scan->root, mount->where, dev);
	why = fd < 0 ? -fd : read_geometry(fd, &mount->xfs);
	if (fd < 0 && !sysroot_is_live(scan->root)) {
		int kept = read_kept(scan, dev, &mount->xfs);

		why = kept == ENOENT ? why : kept;
	}
	if (why)
		mount->xfs = (struct xfs_geometry){
			.agcount = num_unknown(why),
		};
	keep(scan, dev, &mount->xfs);
}

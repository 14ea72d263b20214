/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <errno.h>
#include <sys/stat.h>

#include "base/err.h"
#include "bench/session.h"
#include "sys/device.h"

/*
 * A block device as the load engine reads it, 4 KiB at a time, for programs
 * whose devices are no NVMe drives.  ret->fd is the caller's, ret->name is
 * path.
 */
static inline int drive_open(const char *path, struct bench_drive *ret,
			     struct err *err)
{
	struct device_geometry geometry;
	struct stat st;
	int r;

	if (stat(path, &st) < 0)
		return err_errno(err, -errno, "%s", path);
	r = device_open_read(path, st.st_rdev, &ret->fd, err);
	if (r == 0)
		r = device_geometry_read(ret->fd, &geometry, err);
	if (r < 0)
		return r;
	ret->name = path;
	ret->size_bytes = geometry.size_bytes;
	ret->block_bytes = 4096;
	return 0;
}

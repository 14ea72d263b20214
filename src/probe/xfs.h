/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

struct mount;
struct scan;

/* The geometry of a mounted XFS, whose device number is dev ("259:1"). */
void xfs_scan(struct scan *scan, const char *dev, struct mount *mount);

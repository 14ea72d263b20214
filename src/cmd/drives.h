/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/err.h"
#include "core/facts.h"
#include "sys/sysroot.h"

/*
 * Drives as a user names them:
 *
 *	nvme0  nvme0n1  nvme0c1n1	a controller, a disk, a path
 *	nvme0n1p2  md0			a partition, what is built on drives
 *	/dev/...			one of these, or a link to it
 *	/var/lib/postgresql		a mount point
 *	0000:41:00.0  41:00.0		a PCI address
 */
struct drives {
	/* Names of controllers and disks in the facts, no name twice. */
	VEC(const char *) names;
};

/*
 * -ENOENT with a sentence that lists what there is.  root is for links below
 * /dev; NULL where the facts come from a file.
 */
int drives_resolve(const struct facts *facts, const struct sysroot *root,
		   struct arena *arena, int n, char *const *wanted,
		   struct drives *ret, struct err *err);

/* Is the controller or disk among them, by itself or by its controller?
 * Everything is among none. */
bool drives_have_ctrl(const struct drives *drives, const struct facts *facts,
		      const struct ctrl *ctrl);
bool drives_have_ns(const struct drives *drives, const struct facts *facts,
		    const struct ns *ns);

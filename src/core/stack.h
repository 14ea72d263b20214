/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/err.h"
#include "core/facts.h"

/*
 * What a person names when a drive is meant, down to the drives:
 *
 *	nvme0  nvme0n1  nvme0c1n1	a controller, a disk, a path
 *	nvme0n1p2  md0  dm-3		a partition, what is built on drives
 *	/dev/...  /dev/mapper/vg-data	one of these, or a link to it
 *	/var/lib/postgresql		a mount point, or a folder below one
 *	0000:41:00.0  41:00.0		a PCI address
 *
 * Links are not followed here: facts.aliases says what they lead to.
 */

/* What is at the bottom. */
struct stack_leaf {
	const char *name;	 /* nvme0n1p2, nvme0n1, nvme0 */
	const struct ns *ns;	 /* the disk; NULL for a controller */
	const struct ctrl *ctrl; /* NULL for a disk */
};

struct stack {
	VEC(struct stack_leaf) leaves;
	VEC(const char *) foreign; /* at the bottom, too, but no NVMe: sda1 */
	/* "vg-data (LVM) on md0 (raid1) on nvme0n1p2, nvme1n1p2": not escaped. */
	const char *text;
	bool direct; /* the drive was named itself: text tells nothing new */
};

/*
 * 0, or -ENOENT with a sentence: there is no such thing, and what there is;
 * or it lies on no NVMe drive.
 */
int stack_resolve(struct arena *arena, const struct facts *facts,
		  const char *wanted, struct stack *ret, struct err *err);

/*
 * Where the drives at the bottom are: a head of native multipath is where all
 * its paths are.  False: of one it is not known, then *ret_unknown names that
 * one and *ret holds the others'.
 */
bool stack_nodes(struct arena *arena, const struct facts *facts,
		 const struct stack *stack, struct cpuset *ret,
		 const char **ret_unknown);

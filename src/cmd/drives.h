/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/err.h"
#include "core/facts.h"
#include "sys/sysroot.h"

/* Drives as a user names them, see core/stack.h. */
struct drives {
	/* Names of controllers and disks in the facts, no name twice. */
	VEC(const char *) names;
	/* "/data: vg-data (LVM) on nvme0n1p2", where drives were not named
	 * themselves. */
	VEC(const char *) layers;
};

/*
 * -ENOENT with a sentence that lists what there is.  root is for links; NULL
 * where the facts come from a file.  What they lead to is added to the facts.
 */
int drives_resolve(struct facts *facts, const struct sysroot *root,
		   struct arena *arena, int n, char *const *wanted,
		   struct drives *ret, struct err *err);

/* Say on stderr what the names stand for. */
void drives_tell(const struct drives *drives);

/* Is the controller or disk among them, by itself or by its controller?
 * Everything is among none. */
bool drives_have_ctrl(const struct drives *drives, const struct facts *facts,
		      const struct ctrl *ctrl);
bool drives_have_ns(const struct drives *drives, const struct facts *facts,
		    const struct ns *ns);

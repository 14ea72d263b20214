/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <sys/types.h>

/*
 * A process group that does not outlive us, however we end.
 *
 * SIGKILL leaves no time to end what a command has started, and the kernel
 * ends only its first process with us.  So a guard, one more child, holds the
 * far end of a pipe: when that closes, it kills the group, of which it is one
 * itself, so that the group's number is nobody else's as long as it watches.
 */

struct err;

struct leash {
	int hold;    /* closed: the end of the group */
	pid_t child; /* leads the group */
	pid_t guard;
};

/*
 * fork(): returns 0 in the child, which leads a group that is watched over,
 * dies with us and has all signals blocked; the child's number in the parent,
 * and a negative errno there when it could not be.
 */
pid_t leash_fork(struct leash *ret, struct err *err);

/* Behind the end of the group: the guard's. */
void leash_end(struct leash *leash);

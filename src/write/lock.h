/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * One nvmetune at a time writes to a host.  The lock is the kernel's: it goes
 * with the process, however that ends, and a file left behind means nothing.
 *
 * /run/nvmetune.lock on the live root, var/lib/nvmetune/lock below another,
 * so that an unpacked tree gets no folder that was not in it; of an image the
 * root itself, which gets no file at all.
 */

struct arena;
struct err;
struct sysroot;

/*
 * *ret_fd holds the lock until it is closed.  -EBUSY: another process has
 * held it for wait_seconds; err names its pid, but for an
 * image's.
 */
int lock_take(const struct sysroot *root, struct arena *arena,
	      unsigned int wait_seconds, int *ret_fd, struct err *err);

/* Does somebody hold it right now?  Asked without taking it. */
bool lock_is_taken(const struct sysroot *root);

/*
 * The device helper's own: one a controller ("nvme0"), which it waits for two
 * seconds at most (-EBUSY).  It takes this one first and then looks at the one
 * above; lock_take() waits for all helpers that were there before: so a helper
 * and an apply never write at the same time.
 */
int lock_take_device(const struct sysroot *root, struct arena *arena,
		     const char *ctrl, int *ret_fd, struct err *err);

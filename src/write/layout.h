/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <signal.h>
#include <stdint.h>

/*
 * A file for a measurement that writes, in a folder that the user named.
 *
 * It is new, so nothing is ever written over, and it has no name, so that
 * the file system takes it back when its descriptor closes: at the end, after
 * a signal, when the process is killed.
 */

struct err;

#define LAYOUT_UNIT (UINT64_C(1) << 20)

struct layout {
	int fd; /* read and write, direct */
	uint64_t size_bytes;
};

/*
 * size_bytes, in whole units, written full of random bytes: a hole or what
 * compresses would not be what is measured.  The file may take half of what
 * is free at most.  -ENOTDIR, -EROFS, -ENOSPC, -EFBIG (ulimit -f), -EOPNOTSUPP
 * (no direct I/O there) and others come with a sentence and leave nothing
 * behind; -EINTR: *stop was set (NULL: it never is).
 */
int layout_open(const char *dir, uint64_t size_bytes,
		const volatile sig_atomic_t *stop, struct layout *ret,
		struct err *err);

/* The file is gone then; one that was never opened has fd -1. */
void layout_close(struct layout *layout);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "sys/sysroot.h"

/* Who mounts what: proc(5), mountinfo. */

struct mount_line {
	const char *dev;  /* "259:1" */
	const char *root; /* what of the file system is mounted */
	const char *where;
	const char *type;
	const char *source;
	/* Kernel names of all devices that a btrfs spans, where its source is
	 * one of them; otherwise NULL. */
	const struct names *spans;
};

struct mount_table {
	VEC(struct mount_line) lines;
};

/* "/proc/self/mountinfo" without the first slash, or another process's;
 * added to *ret. */
int mounts_read(const struct sysroot *root, struct arena *arena,
		const char *path, struct mount_table *ret);

/*
 * Is it a device of this name, alias below /dev/mapper (or NULL) and number?
 * File systems that can span devices show a number of their own, with major 0:
 * there their source, or what they span, tells.
 */
bool mount_is_of(const struct mount_line *line, const char *name,
		 const char *alias, const char *dev);

/* Behind the last slash. */
const char *mount_base_name(const char *path);

/* \040 and the like, in place. */
char *mount_unescape(char *text);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "sys/record.h"
#include "sys/sysroot.h"

/* Between the files that make up a root; see sys/sysroot.h for the outside. */

struct sysroot {
	int fd;
	bool live;
	bool image;
	bool has_openat2;
	char *path;
	struct sysroot_hooks hooks;
	struct record *record;
	struct arena *arena; /* of errors; NULL: a root that keeps none */
	struct kept_errors errors;
};

/* A descriptor of what path leads to beneath the root, or a negative errno;
 * O_CLOEXEC is added. */
int sysroot_open_below(const struct sysroot *root, const char *path, int flags);

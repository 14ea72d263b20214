/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <sys/types.h>

#include "base/arena.h"
#include "base/vec.h"

/*
 * Folders below a root, made and removed durably: when a function here
 * returns 0, the change survives a loss of power.  Paths may start with a
 * slash; they are resolved beneath the root.
 */

struct err;
struct sysroot;

struct folder_list {
	VEC(const char *) paths;
};

/* A descriptor for *at() calls and fsync; negative errno. */
int folder_open(const struct sysroot *root, const char *path);

/*
 * The folder that holds path, with path's last component in *ret_name, which
 * points into path.
 */
int folder_open_parent(const struct sysroot *root, const char *path,
		       const char **ret_name);

/* Make what open entries of a folder were changed durable. */
int folder_sync(int fd);

/* The parent must exist; a folder that is there already is fine. */
int folder_make(const struct sysroot *root, const char *path, mode_t mode,
		struct err *err);

/* Whether it was there or not; -ENOTEMPTY when something is in it. */
int folder_remove(const struct sysroot *root, const char *path);

/* Add the folders above path that do not exist, the outermost first; one that
 * is in the list already is not added again. */
void folder_list_missing(const struct sysroot *root, struct arena *arena,
			 const char *path, struct folder_list *list);

/* path and all that is missing above it. */
int folder_make_all(const struct sysroot *root, struct arena *arena,
		    const char *path, mode_t mode, struct err *err);

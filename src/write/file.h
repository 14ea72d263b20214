/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "base/arena.h"

/*
 * Whole files below a root, replaced in two halves: staging writes the new
 * text beside the file, where everything that can fail fails; publishing is
 * one rename.  At no moment is there half a file, and after 0 it is durable.
 *
 * Between the two, and after a crash, PATH.nvmetune-new lies there; no reader
 * of udev rules, modprobe.d, sysctl.d or units takes a file of that name.
 */

struct err;
struct sysroot;

#define FILE_NEW_SUFFIX ".nvmetune-new"
#define FILE_MODE_DEFAULT 0644
#define FILE_SIZE_LIMIT (1U << 20)

/*
 * *ret_text is NULL when there is no such file, and ret_mode then untouched.
 * A link or a device is -EEXIST: it is nothing that we would have put there.
 */
int file_read(const struct sysroot *root, struct arena *arena, const char *path,
	      char **ret_text, unsigned int *ret_mode, struct err *err);

/* The same for what may hold any byte; *ret_size bytes and a NUL behind. */
int file_read_bytes(const struct sysroot *root, struct arena *arena,
		    const char *path, size_t limit, char **ret_bytes,
		    size_t *ret_size, unsigned int *ret_mode, struct err *err);

/* -EACCES, -EROFS ... without writing anything; a missing folder is fine. */
int file_check_writable(const struct sysroot *root, const char *path,
			struct err *err);

/* The same for a file that will be new, where its folder is there by trying:
 * an empty one is made beside it and removed. */
int file_check_new(const struct sysroot *root, const char *path,
		   struct err *err);

/* What was staged before is replaced; on failure nothing is left behind. */
int file_stage(const struct sysroot *root, const char *path, const char *text,
	       unsigned int mode, struct err *err);
int file_publish(const struct sysroot *root, const char *path, struct err *err);

/* Remove what may be staged; none is fine. */
int file_discard(const struct sysroot *root, const char *path);

/* Both halves. */
int file_put(const struct sysroot *root, const char *path, const char *text,
	     unsigned int mode, struct err *err);

/*
 * The same for a file of the user's: -EEXIST when there is anything of that
 * name, which stays as it is.  Where the file system has neither links nor a
 * rename that does not replace, it is written in place: a crash may leave half
 * of it.  One that has no modes keeps its own.
 */
int file_put_new(const struct sysroot *root, const char *path, const char *text,
		 unsigned int mode, struct err *err);

/* A file that is not there is fine. */
int file_remove(const struct sysroot *root, const char *path, struct err *err);

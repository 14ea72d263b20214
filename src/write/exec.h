/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/*
 * The programs that nvmetune runs: those that build the initramfs.  No
 * shell, no standard input, a plain environment; what they say goes to
 * stderr, since stdout is the result.
 */

struct arena;
struct err;
struct sysroot;

/*
 * Build the initramfs of this kernel anew, see boot_rebuild_words().
 * -EOPNOTSUPP: there is no such tool, or this is not the live host.  -EIO: it
 * failed.
 */
int exec_rebuild_initramfs(const struct sysroot *root, struct arena *arena,
			   const char *tool, const char *kernel,
			   struct err *err);

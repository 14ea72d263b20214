/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * The programs that nvmetune runs: those that build the initramfs and
 * grub.cfg, and systemctl to have systemd read its units again.  No shell, no
 * standard input, a plain environment; what they say goes to stderr, since
 * stdout is the result.
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

/* "update-grub": grub.cfg anew, with the words of grub.d.  The same errors. */
int exec_update_grub(const struct sysroot *root, struct arena *arena,
		     struct err *err);

/* Does systemd run this host, and is it the live one? */
bool exec_has_systemd(const struct sysroot *root);

/* "systemctl daemon-reload": nothing is started, stopped or restarted by it.
 * -EOPNOTSUPP: there is no systemctl, -EIO: it failed. */
int exec_reload_units(const struct sysroot *root, struct arena *arena,
		      struct err *err);

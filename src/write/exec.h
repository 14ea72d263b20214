/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <signal.h>
#include <stdbool.h>

/*
 * The programs that nvmetune runs: those that build the initramfs and
 * grub.cfg, systemctl to have systemd read its units again, and fio, which
 * reads what bench has read to check it.  No shell, no
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

/*
 * What fio prints when it is run with these words, the first its name and
 * NULL behind the last.  -EOPNOTSUPP: it is not installed, or this is
 * not the live host, -EIO: it failed,
 * -EINTR: *stop was set and it was ended.
 */
int exec_fio(const struct sysroot *root, struct arena *arena,
	     const char *const *words, const volatile sig_atomic_t *stop,
	     char **ret_text, struct err *err);

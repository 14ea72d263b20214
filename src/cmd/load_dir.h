/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <signal.h>

#include "cmd/load.h"

/*
 * A file of nvmetune's own in a folder of the user's, in place of a drive: only
 * into such a one is ever written, see write/layout.h.
 */

struct load_dir {
	const char *dir;
	uint64_t size_bytes;
	const volatile sig_atomic_t *stop;
};

/*
 * request->drives is what the folder lies on: one drive, so that its node and
 * its link are known.  The file is gone at load_close(), which has to be
 * called also on failure.
 */
int load_dir_open(struct arena *arena, const struct load_request *request,
		  const struct load_dir *wanted, struct load *ret,
		  struct err *err);

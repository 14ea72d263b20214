/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/arena.h"

/*
 * A tree made of what was read through a root, for --sysroot: its files,
 * links and folders where they were, its errors in nvmetune.raw/errors.
 */

struct err;
struct record;
struct sysroot;

/*
 * dir is a path of the real file system; it is made, or empty.  from is the
 * root that was recorded, which still tells where links lead.  Device nodes
 * and sockets become empty files.
 */
int raw_write(const struct record *record, const struct sysroot *from,
	      struct arena *arena, const char *dir, struct err *err);

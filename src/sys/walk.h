/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <limits.h>
#include <stdbool.h>

/*
 * Resolve a path beneath a folder, one component at a time: what openat2()
 * with RESOLVE_IN_ROOT does, as text.  Absolute links and ".." stay inside.
 * Not proof against someone who changes the tree meanwhile.
 *
 * ret is relative to root, without leading slash, "." for root itself; every
 * component exists and is no link (the last one may be when follow_last is
 * false).  Negative errno: -ENOENT, -ELOOP, -ENAMETOOLONG ...
 */
int walk_resolve(int root, const char *path, bool follow_last,
		 char ret[PATH_MAX]);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

/*
 * Where profiles lie.  A name is looked for in
 *
 *	/etc/nvmetune/profiles		below the root: the host's own
 *	PROFILE_DIR			the program's own: shipped with it
 *
 * and the first hit counts, so that /etc replaces what was shipped.  A binary
 * that was not installed takes the profiles of its source tree for the
 * shipped ones.  A captured root changes only the first place: what nvmetune
 * ships comes with the program that runs.
 */

struct arena;
struct err;
struct sysroot;

/* A profile's bytes, unchecked: NUL and broken UTF-8 may be among them. */
struct profile_bytes {
	const char *name;
	const char *file;   /* for messages: as given, or relative to where the
			       program was started if it lies below */
	const char *folder; /* where it lies, if it was given or found by
			       path: its includes may lie beside it */
	const char *text;
	size_t n;
};

/*
 * A name, or a path (anything with "/", of the real file system).  folder,
 * unless NULL, is searched before the other places.  root may be NULL: no
 * /etc.  Returns 0, -ENOENT, -EISDIR, -EFBIG ... with the sentence in err;
 * -EPERM for root, where anyone may write the file or its folder.
 */
int profile_find(const struct sysroot *root, struct arena *arena,
		 const char *folder, const char *name_or_path,
		 struct profile_bytes *ret, struct err *err);

struct profile_place {
	const char *name;
	const char *file;
	bool replaces; /* in /etc, and one of this name is shipped */
};

struct profile_places {
	VEC(struct profile_place) items; /* in the order of their names */
};

/* Every profile that has a name.  Folders that do not exist hold none. */
int profile_places(const struct sysroot *root, struct arena *arena,
		   struct profile_places *ret, struct err *err);

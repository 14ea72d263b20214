/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/profile.h"

/*
 * Profiles from files: INI, one profile a file, see docs/profiles.md.
 *
 * The reader is strict, so that no line is taken for something that it was
 * not meant for: every line is a comment (";" or "#"), a section heading or
 * "key = value", starts in the first column, has at most 4095 bytes of UTF-8
 * and no control characters but tabs.  A ";" behind white space starts a
 * comment.  No key and no heading stands twice.
 *
 * Each mistake is one line "FILE:LINE: ..." of problems, and reading goes on.
 */

struct sysroot;

/*
 * A name or a path as in sys/profile_search.h, with everything it includes.
 * Included names are looked for beside a profile that was given as a path,
 * then where names are.  root may be NULL: no /etc.
 *
 * 0, or a negative errno: problems holds why.  With -EINVAL *ret is what was
 * right in the file (or zeroed), good for finding more mistakes and nothing
 * else.
 */
int profile_load(const struct sysroot *root, struct arena *arena,
		 const struct knob_set *knobs, const char *name_or_path,
		 struct profile *ret, struct problems *problems);

/*
 * The same from text that is at hand, as /etc/nvmetune/applied.ini of a saved
 * host.  It cannot include.  name and file are for messages and are kept.
 */
int profile_read(struct arena *arena, const struct knob_set *knobs,
		 const char *name, const char *file, const char *text, size_t n,
		 struct profile *ret, struct problems *problems);

struct profile_entry {
	const char *name;
	const char *file;
	const char *summary; /* NULL: none, or the file has errors */
	bool replaces;	     /* in /etc, and one of this name is shipped */
	size_t nr_errors;
};

struct profile_list {
	VEC(struct profile_entry) items; /* in the order of their names */
};

/* Every profile that has a name, each read. */
int profile_list(const struct sysroot *root, struct arena *arena,
		 const struct knob_set *knobs, struct profile_list *ret,
		 struct err *err);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/vec.h"
#include "sys/sysroot.h"

/*
 * A folder of configuration that comes in several places: /etc masks /run
 * masks /usr/lib, file by file, and the files count in the order of their
 * names whatever folder they are in.  modprobe.d and udev rules are both so.
 */

struct conf_file {
	const char *name; /* "60-block.rules" */
	const char *path; /* "/usr/lib/udev/rules.d/60-block.rules" */
	int why;	  /* text NULL: the positive errno */
	char *text;
};

struct conf_files {
	VEC(struct conf_file) files;
};

/*
 * folders: below the root, the one that masks first; ends with NULL.
 * suffixes: what a file's name ends with, "" for one that has no suffix; ends
 * with NULL.  Hidden files and folders are left out.  A folder that is missing
 * or cannot be listed is like an empty one.
 */
void conf_files_read(const struct sysroot *root, struct arena *arena,
		     const char *const *folders, const char *const *suffixes,
		     struct conf_files *ret);

/*
 * The next logical line of *text, cut out in place, or NULL at the end:
 * a backslash before the end of a line joins it with the next.  *line is
 * moved to the number of the last physical line read; *ret_first is the
 * number of the first one (start with *line = 0).
 */
enum conf_join {
	CONF_JOIN_MODPROBE, /* other backslashes go, what they precede stays */
	CONF_JOIN_UDEV,	    /* other backslashes stay; comments in between */
	CONF_JOIN_UNIT,	    /* likewise, and joined by a space */
};

char *conf_line(char **text, enum conf_join join, unsigned int *line,
		unsigned int *ret_first);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/vec.h"
#include "sys/sysroot.h"

/*
 * Units of systemd, read from their files: nothing is asked of systemd, which
 * may be that of another host.  What it has read itself may be older.
 *
 * All text is foreign.  Files above 1 MiB are taken for unreadable.
 */

/* One assignment; an empty value takes back those before it, for most keys. */
struct unit_line {
	const char *section; /* "Service" */
	const char *key;     /* "ExecStart" */
	const char *value;   /* white space off both ends, lines joined */
	const char *file;    /* "/etc/systemd/system/x.service.d/50-x.conf" */
	unsigned int line;
};

struct unit {
	const char *file; /* NULL: there is none */
	bool masked;	  /* it is a link to /dev/null, or empty */
	bool enabled;	  /* some target wants or requires it */
	/* Of the file, then of its drop-ins in the order of their names. */
	VEC(struct unit_line) lines;
};

/* name: "irqbalance.service".  No failure: what cannot be read is not there. */
void unit_read(const struct sysroot *root, struct arena *arena,
	       const char *name, struct unit *ret);

/*
 * The next word of a command line or of a list at *at, in the arena, its
 * quotes taken off; NULL at the end.  Backslashes stay as they are.
 */
char *unit_word(struct arena *arena, const char **at);

/*
 * The value that an environment file gives a variable: of the last line that
 * does, its quotes taken off; NULL when none does or the file cannot be read.
 * *ret_line is the line's number.
 */
char *unit_environment(const struct sysroot *root, struct arena *arena,
		       const char *path, const char *variable,
		       unsigned int *ret_line);

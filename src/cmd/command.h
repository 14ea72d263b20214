/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

/*
 * A command is one file below cmd/ and one row in cmd/command_list.h; its
 * options are rows too: parsing, help and exclusions come from them.
 */

/* DESIGN: in order of precedence when several hold. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_DIFFERS = 3,
	EXIT_NEEDED = 4, /* a reload, reboot or restart is still needed */
	EXIT_NOT_KEPT = 5,
	EXIT_LOCKED = 6,
	EXIT_OPEN = 7, /* an open transaction */
};

enum opt_type {
	OPT_FLAG,   /* --strict: sets a bool */
	OPT_TEXT,   /* --facts FILE: sets a const char * */
	OPT_NUMBER, /* --wait SECONDS: sets an unsigned int */
	OPT_MAYBE,  /* --confirm[=each|all]: const char *, "" without value */
};

struct opt {
	const char *name; /* without the dashes */
	char letter;	  /* short form, or 0 */
	enum opt_type type;
	size_t offset;	 /* into struct options */
	const char *arg; /* shown in help: "FILE", or NULL */
	const char *help;
	const char *excludes; /* name of an option that must not be given too */
};

/* Every option of every command; the rows of a command say which it takes. */
struct options {
	/* common */
	const char *format; /* table json raw */
	const char *sysroot;
	const char *facts;
	const char *profile;
	const char *dmesg;
	bool no_color;
	bool help;
	/* status */
	bool wide;
	bool compare;
	/* plan, apply, verify */
	bool detailed_exitcode;
	bool dry_run;
	bool live_only;
	bool persist_only;
	bool strict;
	bool keep_going;
	bool trial;
	bool in_use;
	const char *confirm; /* NULL: not given, "" given without a value */
	const char *expect;
	bool wait_given;
	unsigned int wait;
	/* rollback */
	bool all;
	bool force;
	/* capture */
	bool redact;
	const char *output;
	/* profile show */
	bool resolved;
	/* bench */
	bool together;
	unsigned int time;
	unsigned int passes;
	unsigned int depth;
	unsigned int jobs;
	unsigned int seed;
};

enum command_flags {
	CMD_HIDDEN = 1 << 0,   /* not in the short help */
	CMD_RAW_ARGS = 1 << 1, /* what follows "--" is another command */
};

struct context; /* cmd/context.h */

struct command {
	const char *name;
	const char *args;	/* "[DRIVE...]" */
	const char *summary;	/* one line for "nvmetune help" */
	const struct opt *opts; /* ends with a row without name */
	unsigned int flags;
	/* Returns an exit code.  err set and EXIT_FAILED: printed by main. */
	int (*run)(struct context *ctx, int argc, char **argv, struct err *err);
};

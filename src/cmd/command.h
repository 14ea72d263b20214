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

/* When several hold: 2, 6, 7, 1, 5, 4, 3, the first of them. */
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
	OPT_MAYBE,  /* --confirm[=all]: const char *, "" without value */
};

struct opt {
	const char *name; /* without the dashes */
	char letter;	  /* short form, or 0 */
	enum opt_type type;
	size_t offset;	 /* into struct options */
	const char *arg; /* shown in help: "FILE", or NULL */
	const char *help;
	const char *excludes; /* name of an option that must not be given too */
	/* Into struct options: a bool set too; or 0, and then a number must be
	 * above 0, which is what it has when the option was not given. */
	size_t given;
};

/* Where in struct options an option's value goes. */
#define OPT_TO(kind, member) \
	.type = OPT_##kind, .offset = offsetof(struct options, member)

/*
 * Rows that several commands have.  A command that reads the host takes
 * OPTS_READ, one that needs a profile OPT_PROFILE as well.  --help and
 * --no-color belong to every command and are in no list.
 */
/* clang-format off */
#define OPT_FORMAT \
	{ .name = "format", OPT_TO(TEXT, format), .arg = "FORMAT", \
	  .help = "table (default), json or raw (tab separated)" }
#define OPT_SYSROOT \
	{ .name = "sysroot", OPT_TO(TEXT, sysroot), .arg = "DIR", \
	  .help = "read the host from DIR instead of /", .excludes = "facts" }
#define OPT_SYSROOT_WRITE \
	{ .name = "sysroot", OPT_TO(TEXT, sysroot), .arg = "DIR", \
	  .help = "work on a copy of a host below DIR, to try it out" }
#define OPT_IMAGE \
	{ .name = "root", OPT_TO(TEXT, image), .arg = "DIR", \
	  .help = "work on the system image below DIR: files only", \
	  .excludes = "sysroot" }
#define OPT_MIN_CPUS \
	{ .name = "min-cpus", OPT_TO(NUMBER, min_cpus), .arg = "N", \
	  .given = offsetof(struct options, min_cpus_given), \
	  .help = "with --root: every host that boots the image has at least N CPUs" }
#define OPT_FACTS \
	{ .name = "facts", OPT_TO(TEXT, facts), .arg = "FILE", \
	  .help = "read a saved host (see \"capture\"); - is stdin" }
#define OPT_DMESG \
	{ .name = "dmesg", OPT_TO(TEXT, dmesg), .arg = "FILE", \
	  .help = "read the kernel log from FILE instead of /dev/kmsg" }
#define OPT_PROFILE \
	{ .name = "profile", .letter = 'p', OPT_TO(TEXT, profile), \
	  .arg = "PROFILE", \
	  .help = "name or path of a profile (default: the one applied last)" }
#define OPT_BUDGET \
	{ .name = "budget", OPT_TO(TEXT, budget), .arg = "TIME", \
	  .help = "with --confirm: measure no longer than this: 90s, 10m, 1h" }
#define OPT_MIN_EFFECT \
	{ .name = "min-effect", OPT_TO(TEXT, min_effect), .arg = "PERCENT", \
	  .help = "the smallest gain worth keeping a change for (1)" }
#define OPT_WORKLOAD \
	{ .name = "workload", OPT_TO(TEXT, workload), .arg = "COMMAND", \
	  .help = "run this as the load, and compare the rate it prints or the time it takes" }
#define OPTS_READ OPT_FORMAT, OPT_FACTS, OPT_SYSROOT, OPT_DMESG
#define OPT_END { .name = NULL }
/* clang-format on */

/* Every option of every command; the rows of a command say which it takes. */
struct options {
	/* common */
	const char *format; /* table json raw */
	const char *sysroot;
	const char *image; /* --root */
	bool min_cpus_given;
	unsigned int min_cpus;
	const char *facts;
	const char *profile;
	const char *dmesg;
	bool no_color;
	bool help;
	/* status */
	bool wide;
	bool compare;
	const char *export; /* plan */
	/* plan, apply, verify */
	bool detailed_exitcode;
	bool dry_run;
	bool live_only;
	bool persist_only;
	bool strict;
	bool keep_going;
	bool in_use;
	bool poll;
	bool allow_reload;
	bool update_initramfs; /* of rollback, too */
	bool update_grub;      /* likewise */
	bool resume;
	const char *confirm; /* NULL: not given, "" given without a value */
	bool trial;
	const char *expect;
	bool wait_given;
	unsigned int wait;
	/* rollback */
	bool all;
	bool force;
	/* capture */
	bool redact;
	const char *raw;
	const char *output;
	/* profile show, profile check */
	bool resolved;
	bool foreign;
	/* bench */
	const char *result;
	const char *baseline;
	const char *engine;
	const char *dir;
	unsigned int size;
	bool together;
	unsigned int per_core_qd;
	unsigned int total_qd;
	unsigned int rate;
	unsigned int time;
	unsigned int passes;
	unsigned int depth;
	unsigned int jobs;
	unsigned int seed;
	bool seed_given;
	/* apply --confirm, confirm */
	bool calibrate;
	const char *budget;
	const char *min_effect;
	const char *workload;
	const char *block;
	const char *metric;
	/* bench, run */
	unsigned int node;
	bool node_given;
	bool wait_queue; /* device */
	/* run: what follows "--", NULL-ended; NULL without "--" */
	char **argv;
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
	const char *details; /* paragraphs for "nvmetune help COMMAND" */
	const char *exits;   /* lines "3  differences", beside the usual ones */
};

/*
 * Run what the command line asks for: argv without the program's name.
 * Returns the exit code; a sentence in err is for main to print.
 */
int command_line(int argc, char **argv, struct err *err);

/* NULL when there is none; *ret_nearest (may be NULL) then is the name that
 * was probably meant, or NULL. */
const struct command *command_find(const char *name, const char **ret_nearest);

/* "status: \"nvme9\" ..." with EXIT_USAGE, for a command's own checks. */
int command_usage(const struct command *command, struct err *err,
		  const char *fmt, ...) __attribute__((format(printf, 3, 4)));

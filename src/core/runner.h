/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/profile.h"

/*
 * What is to run near its drive: a service of systemd, or whatever a wrapper
 * starts.  [service UNIT] and [wrapper NAME] of a profile, all sections of one
 * name taken together: of each key the last word counts.
 */

enum runner_memory {
	MEMORY_PREFER, /* of the node, and elsewhere when that is full */
	MEMORY_BIND,   /* of the node and of no other */
	MEMORY_KEEP,   /* as it is */
};

struct runner {
	enum section_kind kind; /* SECTION_SERVICE or SECTION_WRAPPER */
	const char *name;	/* "postgresql.service" */
	const char *drive;	/* NULL: only with a node number */
	struct num numa;	/* unknown: local, the drive's */
	bool keep;		/* numa = keep: it is left alone */
	bool over_nodes;	/* nodes = union */
	enum runner_memory memory;
	/* The line to blame: of numa, else of drive, else of the section. */
	const char *asked; /* numa as written, or "local" */
	const char *file;
	unsigned int line;
};

struct runner_list {
	VEC(struct runner) items; /* in the order of their first sections */
};

bool runner_has_section(enum section_kind kind);

/* Is this a name that such a section may have?  -EINVAL with the sentence. */
int runner_check_name(enum section_kind kind, const char *name,
		      struct err *err);

/* Is this a key of such a section, and a value for it? */
int runner_check_key(const char *key, const char *text, struct err *err);

struct runner_list runners_of(struct arena *arena,
			      const struct profile *profile);

/* Is there something to do, and does it say where?  Otherwise runners_check()
 * has told, or it is to be kept as it is. */
bool runner_is_complete(const struct runner *runner);

/* The file that is written for it. */
char *runner_path(struct arena *arena, enum section_kind kind,
		  const char *name);

/* The other way round; false: it is none of these. */
bool runner_of_path(struct arena *arena, const char *path,
		    enum section_kind *ret_kind, const char **ret_name);

/* What only shows when all files are read: a line for each runner of which
 * nothing says where it belongs. */
void runners_check(struct arena *arena, const struct profile *profile,
		   struct problems *problems);

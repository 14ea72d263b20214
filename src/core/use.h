/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

/*
 * Who uses a disk, for somebody who is about to load it: what the facts tell,
 * and what is only looked for then (probe/uses.h), as it costs a walk through
 * all processes or a second of waiting.
 */

enum use_kind {
	USE_MOUNT,
	USE_MEMBER, /* of md, dm and the like */
	USE_SWAP,
	USE_LOOP,      /* a loop device stands on it */
	USE_TARGET,    /* nvmet gives it to other hosts */
	USE_ELSEWHERE, /* mounted in another mount namespace */
	USE_OPEN,      /* a program has it open */
	USE_HELD,      /* claimed by somebody who cannot be seen */
	USE_IO,	       /* read or written by somebody who cannot be seen */
};

struct use {
	enum use_kind kind;
	const char *who;    /* what follows "in use by"; not escaped */
	const char *device; /* one of uses.devices, or NULL: unknown */
	int64_t pid;	    /* USE_OPEN: of the program */
};

/* The disk itself, a partition, or what stands on them. */
struct used_device {
	const char *name;
	const char *alias; /* dm: the name below /dev/mapper, or NULL */
	const char *dev;   /* "259:1"; NULL: unknown */
};

struct uses {
	const struct ns *ns;
	VEC(struct used_device) devices; /* first the disk itself */
	VEC(struct use) items;
};

/* Where it is, with what it is of where that is no part of the disk. */
const char *use_of_mount(struct arena *arena, const struct ns *ns,
			 const struct mount *mount);

/* Of a holder its mount tells, and not its name. */
bool use_is_mounted(const struct ns *ns, const char *device);

/* What the facts tell of a disk; belongs to the arena, as all that is added. */
void uses_init(struct arena *arena, const struct facts *facts,
	       const struct ns *ns, struct uses *ret);

/* Of its devices, by number, or by the kernel's or the mapper's name; NULL:
 * it is none of them. */
const struct used_device *uses_numbered(const struct uses *uses,
					const char *dev);
const struct used_device *uses_named(const struct uses *uses, const char *name);

/* The same words twice are one use. */
void uses_add(struct arena *arena, struct uses *uses, struct use use);

/* "/srv/data, md0 and 2 more"; NULL: nobody. */
const char *uses_text(struct arena *arena, const struct uses *uses);

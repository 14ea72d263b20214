/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/cells.h"
#include "cmd/drives.h"
#include "core/facts.h"

/*
 * What a measurement reads and from where: disks opened read-only after a
 * look at who uses them, and the nodes of the host.
 */

struct load_drive {
	const struct ns *ns;
	struct bench_drive drive;
	int64_t node;	   /* BINDING_NO_NODE: unknown */
	const char *users; /* in words, of one that is read all the same;
			      NULL: nobody */
};

struct load {
	VEC(struct load_drive) drives;
	VEC(struct bench_place) places;
	struct sysroot *root; /* of the live host */
};

struct load_request {
	const struct facts *facts;   /* of the live host */
	const struct drives *drives; /* none: every one not in use */
	bool in_use;  /* read those that somebody uses, too, within a limit */
	int64_t node; /* only from here; BINDING_NO_NODE: from each */
	uint32_t block_bytes; /* of each read; 0: as the drive says */
};

/*
 * One disk of each controller, its largest, but for those named themselves.
 * A named one in use is -EBUSY and says who, one without room for a single
 * block is -ENOSPC; others like that are left out with a note.  -EINVAL: of
 * block_bytes a drive reads nothing.  Also on failure load_close() has to be
 * called.
 */
int load_open(struct arena *arena, const struct load_request *request,
	      struct load *ret, struct err *err);
void load_close(struct load *load);

/* The nodes alone: part of load_open(). */
int load_places(struct arena *arena, const struct load_request *request,
		struct load *load, struct err *err);

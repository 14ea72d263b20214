/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/session.h"
#include "core/bench_result.h"
#include "core/binding.h"

/*
 * Cells to measure: each a drive, seen from a place, in one shape of I/O.
 * They are visited in rows of a shuffled Latin order, slice by slice, so that
 * a drift of the host weighs on all alike; or all of them run at once.
 */

struct arena;
struct err;

struct bench_matrix_drive {
	struct bench_drive drive;
	int64_t node; /* its own, or BINDING_NO_NODE: unknown */
};

struct bench_place {
	int64_t node;
	struct binding binding; /* when there is no skip */
	const char *skip;	/* why nothing can be measured here, or NULL */
};

struct bench_want {
	size_t drive; /* index */
	const struct bench_place *place;
	struct bench_shape shape; /* zeroes: as the session says */
	uint32_t jobs;		  /* at most; 0: as the session says */
	const char *label; /* "QD 8"; NULL: drive and node tell the cell */
};

struct bench_progress {
	uint32_t done; /* slices, this one included */
	uint32_t total;
	const char *drive; /* NULL: all */
	const char *label;
	int64_t node;  /* BINDING_NO_NODE: each its own */
	uint64_t iops; /* of this slice */
};

struct bench_cells_config {
	struct bench_session_config session;
	const struct bench_matrix_drive *drives;
	size_t nr_drives;
	const struct bench_want *wants;
	size_t nr_wants;
	uint32_t passes;
	bool together; /* all cells at once */
	/* Before the first I/O: cells have their methods, and no figures.  A
	 * negative errno ends it; NULL: nobody asks. */
	int (*ready)(void *data, const struct bench_matrix *matrix,
		     struct err *err);
	void (*progress)(void *data, const struct bench_progress *progress);
	void *data; /* for both; all may be NULL */
};

/*
 * The place of a node.  Where there is but one place, no drive can be anywhere
 * else; otherwise one that is skipped, when the node is unknown.
 */
const struct bench_place *bench_place_of(const struct bench_place *places,
					 size_t n, int64_t node);

/*
 * Everything in config is borrowed until this returns; the result keeps the
 * names and labels.
 */
int bench_cells_run(struct arena *arena,
		    const struct bench_cells_config *config,
		    struct bench_matrix *ret, struct err *err);

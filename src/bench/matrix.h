/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/session.h"
#include "core/bench_result.h"
#include "core/binding.h"

/*
 * Random reads on every drive from every node: how much does it cost to sit
 * on the wrong one?  Or all drives at once, each from its own node.
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

struct bench_progress {
	uint32_t done; /* slices, this one included */
	uint32_t total;
	const char *drive; /* NULL: all */
	int64_t node;	   /* BINDING_NO_NODE: each its own */
	uint64_t iops;	   /* of this slice */
};

struct bench_matrix_config {
	struct bench_session_config session;
	const struct bench_shape *shape; /* of all; NULL: the defaults */
	const struct bench_matrix_drive *drives;
	size_t nr_drives;
	const struct bench_place *places;
	size_t nr_places;
	uint32_t passes;
	bool together;
	void (*progress)(void *data, const struct bench_progress *progress);
	void *data; /* for progress; both may be NULL */
};

/*
 * Everything in config is borrowed until this returns; the result keeps the
 * names.  A drive whose node is unknown is measured from every node, but
 * has no local cell; together it is skipped where there are several places.
 */
int bench_matrix_run(struct arena *arena,
		     const struct bench_matrix_config *config,
		     struct bench_matrix *ret, struct err *err);

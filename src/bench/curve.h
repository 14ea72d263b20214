/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "bench/knee.h"
#include "core/bench_result.h"

/*
 * The sweeps that a result holds, measured now or saved before: cells of one
 * drive from one node and of one shape of I/O that differ in their depth, or
 * in their jobs at one depth or one number of I/Os in flight.  Pure.
 */

struct arena;

struct curve {
	const char *drive;
	int64_t node;
	bool over_jobs; /* scaling counts, otherwise knee */
	struct knee knee;
	struct scaling scaling;
	uint32_t points;
	/* Where IOPS = depth / latency holds within 2 %. */
	uint32_t holding;
};

struct curves {
	VEC(struct curve) items;
};

/* None where there are too few cells of a kind to say anything. */
void curves_find(struct arena *arena, const struct bench_matrix *matrix,
		 struct curves *ret);

/* "nvme0n1: knee 32..64: ...", a line each, escaped. */
void curves_to_text(const struct curves *curves, struct strbuf *out);

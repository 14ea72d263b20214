/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/bench_result.h"

/* What a second engine's figures of the same cells say of the first's.  Pure. */

struct crosscheck {
	uint32_t cells;
	/* IOPS of ours for 1000 of the other's: the least, the middle, the most
	 * of the cells. */
	int64_t least_ppt;
	int64_t median_ppt;
	int64_t most_ppt;
	/* CPU time of ours for each I/O, for 1000 of the other's; -1: unknown. */
	int64_t cpu_ppt;
	/* Pairs of cells whose slices are apart in both, and of these those
	 * that both put in the same order. */
	uint32_t pairs;
	uint32_t agreeing;
};

/* False: no cell was measured by both. */
bool crosscheck_judge(struct arena *arena, const struct bench_matrix *matrix,
		      struct crosscheck *ret);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/trial.h"

/*
 * From slices to what a block of four says.  Only bench/trial.c calls these.
 */

/* Workers that sleep for more than this share of the time are not the limit. */
#define TRIAL_ASLEEP 0.1

/* Histograms are large: those of the four slices of a block are kept until it
 * is known whether the block counts. */
struct trial_scratch {
	struct bench_slice *cells;
	struct histogram *latency[4];
};

struct trial_place {
	uint32_t block; /* or BENCH_TRIAL_PILOT */
	size_t nr;	/* which of the four */
	int which;
	const char *disturbed; /* by what does not stand; NULL */
	double figure;	       /* of the metric; NAN: it is in the cells */
};

void trial_scratch_init(struct arena *arena, size_t nr_cells,
			struct trial_scratch *scratch,
			struct bench_trial *trial);

/* What scratch->cells hold becomes a slice of the trial. */
void trial_add_slice(struct arena *arena,
		     const struct bench_trial_config *config,
		     struct trial_scratch *scratch, struct bench_trial *trial,
		     const struct trial_place *place);

/* From the last four slices of the trial. */
struct bench_trial_block trial_judge_block(struct arena *arena,
					   const struct bench_trial *trial);

/* They count: into the totals of their arms. */
void trial_count_block(const struct trial_scratch *scratch,
		       struct bench_trial *trial);

/* Median over the slices of an arm that count, or of the pilot; NAN: none. */
double trial_median(struct arena *arena, const struct bench_trial *trial,
		    enum bench_metric metric, int which, bool pilot);

/* Of the workers' time in the pilot; NAN: unknown. */
double trial_share_asleep(const struct bench_trial_config *config,
			  const struct bench_trial *trial);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "bench/decide.h"
#include "core/bench_result.h"

/*
 * Is after better than before?  Blocks of four slices in turns, ABBA or BAAB
 * as a recorded seed says, judged as decide.h says until it is sure or gives
 * up.  What measures a slice and what switches the arms is the caller's: reads
 * of all drives at once (bench/team.h), a command, synthetic numbers.
 */

struct arena;
struct err;

/* What is compared; chosen before the first block. */
enum bench_metric {
	BENCH_METRIC_IOPS,
	BENCH_METRIC_CPU,  /* CPU time of all tasks for each I/O */
	BENCH_METRIC_P99,  /* latency */
	BENCH_METRIC_MEAN, /* latency: of few, paced reads */
	/* Of a load that tells one figure a slice, in its own unit. */
	BENCH_METRIC_RATE, /* more is better */
	BENCH_METRIC_TIME, /* seconds: less is */
};

#define BENCH_METRICS 6

/* For the eye: "IOPS", "CPU per I/O", "p99", "mean latency" ... */
const char *bench_metric_text(enum bench_metric metric);
/* As options and JSON spell it: "iops", "cpu", "p99", "mean" ... */
const char *bench_metric_name(enum bench_metric metric);
bool bench_metric_is_less_better(enum bench_metric metric);
int bench_metric_parse(const char *name, enum bench_metric *ret); /* -EINVAL */

/* A cell is a drive seen from a place. */
struct bench_trial_cell {
	struct bench_slice slice; /* without its latency: */
	uint64_t mean_ns;	  /* 0 all: not known */
	uint64_t p50_ns;
	uint64_t p99_ns;
	uint64_t p999_ns;
	uint64_t max_ns;
};

#define BENCH_TRIAL_PILOT UINT32_MAX

/* One slice of all cells at once. */
struct bench_trial_slice {
	uint32_t block; /* index into blocks, or BENCH_TRIAL_PILOT */
	int which;	/* BENCH_BEFORE or BENCH_AFTER */
	struct bench_trial_cell *cells;
	double metrics[BENCH_METRICS]; /* by enum bench_metric, of all cells;
					  NAN */
	const char *disturbed;	       /* NULL: it counts */
};

struct bench_trial_block {
	const char *void_why; /* NULL: it counts */
	struct decide_block effects;
};

struct bench_trial_arm {
	uint64_t ios;
	uint64_t errors; /* of all slices but the pilot's, the void ones too */
	int first_error;
	double metrics[BENCH_METRICS]; /* medians of the slices that count; NAN */
	/* Of all cells, of the slices that count. */
	struct histogram *latency;
};

struct bench_trial {
	uint64_t seed;
	enum bench_metric metric;
	const char *metric_why; /* how it was chosen; NULL: it was given */
	size_t nr_cells;
	VEC(struct bench_trial_slice) slices; /* in the order of time */
	VEC(struct bench_trial_block) blocks; /* likewise */
	struct bench_trial_arm arms[BENCH_ARMS];
	struct decide_result decision;
};

/* How far it is: told after each block. */
struct bench_trial_progress {
	uint32_t blocks; /* that count */
	uint32_t next;	 /* look, in blocks */
	uint32_t last;	 /* look there can be */
	uint32_t voided;
	const char *void_why; /* of this block; NULL: it counts */
	double effect;	      /* of this block, of metric */
	enum bench_metric metric;
};

struct bench_trial_config {
	uint64_t seed; /* of the order */
	size_t nr_cells;
	const uint32_t *jobs; /* workers of each cell; NULL: as many in each */
	/*
	 * So many slices of before, ahead of the first block, tell which metric
	 * can move: where the workers sleep for more than a tenth of the time
	 * the drive is the limit, and IOPS cannot.  0: metric is given.
	 */
	uint32_t pilot;
	enum bench_metric metric;
	const struct decide_rule *rule;
	/* One slice of each cell.  An error ends it all. */
	int (*measure)(void *data, struct bench_slice *cells, struct err *err);
	/*
	 * Instead of measure, where there are no cells: one slice, worth *ret
	 * of metric, RATE or TIME.  -EPROTO: it went wrong, which makes the
	 * block void; other errors end it all.
	 */
	int (*figure)(void *data, double *ret, struct err *err);
	/*
	 * Make the host as before or as after; called at the start of every
	 * slice, also when the arm stays, so that switching costs both alike.
	 * Whoever passes it restores, whatever happens here.  -EPROTO: it does
	 * not stand, which makes the block void; other errors end it all.
	 * NULL: nothing is switched, A is compared with A.
	 */
	int (*arm)(void *data, int which, struct err *err);
	/* Behind every slice: is it still so?  Errors as of arm; may be NULL. */
	int (*check)(void *data, int which, struct err *err);
	/*
	 * Before the first block and behind each, outside of slices: why what
	 * lies between this border and the last must not count, or NULL.  May
	 * be NULL.
	 */
	const char *(*border)(void *data);
	/* Has what is switched moved?  Asked at each look.  NULL: unseen. */
	enum decide_mechanism (*mechanism)(void *data);
	void (*progress)(void *data,
			 const struct bench_trial_progress *progress);
	void *data; /* for all of them */
};

/*
 * What was measured belongs to the arena.  When an error ends it, *ret is as
 * far as it came, with the verdict DECIDE_MORE.
 */
int bench_trial_run(struct arena *arena,
		    const struct bench_trial_config *config,
		    struct bench_trial *ret, struct err *err);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * A command of the user's as the load: what one run of it, which is one
 * slice, is worth.  Pure; running it is cmd/'s.
 *
 * The first run says what is measured: what the command prints of its
 * throughput, see bench/throughput.h, or, where it prints none, how long it
 * took.  The runs after it must say the same thing, otherwise they failed: a
 * figure of something else would look like an effect.
 */

struct arena;
struct err;

enum workload_measure {
	WORKLOAD_UNKNOWN, /* nothing ran yet */
	WORKLOAD_FIGURE,  /* what it printed; more is better */
	WORKLOAD_TIME,	  /* seconds until it ended; less is better */
};

struct workload_metric {
	enum workload_measure measure;
	const char *name; /* WORKLOAD_FIGURE: "iops", "" of a number alone */
};

/* What a run was: from the outside. */
struct workload_run {
	uint64_t elapsed_ns;
	int status; /* as of waitpid() */
	bool timed_out;
	uint32_t limit_ms;  /* which it then exceeded */
	const char *output; /* the end of what it printed */
};

/*
 * The run's worth in *ret, above 0; of the first run, metric is filled in as
 * well.  -EIO with the sentence: it failed, by status, signal, time or
 * because it says something else than the first.
 */
int workload_judge(struct arena *arena, const struct workload_run *run,
		   struct workload_metric *metric, double *ret,
		   struct err *err);

/*
 * "iops", "the number that it prints last", "the time until it ends"; name is
 * harmless text.
 */
const char *workload_metric_text(struct arena *arena,
				 const struct workload_metric *metric);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/team.h"
#include "bench/trial.h"
#include "cmd/command.h"
#include "cmd/load.h"
#include "cmd/workload.h"

/*
 * What measures the slices of a trial: reads of all drives of a load at once,
 * or with --workload the user's own command, a run for each slice.
 */

struct meter_request {
	const struct options *options;	 /* workload time depth jobs */
	const struct load *load;	 /* not looked at with a workload */
	const struct bench_shape *shape; /* NULL: plain random reads */
	/* Of the slices of reads; 0: as the options say, or as usual. */
	uint32_t settle_ms;
	uint32_t measure_ms;
	const struct sysroot *root; /* to see what the host does beside */
	uint64_t seed;
};

struct meter {
	struct arena *arena;
	bool is_workload;
	struct workload workload;
	uint32_t slice_ms;	  /* what a slice takes, settling included */
	enum bench_metric metric; /* of a workload: RATE or TIME */
	struct bench_session_config session;
	struct bench_team team;
};

/*
 * A command runs once, which tells what it is measured by; before anything is
 * changed, one that does not work ends it: -EIO.  meter_close() has to be
 * called also on failure.
 */
int meter_open(struct arena *arena, const struct meter_request *request,
	       struct meter *ret, struct err *err);
void meter_close(struct meter *meter);

/* nr_cells, jobs and, of a command, metric of a trial, whose own callbacks
 * measure and figure call the two below. */
void meter_configure(const struct meter *meter,
		     struct bench_trial_config *config);

/* As of struct bench_trial_config. */
int meter_measure(struct meter *meter, struct bench_slice *cells,
		  struct err *err);
int meter_figure(struct meter *meter, double *ret, struct err *err);

/*
 * How it is measured, in words, without drives: "random reads of 4096 bytes,
 * QD 32 x 2 jobs, slices of 2.0 s" or "\"pgbench ...\", by \"tps\"".
 */
char *meter_text(const struct meter *meter);

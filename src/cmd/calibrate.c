/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/calibrate.h"

#include "cmd/seed.h"

#define PILOT 4U /* slices */

static int measure(void *data, struct bench_slice *cells, struct err *err)
{
	struct calibration *calibration = data;

	return meter_measure(calibration->meter, cells, err);
}

static int figure(void *data, double *ret, struct err *err)
{
	struct calibration *calibration = data;

	return meter_figure(calibration->meter, ret, err);
}

static const char *ask_heat(void *data)
{
	struct calibration *calibration = data;

	return heat_look(&calibration->heat);
}

static void show_progress(void *data,
			  const struct bench_trial_progress *progress)
{
	struct calibration *calibration = data;

	if (progress->void_why)
		progress_tell(&calibration->progress,
			      "a block does not count: %s", progress->void_why);
	else
		progress_tell(&calibration->progress, "block %u of %u",
			      progress->blocks, progress->last);
}

/* Of the blocks that count, in the order of time. */
static size_t values_of(const struct bench_trial *trial,
			enum bench_metric metric, double *values)
{
	size_t n = 0;

	VEC_EACH(&trial->slices, const struct bench_trial_slice, it)
		if (it->block < trial->blocks.n &&
		    !trial->blocks.items[it->block].void_why)
			values[n++] = it->metrics[metric];
	return n;
}

double calibration_median(const struct bench_trial *trial,
			  enum bench_metric metric)
{
	return (trial->arms[BENCH_BEFORE].metrics[metric] +
		trial->arms[BENCH_AFTER].metrics[metric]) /
	       2;
}

static void find_noise(struct calibration *calibration)
{
	const struct bench_trial *trial = &calibration->trial;
	struct arena *arena = calibration->ctx->arena;
	double *values = arena_array(arena, trial->slices.n, sizeof(*values));

	for (int i = 0; i < BENCH_METRICS; i++) {
		enum bench_metric metric = (enum bench_metric)i;
		size_t n = values_of(trial, metric, values);
		struct predict_noise noise;
		struct calibrated *row;

		if (predict_noise(values, n, &noise) < 0)
			continue;
		row = vec_add(arena, &calibration->metrics);
		row->metric = metric;
		row->unit = metric == BENCH_METRIC_RATE ?
				    calibration->meter->workload.metric.name :
				    NULL;
		row->median = calibration_median(trial, metric);
		row->noise = noise;
		row->least = calibration->rule.min_effect;
		predict(&calibration->rule, &noise,
			calibration->meter->slice_ms, &row->predict);
	}
}

int calibration_run(struct calibration *calibration, uint32_t blocks,
		    struct err *err)
{
	struct decide_rule once = calibration->rule;
	struct bench_trial_config config = {
		.seed = calibration->seed,
		.pilot = calibration->pilot,
		.metric = calibration->metric,
		.rule = &once,
		.measure = measure,
		.figure = calibration->meter->is_workload ? figure : NULL,
		.border = ask_heat,
		.progress = show_progress,
		.data = calibration,
	};
	int r;

	/* One look, as sure as one of several: this is to hold every time. */
	for (size_t i = 0; i < DECIDE_LOOKS; i++)
		once.looks[i] = i == 0 ? blocks : 0;
	meter_configure(calibration->meter, &config);
	progress_init(&calibration->progress);
	r = bench_trial_run(calibration->ctx->arena, &config,
			    &calibration->trial, err);
	progress_done(&calibration->progress);
	if (r == 0)
		find_noise(calibration);
	return r;
}

int calibration_measure(struct calibration *calibration,
			const struct load *load,
			const struct confirm_shape *reads, struct err *err)
{
	struct context *ctx = calibration->ctx;
	const struct options *options = &ctx->options;
	const struct bench_shape shape = { .block_bytes = reads->block_bytes };
	const struct meter_request request = {
		.options = options,
		.load = load,
		.shape = &shape,
		.root = ctx->root,
		.seed = options_seed(options),
	};
	int r = meter_open(ctx->arena, &request, calibration->meter, err);

	calibration->seed = request.seed;
	calibration->pilot = options->workload || reads->has_metric ? 0 : PILOT;
	calibration->metric = reads->metric;
	heat_init(&calibration->heat, ctx->arena, ctx->root, load);
	if (r == 0)
		r = calibration_run(calibration,
				    options->passes ?
					    options->passes :
					    calibration->rule.looks[0],
				    err);
	meter_close(calibration->meter);
	return r;
}

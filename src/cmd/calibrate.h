/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/predict.h"
#include "bench/trial.h"
#include "cmd/confirm_shape.h"
#include "cmd/context.h"
#include "cmd/heat.h"
#include "cmd/load.h"
#include "cmd/meter.h"
#include "cmd/progress.h"
#include "cmd/table.h"
#include "json/write.h"

/*
 * The host as it is against itself, in blocks as confirm measures them: how
 * noisy each metric is, and so what could be seen of it and how soon.
 */

struct calibrated {
	enum bench_metric metric;
	const char *unit; /* of a workload's rate; NULL: the metric's own */
	double median;
	struct predict_noise noise;
	struct predict predict;
	double least; /* gain that is worth a change, a share */
};

struct calibration {
	struct context *ctx;
	uint32_t seed;	     /* of the order of the slices */
	struct meter *meter; /* open */
	uint32_t pilot;	     /* slices that choose the metric; 0: it is given */
	enum bench_metric metric;
	struct heat heat; /* of the drives that are read; none: not asked */
	struct progress progress;
	struct decide_rule rule;
	struct bench_trial trial;
	VEC(struct calibrated) metrics; /* those that are known */
};

/*
 * So many blocks by the meter.  Nothing is written anywhere.  The
 * metrics that could be measured are in *calibration, and the verdict of A
 * against A in its trial.
 */
int calibration_run(struct calibration *calibration, uint32_t blocks,
		    struct err *err);

/*
 * The same from the start, as the options say: opens the calibration's meter on
 * the load, measures --passes blocks, or those of its rule's first look, and
 * closes it; meter_text() still works.  The caller sets ctx, meter and rule.
 */
int calibration_measure(struct calibration *calibration,
			const struct load *load,
			const struct confirm_shape *reads, struct err *err);

/* Of all slices that count; NAN: unknown. */
double calibration_median(const struct bench_trial *trial,
			  enum bench_metric metric);

/* Rows are struct calibrated. */
enum calibrated_column {
	CALIBRATED_METRIC,
	CALIBRATED_MEDIAN,
	CALIBRATED_SLICE,
	CALIBRATED_BLOCK,
	CALIBRATED_LAG1,
	CALIBRATED_SHOWS,
	CALIBRATED_TAKES,
};
extern const struct column calibrated_columns[];

/* "75000", "87 us", "1.5 s", without the unit of a rate. */
void calibrated_value_text(enum bench_metric metric, double value,
			   struct strbuf *out);

void calibration_put(const struct calibration *calibration, struct strbuf *out);
/* Members of the open object, both. */
void calibrated_to_json(const struct calibrated *it, struct json_writer *json);
void calibration_to_json(const struct calibration *calibration,
			 struct json_writer *json);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/predict.h"

#include <errno.h>
#include <math.h>

#include "bench/student.h"

/* From the first value, so that rounding is none where all are equal. */
static double log_off(const double *values, size_t i)
{
	return log(values[i]) - log(values[0]);
}

static double mean_log_off(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += log_off(values, i);
	return sum / (double)n;
}

/* Every four neighbours are a block; its middle is known to be 0. */
static double block_noise(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i + 4 <= n; i++) {
		double effect = (log(values[i + 1]) + log(values[i + 2]) -
				 log(values[i]) - log(values[i + 3])) /
				2;

		sum += effect * effect;
	}
	return sqrt(sum / (double)(n - 3));
}

int predict_noise(const double *values, size_t n, struct predict_noise *ret)
{
	double mean, last = 0, squares = 0, products = 0;

	if (n < PREDICT_SLICES)
		return -ERANGE;
	for (size_t i = 0; i < n; i++)
		if (!(values[i] > 0) || !isfinite(values[i]))
			return -ERANGE;
	mean = mean_log_off(values, n);
	for (size_t i = 0; i < n; i++) {
		double off = log_off(values, i) - mean;

		squares += off * off;
		products += off * last;
		last = off;
	}
	*ret = (struct predict_noise){
		.slices = n,
		.slice = sqrt(squares / (double)(n - 1)),
		.lag1 = squares > 0 ? products / squares : NAN,
		.block = block_noise(values, n),
	};
	return 0;
}

/*
 * What is free of assumptions pays for it: under even noise the signed-rank
 * test needs pi / 3 times as many blocks as one that knows the shape.
 */
static double rank_noise(const struct predict_noise *noise)
{
	return noise->block * sqrt(3.14159265358979323846 / 3);
}

void predict(const struct decide_rule *rule, const struct predict_noise *noise,
	     uint32_t slice_ms, struct predict *ret)
{
	uint64_t block_ms = UINT64_C(4) * slice_ms;

	*ret = (struct predict){ 0 };
	for (uint32_t n = decide_next(rule, 0); n; n = decide_next(rule, n))
		ret->rows[ret->n++] = (struct predict_row){
			.blocks = n,
			.mde = student_detectable(rank_noise(noise), n,
						  rule->alpha, rule->power),
			.time_ms = n * block_ms,
		};
	ret->blocks_needed =
		student_needed(rank_noise(noise), log1p(rule->min_effect),
			       rule->alpha, rule->power, DECIDE_MOST_BLOCKS);
	/* Nothing is judged before the first look. */
	if (ret->blocks_needed && ret->blocks_needed < ret->rows[0].blocks)
		ret->blocks_needed = ret->rows[0].blocks;
	ret->needed_ms = ret->blocks_needed * block_ms;
}

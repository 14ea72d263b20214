/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/noise.h"

#include <math.h>

#include "base/arena.h"
#include "bench/student.h"

#define SLICES 4 /* of a block */

struct moments {
	double mean;
	double sd; /* of a sample; NAN below 2 */
};

static struct moments moments_of(const double *values, size_t n)
{
	struct moments ret = { NAN, NAN };
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	if (n)
		ret.mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - ret.mean) * (values[i] - ret.mean);
	if (n > 1)
		ret.sd = sqrt(squares / (double)(n - 1));
	return ret;
}

static double lag1_of(const double *values, size_t n, double mean)
{
	double product = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		squares += (values[i] - mean) * (values[i] - mean);
		if (i)
			product += (values[i] - mean) * (values[i - 1] - mean);
	}
	return n < 3 || squares <= 0 ? NAN : product / squares;
}

static bool is_known(double value)
{
	return isfinite(value) && value > 0;
}

/* What the block says of an effect, although both arms are the same. */
static double effect_of(const double *values, const int *arms)
{
	double sum = 0;

	for (size_t i = 0; i < SLICES; i++) {
		if (!is_known(values[i]))
			return NAN;
		sum += arms[i] ? log(values[i]) : -log(values[i]);
	}
	return sum / (SLICES / 2);
}

void noise_find(struct arena *arena, const double *values, const int *arms,
		size_t blocks, struct noise *ret)
{
	double *known = arena_array(arena, blocks * SLICES, sizeof(*known));
	double *effects = arena_array(arena, blocks, sizeof(*effects));
	struct noise noise = { 0 };
	struct moments slices;

	for (size_t i = 0; i < blocks * SLICES; i++)
		if (is_known(values[i]))
			known[noise.slices++] = values[i];
	for (size_t i = 0; i < blocks; i++) {
		double effect =
			effect_of(values + i * SLICES, arms + i * SLICES);

		if (!isnan(effect))
			effects[noise.blocks++] = effect;
	}
	slices = moments_of(known, noise.slices);
	noise.mean = slices.mean;
	noise.cv = slices.sd / slices.mean;
	noise.lag1 = lag1_of(known, noise.slices, slices.mean);
	noise.block_sd = moments_of(effects, noise.blocks).sd;
	*ret = noise;
}

double noise_detectable(const struct noise *noise,
			const struct decide_rule *rule, uint32_t blocks)
{
	if (isnan(noise->block_sd) || blocks < 2)
		return NAN;
	return student_detectable(noise->block_sd, blocks, rule->alpha,
				  rule->power);
}

uint32_t noise_needed(const struct noise *noise, const struct decide_rule *rule)
{
	double least = log1p(rule->min_effect);

	for (uint32_t n = decide_next(rule, 0); n; n = decide_next(rule, n))
		if (noise_detectable(noise, rule, n) <= least)
			return n;
	return 0;
}

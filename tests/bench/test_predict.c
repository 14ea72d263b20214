/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <errno.h>
#include <math.h>

#include "bench/predict.h"

#define SLICES 48

static void even_noise_is_the_same_for_slice_and_block(void **state)
{
	double values[SLICES];
	struct predict_noise noise;

	(void)state;
	/* 1 % up and down in a pattern of period 6. */
	for (size_t i = 0; i < SLICES; i++)
		values[i] = exp(i % 6 < 3 ? 0.01 : -0.01);
	assert_int_equal(predict_noise(values, SLICES, &noise), 0);
	assert_int_equal(noise.slices, SLICES);
	assert_true(fabs(noise.slice - 0.01) < 0.0002);
	/* Of each six windows two are even, four are 1 % off. */
	assert_true(fabs(noise.block - 0.01 * sqrt(4.0 / 6)) < 0.0005);
	assert_true(noise.lag1 > 0.3 && noise.lag1 < 0.4);
}

static void steady_drift_is_noise_of_slices_and_none_of_blocks(void **state)
{
	double values[SLICES];
	struct predict_noise noise;

	(void)state;
	for (size_t i = 0; i < SLICES; i++)
		values[i] = exp(-0.002 * (double)i);
	assert_int_equal(predict_noise(values, SLICES, &noise), 0);
	assert_true(noise.slice > 0.025);
	assert_true(noise.block < 1e-9);
	assert_true(noise.lag1 > 0.9);
}

static void table_has_a_row_for_each_look(void **state)
{
	const struct predict_noise noise = { .slices = 40,
					     .slice = 0.01,
					     .block = 0.01 };
	struct predict found;

	(void)state;
	predict(&decide_rule_default, &noise, 2500, &found);
	assert_int_equal(found.n, 4);
	assert_int_equal(found.rows[0].blocks, 8);
	assert_int_equal(found.rows[0].time_ms, 80000);
	/* (3.0648 + 0.8960) / sqrt(8) x sqrt(pi / 3) */
	assert_true(fabs(found.rows[0].mde - 0.014331) < 1e-5);
	assert_int_equal(found.rows[3].blocks, 24);
	assert_true(fabs(found.rows[3].mde - 0.007102) < 1e-5);
	assert_true(found.blocks_needed >= 12 && found.blocks_needed <= 16);
	assert_int_equal(found.rows[3].time_ms, 240000);
}

static void calm_host_needs_the_first_look_and_a_wild_one_too_many(void **state)
{
	struct predict_noise noise = { .slices = 40 };
	struct predict found;

	(void)state;
	predict(&decide_rule_default, &noise, 2500, &found);
	assert_int_equal(found.blocks_needed, 8);
	assert_int_equal(found.needed_ms, 80000);
	noise.block = 0.9;
	predict(&decide_rule_default, &noise, 2500, &found);
	assert_int_equal(found.blocks_needed, 0);
}

/* The mean of 33 equal logarithms is rounded. */
static void what_is_always_the_same_has_no_noise_at_all(void **state)
{
	double values[33];
	struct predict_noise noise;

	(void)state;
	for (size_t i = 0; i < 33; i++)
		values[i] = 7;
	assert_int_equal(predict_noise(values, 33, &noise), 0);
	assert_true(noise.slice <= 0 && noise.block <= 0);
	assert_true(isnan(noise.lag1));
}

static void too_few_slices_and_rates_of_zero_predict_nothing(void **state)
{
	double values[PREDICT_SLICES] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	struct predict_noise noise;

	(void)state;
	assert_int_equal(predict_noise(values, PREDICT_SLICES - 1, &noise),
			 -ERANGE);
	assert_int_equal(predict_noise(values, PREDICT_SLICES, &noise), 0);
	assert_true(isnan(noise.lag1));
	values[3] = 0;
	assert_int_equal(predict_noise(values, PREDICT_SLICES, &noise),
			 -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(even_noise_is_the_same_for_slice_and_block),
		cmocka_unit_test(
			steady_drift_is_noise_of_slices_and_none_of_blocks),
		cmocka_unit_test(what_is_always_the_same_has_no_noise_at_all),
		cmocka_unit_test(table_has_a_row_for_each_look),
		cmocka_unit_test(
			calm_host_needs_the_first_look_and_a_wild_one_too_many),
		cmocka_unit_test(
			too_few_slices_and_rates_of_zero_predict_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

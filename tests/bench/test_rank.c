/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <math.h>

#include "base/arena.h"
#include "bench/rank.h"
#include "bench/student.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void indices_are_those_of_the_exact_distribution(void **state)
{
	/* At 5 % as printed in every table of the signed-rank test: there
	 * it is the critical value, c - 1. */
	static const struct {
		size_t n;
		double alpha;
		size_t c;
	} rows[] = {
		{ 8, 0.0182, 2 },   { 12, 0.0182, 10 }, { 16, 0.0182, 23 },
		{ 24, 0.0182, 69 }, { 6, 0.05, 1 },	{ 7, 0.05, 3 },
		{ 8, 0.05, 4 },	    { 12, 0.05, 14 },	{ 20, 0.05, 53 },
		{ 25, 0.05, 90 },   { 10, 0.01, 4 },	{ 50, 0.05, 435 },
	};
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(rank_index(arena, rows[i].n, rows[i].alpha),
				 rows[i].c);
	arena_free(arena);
}

static void too_few_values_have_no_interval(void **state)
{
	static const double values[] = { 3, 1, 2, 4, 5 };
	struct arena *arena = arena_new();
	struct rank_interval found;

	(void)state;
	assert_int_equal(rank_index(arena, 0, 0.05), 0);
	assert_int_equal(rank_index(arena, 5, 0.05), 0);
	assert_int_equal(rank_index(arena, 5, 0.0625), 1);
	found = rank_interval(arena, values, 5, 0);
	assert_true(found.estimate >= 3 && found.estimate <= 3);
	assert_true(isnan(found.lower) && isnan(found.upper));
	found = rank_interval(arena, values, 0, 0);
	assert_true(isnan(found.estimate));
	arena_free(arena);
}

/* By hand: 1 2 4 give 1 1.5 2 2.5 3 4. */
static void interval_and_estimate_come_from_the_walsh_averages(void **state)
{
	static const double values[] = { 4, 1, 2 };
	struct arena *arena = arena_new();
	struct rank_interval found = rank_interval(arena, values, 3, 2);

	(void)state;
	assert_int_equal(rank_pairs(3), 6);
	assert_true(fabs(found.estimate - 2.25) < 1e-12);
	assert_true(fabs(found.lower - 1.5) < 1e-12);
	assert_true(fabs(found.upper - 3) < 1e-12);
	arena_free(arena);
}

static void one_burst_hardly_moves_the_estimate(void **state)
{
	static const double calm[] = { 1.0,  1.1,  0.9,	 1.05,
				       0.95, 1.02, 0.98, 1.0 };
	static const double burst[] = { 1.0,  1.1,  0.9,  1.05,
					0.95, 1.02, 0.98, 50.0 };
	struct arena *arena = arena_new();
	struct rank_interval a = rank_interval(arena, calm, 8, 2);
	struct rank_interval b = rank_interval(arena, burst, 8, 2);

	(void)state;
	assert_true(fabs(a.estimate - 1) < 0.01);
	assert_true(fabs(b.estimate - 1) < 0.05);
	assert_true(b.lower > 0.9);
	arena_free(arena);
}

/* From the finite series that the distribution has for whole df, which is
 * another way to it than the incomplete beta function. */
static void t_quantiles_are_right_to_nine_digits(void **state)
{
	static const struct {
		double p;
		uint32_t df;
		double t;
	} rows[] = {
		{ 0.6, 1, 0.3249196962329 },
		{ 0.6, 23, 0.2562970599147 },
		{ 0.8, 2, 1.06066017178 },
		{ 0.8, 7, 0.8960296443138 },
		{ 0.8, 300, 0.8428210111614 },
		{ 0.975, 1, 12.70620473617 },
		{ 0.975, 7, 2.364624251593 },
		{ 0.975, 11, 2.200985160092 },
		{ 0.975, 15, 2.13144954556 },
		{ 0.975, 23, 2.068657610419 },
		{ 0.975, 60, 2.000297822014 },
		{ 0.9909, 7, 3.06480436258 },
		{ 0.9909, 11, 2.770828627131 },
		{ 0.9909, 15, 2.64976242205 },
		{ 0.9909, 23, 2.542486861963 },
		{ 0.995, 3, 5.840909309733 },
		{ 0.995, 300, 2.592316410848 },
		{ 0.99999, 1, 31830.98860786 },
		{ 0.99999, 5, 15.54685453495 },
		{ 0.99999, 300, 4.334062920765 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double t = student_quantile(rows[i].p, rows[i].df);
		double low = student_quantile(1 - rows[i].p, rows[i].df);

		assert_true(fabs(t / rows[i].t - 1) < 1e-10);
		assert_true(fabs(low / rows[i].t + 1) < 1e-10);
	}
	assert_true(fabs(student_quantile(0.5, 9)) < 1e-10);
	/* Of very many degrees it is the normal distribution's. */
	assert_true(fabs(student_quantile(0.975, 100000) - 1.959963985) < 1e-4);
}

static void
detectable_effect_falls_with_blocks_and_grows_with_noise(void **state)
{
	double eight = student_detectable(0.01, 8, 0.05, 0.8);

	(void)state;
	/* (2.3646 + 0.8960) / sqrt(8) and (2.0687 + 0.8575) / sqrt(24) */
	assert_true(fabs(eight - 0.0115280) < 1e-6);
	assert_true(fabs(student_detectable(0.01, 24, 0.05, 0.8) - 0.0059730) <
		    1e-6);
	assert_true(fabs(student_detectable(0.05, 8, 0.05, 0.8) - 5 * eight) <
		    1e-9);
}

static void blocks_needed_are_the_fewest_that_see_the_effect(void **state)
{
	uint32_t n = student_needed(0.01, 0.005, 0.0182, 0.8, 9999);

	(void)state;
	assert_true(student_detectable(0.01, n, 0.0182, 0.8) <= 0.005);
	assert_true(student_detectable(0.01, n - 1, 0.0182, 0.8) > 0.005);
	assert_int_equal(student_needed(0, 0.01, 0.05, 0.8, 9999), 2);
	assert_int_equal(student_needed(0.5, 0.01, 0.05, 0.8, 9999), 0);
	assert_int_equal(student_needed(0.01, 0, 0.05, 0.8, 9999), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(indices_are_those_of_the_exact_distribution),
		cmocka_unit_test(too_few_values_have_no_interval),
		cmocka_unit_test(
			interval_and_estimate_come_from_the_walsh_averages),
		cmocka_unit_test(one_burst_hardly_moves_the_estimate),
		cmocka_unit_test(t_quantiles_are_right_to_nine_digits),
		cmocka_unit_test(
			detectable_effect_falls_with_blocks_and_grows_with_noise),
		cmocka_unit_test(
			blocks_needed_are_the_fewest_that_see_the_effect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

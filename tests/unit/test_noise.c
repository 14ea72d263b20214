/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/strbuf.h"
#include "bench/budget.h"
#include "bench/noise.h"
#include "bench/order.h"
#include "bench/student.h"

static const int abba[] = { 0, 1, 1, 0 };

static void expect_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 + fabs(want) * 1e-9))
		fail_msg("%.12g is not %.12g", got, want);
}

static void noise_is_that_of_slices_and_of_blocks(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	const double values[] = { 100, 110, 90, 100, 120, 80, 100, 100 };
	int arms[8];
	struct noise noise;
	double first, second;

	(void)state;
	memcpy(arms, abba, sizeof(abba));
	memcpy(arms + 4, abba, sizeof(abba));
	noise_find(arena, values, arms, 2, &noise);
	assert_int_equal(noise.slices, 8);
	assert_int_equal(noise.blocks, 2);
	expect_near(noise.mean, 100);
	expect_near(noise.cv, sqrt(1000.0 / 7) / 100);
	/* -100 - 400 from the neighbours, of 1000. */
	expect_near(noise.lag1, -0.5);
	first = (log(110) + log(90) - 2 * log(100)) / 2;
	second = (log(80) + log(100) - log(120) - log(100)) / 2;
	expect_near(noise.block_sd, fabs(first - second) / sqrt(2));
}

static void a_steady_drift_is_no_noise_of_blocks(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	double values[32];
	int arms[32];
	struct noise noise;

	(void)state;
	order_blocks(7, 8, arms);
	for (int i = 0; i < 32; i++)
		values[i] = 1000 * exp(0.01 * i);
	noise_find(arena, values, arms, 8, &noise);
	assert_true(noise.cv > 0.05);
	assert_true(noise.lag1 > 0.8);
	assert_true(noise.block_sd < 1e-9);
}

static void an_unknown_slice_takes_its_block_along(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	const double values[] = { 100, NAN, 90, 100, 120, 80, 100, 100 };
	const double nothing[] = { 0, NAN, -1, INFINITY };
	int arms[8];
	struct noise noise;

	(void)state;
	memcpy(arms, abba, sizeof(abba));
	memcpy(arms + 4, abba, sizeof(abba));
	noise_find(arena, values, arms, 2, &noise);
	assert_int_equal(noise.slices, 7);
	assert_int_equal(noise.blocks, 1);
	assert_true(isnan(noise.block_sd));
	assert_true(isnan(noise_detectable(&noise, &decide_rule_default, 8)));
	assert_int_equal(noise_needed(&noise, &decide_rule_default), 0);

	noise_find(arena, nothing, arms, 1, &noise);
	assert_int_equal(noise.slices, 0);
	assert_true(isnan(noise.mean) && isnan(noise.cv) && isnan(noise.lag1));
	noise_find(arena, nothing, arms, 0, &noise);
	assert_int_equal(noise.slices, 0);
}

static void more_blocks_show_smaller_effects(void **state)
{
	const struct decide_rule *rule = &decide_rule_default;
	const struct noise noise = { .block_sd = 0.01 };
	double before = INFINITY;

	(void)state;
	for (uint32_t n = decide_next(rule, 0); n; n = decide_next(rule, n)) {
		double now = noise_detectable(&noise, rule, n);

		expect_near(now, student_detectable(0.01, n, rule->alpha,
						    rule->power));
		assert_true(now < before);
		before = now;
	}
}

static void the_first_look_that_shows_the_least_gain_is_needed(void **state)
{
	const struct decide_rule *rule = &decide_rule_default;
	struct noise noise = { .block_sd = 0.001 };

	(void)state;
	assert_int_equal(noise_needed(&noise, rule), 8);
	noise.block_sd = 0.5;
	assert_int_equal(noise_needed(&noise, rule), 0);
	noise.block_sd = log1p(rule->min_effect) * 0.9999 /
			 student_detectable(1, 16, rule->alpha, rule->power);
	assert_int_equal(noise_needed(&noise, rule), 16);
}

static void the_time_is_that_of_all_blocks_and_of_the_gate(void **state)
{
	struct budget_work work = { .slice_ms = 2500,
				    .pilot = 2,
				    .comparisons = 1 };

	(void)state;
	assert_int_equal(budget_time_ms(&decide_rule_default, &work),
			 (24 * 4 + 2) * 2500);
	work.comparisons = 3;
	assert_int_equal(budget_time_ms(&decide_rule_default, &work),
			 (3 * (24 * 4 + 2) + 12 * 4) * 2500);
}

static void a_budget_takes_looks_away(void **state)
{
	static const struct {
		uint64_t ms;
		uint32_t looks[DECIDE_LOOKS];
	} rows[] = {
		{ 1000000, { 8, 12, 16, 24 } },
		{ 98 * 2500, { 8, 12, 16, 24 } },
		{ 98 * 2500 - 1, { 8, 12, 16 } },
		{ 50 * 2500, { 8, 12 } },
		{ 49 * 2500, { 8 } },
		{ 30 * 2500, { 7 } },
		{ 26 * 2500, { 6 } },
	};
	const struct budget_work work = { .slice_ms = 2500,
					  .pilot = 2,
					  .comparisons = 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct decide_rule rule = { 0 };
		uint64_t needed = 0;

		assert_int_equal(budget_fit(&decide_rule_default, &work,
					    rows[i].ms, &rule, &needed),
				 0);
		assert_memory_equal(rule.looks, rows[i].looks,
				    sizeof(rule.looks));
		assert_true(budget_time_ms(&rule, &work) <= rows[i].ms);
		assert_int_equal(needed, 26 * 2500);
	}
}

static void a_budget_below_one_look_says_what_that_takes(void **state)
{
	struct budget_work work = { .slice_ms = 2500,
				    .pilot = 2,
				    .comparisons = 2 };
	struct decide_rule rule = { .alpha = 77 };
	uint64_t needed = 0;

	(void)state;
	assert_int_equal(budget_fit(&decide_rule_default, &work, 1000, &rule,
				    &needed),
			 -ERANGE);
	assert_int_equal(needed, (2 * 26 + 48) * 2500);
	expect_near(rule.alpha, 77);
	assert_int_equal(budget_fit(&decide_rule_default, &work, needed - 1,
				    &rule, &needed),
			 -ERANGE);
	assert_int_equal(budget_fit(&decide_rule_default, &work, needed, &rule,
				    &needed),
			 0);
	assert_int_equal(rule.looks[0], 6);
}

static void times_are_told_as_people_say_them(void **state)
{
	static const struct {
		uint64_t ms;
		const char *text;
	} rows[] = {
		{ 0, "0 s" },
		{ 1, "1 s" },
		{ 40000, "40 s" },
		{ 59001, "1 min" },
		{ 200000, "3 min 20 s" },
		{ 3599000, "59 min 59 s" },
		{ 3600000, "1 h" },
		{ 3601000, "1 h 1 min" },
		{ 7200000 + 300000, "2 h 5 min" },
		{ 7199500, "2 h" },
		{ 100 * 3600000ULL, "100 h" },
	};
	_cleanup_arena_ struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf out;

		strbuf_init(&out, arena);
		duration_to_text(rows[i].ms, &out);
		assert_string_equal(out.text, rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_that_of_slices_and_of_blocks),
		cmocka_unit_test(a_steady_drift_is_no_noise_of_blocks),
		cmocka_unit_test(an_unknown_slice_takes_its_block_along),
		cmocka_unit_test(more_blocks_show_smaller_effects),
		cmocka_unit_test(
			the_first_look_that_shows_the_least_gain_is_needed),
		cmocka_unit_test(
			the_time_is_that_of_all_blocks_and_of_the_gate),
		cmocka_unit_test(a_budget_takes_looks_away),
		cmocka_unit_test(a_budget_below_one_look_says_what_that_takes),
		cmocka_unit_test(times_are_told_as_people_say_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

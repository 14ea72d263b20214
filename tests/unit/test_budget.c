/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/strbuf.h"
#include "bench/budget.h"

static void expect_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 + fabs(want) * 1e-9))
		fail_msg("%.12g is not %.12g", got, want);
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
	work.gates = 1;
	assert_int_equal(budget_time_ms(&decide_rule_default, &work),
			 (3 * (24 * 4 + 2) + 12 * 4 + 2) * 2500);
	work.gates = 2;
	assert_int_equal(budget_time_ms(&decide_rule_default, &work),
			 (3 * (24 * 4 + 2) + 2 * (12 * 4 + 2)) * 2500);
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
	struct budget_work work = {
		.slice_ms = 2500, .pilot = 2, .comparisons = 2, .gates = 1
	};
	struct decide_rule rule = { .alpha = 77 };
	uint64_t needed = 0;

	(void)state;
	assert_int_equal(budget_fit(&decide_rule_default, &work, 1000, &rule,
				    &needed),
			 -ERANGE);
	assert_int_equal(needed, (2 * 26 + 48 + 2) * 2500);
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
		cmocka_unit_test(
			the_time_is_that_of_all_blocks_and_of_the_gate),
		cmocka_unit_test(a_budget_takes_looks_away),
		cmocka_unit_test(a_budget_below_one_look_says_what_that_takes),
		cmocka_unit_test(times_are_told_as_people_say_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

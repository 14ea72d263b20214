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
#include "base/err.h"
#include "base/strbuf.h"
#include "bench/boots.h"

static struct boot a_boot(const char *id, int which, double iops)
{
	struct boot boot = { .boot_id = id,
			     .kernel = "6.1.0-53-amd64",
			     .load = "random reads",
			     .which = which };

	for (int i = 0; i < BENCH_METRICS; i++)
		boot.metrics[i] = NAN;
	boot.metrics[BENCH_METRIC_IOPS] = iops;
	boot.metrics[BENCH_METRIC_P99] = 1e9 / iops;
	return boot;
}

static void add(struct arena *arena, struct boots *boots, int which,
		double iops)
{
	struct boot boot = a_boot(
		arena_printf(arena, "boot-%zu", boots->items.n), which, iops);
	struct err err = { 0 };

	assert_int_equal(boots_add(arena, boots, &boot, &err), 0);
}

static char *judge(struct arena *arena, const struct boots *boots,
		   struct boots_result *result)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	boots_judge(arena, boots, result);
	boots_to_text(boots, result, &out);
	return out.text;
}

static void one_boot_each_is_provisional_and_says_why(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct boots boots = { .metric = BENCH_METRIC_IOPS };
	struct boots_result result;

	(void)state;
	add(arena, &boots, BENCH_BEFORE, 1000);
	assert_string_equal(
		judge(arena, &boots, &result),
		"PROVISIONAL: 1 boot before it measured, none with it");
	assert_true(isnan(result.effect));
	add(arena, &boots, BENCH_AFTER, 1100);
	assert_string_equal(
		judge(arena, &boots, &result),
		"PROVISIONAL: IOPS better by 10.0 %, 1 boot before it, 1 boot with it; boots differ by themselves, and so few cannot tell that from the setting: 3 of each, in turns, say more");
	assert_int_equal(result.chance, 1);
}

static void less_latency_is_better(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct boots boots = { .metric = BENCH_METRIC_P99 };
	struct boots_result result;

	(void)state;
	add(arena, &boots, BENCH_AFTER, 2000);
	add(arena, &boots, BENCH_BEFORE, 1000);
	judge(arena, &boots, &result);
	assert_true(fabs(result.effect - log(2)) < 1e-9);
	boots.items.items[0].which = BENCH_BEFORE;
	boots.items.items[1].which = BENCH_AFTER;
	assert_non_null(
		strstr(judge(arena, &boots, &result), "p99 worse by 50.0 %"));
}

static void three_boots_each_that_are_apart_say_how_likely_that_is(void **state)
{
	static const double values[] = { 1000, 1100, 1010, 1120, 990, 1105 };
	_cleanup_arena_ struct arena *arena = arena_new();
	struct boots boots = { .metric = BENCH_METRIC_IOPS };
	struct boots_result result;
	const char *text;

	(void)state;
	for (int i = 0; i < 6; i++)
		add(arena, &boots, i % 2 ? BENCH_AFTER : BENCH_BEFORE,
		    values[i]);
	text = judge(arena, &boots, &result);
	assert_int_equal(result.n[BENCH_BEFORE], 3);
	assert_int_equal(result.n[BENCH_AFTER], 3);
	assert_true(result.apart);
	assert_int_equal(result.chance, 10);
	assert_true(fabs(result.median[BENCH_AFTER] - 1105) < 1e-9);
	assert_non_null(strstr(
		text,
		"PROVISIONAL: IOPS better by 10.5 %, 3 boots before it, 3 boots with it; every boot"));
	assert_non_null(strstr(text, "which chance does once in 10"));
	/* A fourth one that is in between takes that away. */
	add(arena, &boots, BENCH_AFTER, 1005);
	assert_non_null(strstr(judge(arena, &boots, &result), "overlap"));
	assert_false(result.apart);
}

static void a_boot_counts_once(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct boots boots = { .metric = BENCH_METRIC_IOPS };
	struct boot boot = a_boot("boot-0", BENCH_AFTER, 5);
	struct err err = { 0 };

	(void)state;
	add(arena, &boots, BENCH_BEFORE, 1000);
	assert_int_equal(boots_add(arena, &boots, &boot, &err), -EEXIST);
	assert_non_null(strstr(err.text, "measured already"));
	assert_int_equal(boots.items.n, 1);
}

static void another_kernel_or_load_does_not_compare(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct boots boots = { .metric = BENCH_METRIC_IOPS };
	struct boot boot = a_boot("boot-9", BENCH_AFTER, 5);
	struct err err = { 0 };

	(void)state;
	add(arena, &boots, BENCH_BEFORE, 1000);
	boot.kernel = "6.12.9";
	assert_int_equal(boots_add(arena, &boots, &boot, &err), -EXDEV);
	assert_string_equal(
		err.text,
		"not comparable: the boots before ran kernel 6.1.0-53-amd64, this one runs 6.12.9");
	boot = a_boot("boot-9", BENCH_AFTER, 5);
	boot.load = NULL;
	assert_int_equal(boots_check(&boots, &boot, &err), 0);
	boot.load = "runs of \"x\"";
	assert_int_equal(boots_add(arena, &boots, &boot, &err), -EXDEV);
	assert_string_equal(
		err.text,
		"not comparable: the boots before were measured by random reads, this one by runs of \"x\"");
	assert_int_equal(boots.items.n, 1);
}

static void what_a_boot_could_not_measure_does_not_count(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct boots boots = { .metric = BENCH_METRIC_CPU };
	struct boots_result result;

	(void)state;
	add(arena, &boots, BENCH_BEFORE, 1000);
	add(arena, &boots, BENCH_AFTER, 1000);
	judge(arena, &boots, &result);
	assert_int_equal(result.n[BENCH_BEFORE], 0);
	assert_int_equal(result.n[BENCH_AFTER], 0);
	assert_true(isnan(result.effect) && isnan(result.median[0]));
}

static void many_boots_do_not_overflow(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct boots boots = { .metric = BENCH_METRIC_IOPS };
	struct boots_result result;

	(void)state;
	for (int i = 0; i < 400; i++)
		add(arena, &boots, i % 2, 1000 + 10 * (i % 2));
	judge(arena, &boots, &result);
	assert_true(result.apart);
	assert_int_equal(result.chance, 1000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_boot_each_is_provisional_and_says_why),
		cmocka_unit_test(less_latency_is_better),
		cmocka_unit_test(
			three_boots_each_that_are_apart_say_how_likely_that_is),
		cmocka_unit_test(a_boot_counts_once),
		cmocka_unit_test(another_kernel_or_load_does_not_compare),
		cmocka_unit_test(what_a_boot_could_not_measure_does_not_count),
		cmocka_unit_test(many_boots_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

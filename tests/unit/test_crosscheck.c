/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/crosscheck.h"
#include "json/fio_read.h"

static struct arena *arena;

static int set_up(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

/* Ours between a tenth less and more of iops, the other's alike; two slices. */
static void add(struct bench_matrix *matrix, uint64_t iops, uint64_t fio)
{
	struct bench_cell *cell = vec_add(arena, &matrix->cells);
	struct bench_check *check = ARENA_NEW(arena, struct bench_check);

	cell->summary.iops = iops;
	cell->summary.iops_min = iops * 9 / 10;
	cell->summary.iops_max = iops * 11 / 10;
	check->summary.iops = fio;
	check->summary.iops_min = fio * 9 / 10;
	check->summary.iops_max = fio * 11 / 10;
	for (size_t i = 0; i < 2; i++) {
		*vec_add(arena, &cell->slices) =
			(struct bench_slice){ .ios = 1000, .cpu_ns = 2000000 };
		*vec_add(arena, &check->slices) =
			(struct bench_slice){ .ios = 100, .cpu_ns = 500000 };
	}
	cell->check = check;
}

static void ratios_are_of_every_cell_that_both_measured(void **state)
{
	struct bench_matrix matrix = { 0 };
	struct crosscheck check;

	(void)state;
	add(&matrix, 3000, 1000);
	add(&matrix, 1500, 1000);
	add(&matrix, 2000, 1000);
	add(&matrix, 9000, 1000);
	matrix.cells.items[3].skipped = "no CPU";
	assert_true(crosscheck_judge(arena, &matrix, &check));
	assert_int_equal(check.cells, 3);
	assert_int_equal(check.least_ppt, 1500);
	assert_int_equal(check.median_ppt, 2000);
	assert_int_equal(check.most_ppt, 3000);
	assert_int_equal(check.cpu_ppt, 400); /* 2 us of 5 us */
}

static void order_counts_only_where_both_are_sure(void **state)
{
	struct bench_matrix matrix = { 0 };
	struct crosscheck check;

	(void)state;
	add(&matrix, 1000, 500);
	add(&matrix, 2000, 900);  /* above the first in both */
	add(&matrix, 2100, 2000); /* above the second by the other alone */
	assert_true(crosscheck_judge(arena, &matrix, &check));
	assert_int_equal(check.pairs, 2);
	assert_int_equal(check.agreeing, 2);
	add(&matrix, 4000, 100); /* above all, below all */
	assert_true(crosscheck_judge(arena, &matrix, &check));
	assert_int_equal(check.pairs, 5);
	assert_int_equal(check.agreeing, 2);
}

static void single_slices_are_not_apart(void **state)
{
	struct bench_matrix matrix = { 0 };
	struct crosscheck check;

	(void)state;
	add(&matrix, 1000, 2000);
	add(&matrix, 2000, 1000);
	matrix.cells.items[0].slices.n = 1;
	assert_true(crosscheck_judge(arena, &matrix, &check));
	assert_int_equal(check.pairs, 0);
}

static void slices_that_agree_are_apart_from_others(void **state)
{
	struct bench_matrix matrix = { 0 };
	struct bench_summary *held;
	struct crosscheck check;

	(void)state;
	add(&matrix, 200, 200); /* by a limit of so many a second */
	add(&matrix, 2000, 1000);
	held = &matrix.cells.items[0].summary;
	held->iops_min = held->iops_max = held->iops;
	assert_true(crosscheck_judge(arena, &matrix, &check));
	assert_int_equal(check.agreeing, 1);
}

static void nothing_measured_by_both_is_no_check(void **state)
{
	struct bench_matrix matrix = { 0 };
	struct crosscheck check;

	(void)state;
	assert_false(crosscheck_judge(arena, &matrix, &check));
	add(&matrix, 1000, 500);
	matrix.cells.items[0].check = NULL;
	assert_false(crosscheck_judge(arena, &matrix, &check));
}

static int read_fio(const char *text, struct bench_slice *ret, struct err *err)
{
	*err = (struct err){ 0 };
	return fio_slice_from_json(arena, text, strlen(text), ret, err);
}

static void what_fio_prints_is_a_slice(void **state)
{
	static const char text[] =
		"fio: a warning\n"
		"{\"jobs\": [{\"error\": 0, \"job_runtime\": 4000,"
		" \"usr_cpu\": 10.0, \"sys_cpu\": 15, \"read\": {"
		"\"total_ios\": 3000, \"runtime\": 2000, \"lat_ns\": {"
		"\"min\": 90, \"max\": 9000, \"mean\": 1000.5, \"bins\":"
		" {\"100\": 2990, \"8000\": 10}}}}]}";
	struct bench_slice slice;
	struct err err;

	(void)state;
	if (read_fio(text, &slice, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(slice.ios, 3000);
	assert_int_equal(slice.iops, 1500);
	assert_int_equal(slice.elapsed_ns, 2000000000);
	assert_int_equal(slice.cpu_ns, 1000000000);
	assert_int_equal(slice.latency->count, 3000);
	assert_int_equal(histogram_mean(slice.latency), 1000);
	assert_in_range(histogram_quantile(slice.latency, 990000), 100, 102);
	assert_in_range(histogram_quantile(slice.latency, 999000), 8000, 8128);
}

static void figures_beyond_all_counts_are_none(void **state)
{
	static const char text[] =
		"{\"jobs\": [{\"job_runtime\": 4000,"
		" \"usr_cpu\": -10.0, \"sys_cpu\": 1, \"read\": {"
		"\"total_ios\": 3000, \"runtime\": 2000, \"lat_ns\": {"
		"\"mean\": 1e300, \"bins\": {\"100\": 3000}}}}]}";
	struct bench_slice slice;
	struct err err;

	(void)state;
	if (read_fio(text, &slice, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(slice.cpu_ns, 0);
	assert_int_equal(slice.latency->sum_ns, 0);
}

static void what_is_no_result_of_fio_is_refused(void **state)
{
	struct bench_slice slice = { .ios = 7 };
	struct err err;

	(void)state;
	assert_int_equal(read_fio("fio: cannot open", &slice, &err), -EBADMSG);
	assert_string_equal(err.text, "fio: no JSON");
	assert_int_equal(read_fio("{\"jobs\": []}", &slice, &err), -EBADMSG);
	assert_int_equal(read_fio("{\"jobs\": [{\"error\": 5}]}", &slice, &err),
			 -EBADMSG);
	assert_string_equal(err.text, "fio failed: Input/output error");
	assert_int_equal(read_fio("{\"jobs\": [{\"read\": {\"runtime\": 9}}]}",
				  &slice, &err),
			 -EBADMSG);
	assert_true(read_fio("{\"jobs\": [", &slice, &err) < 0);
	assert_int_equal(slice.ios, 7);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(ratios_are_of_every_cell_that_both_measured),
		T(order_counts_only_where_both_are_sure),
		T(single_slices_are_not_apart),
		T(slices_that_agree_are_apart_from_others),
		T(nothing_measured_by_both_is_no_check),
		T(what_fio_prints_is_a_slice),
		T(figures_beyond_all_counts_are_none),
		T(what_is_no_result_of_fio_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

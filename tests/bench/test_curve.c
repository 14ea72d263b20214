/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "bench/curve.h"

static void add(struct arena *arena, struct bench_matrix *matrix, size_t drive,
		int64_t node, uint32_t jobs, uint32_t depth, uint64_t iops,
		uint64_t mean_ns)
{
	*vec_add(arena, &matrix->cells) = (struct bench_cell){
		.drive = drive,
		.node = node,
		.method = { .jobs = jobs, .depth = depth },
		.summary = { .iops = iops, .mean_ns = mean_ns },
	};
}

static struct bench_matrix two_drives(struct arena *arena)
{
	struct bench_matrix matrix = { 0 };

	*vec_add(arena, &matrix.drives) = "nvme0n1";
	*vec_add(arena, &matrix.drives) = "nvme1n1";
	return matrix;
}

static void curves_of_drives_are_told_apart(void **state)
{
	struct arena *arena = arena_new();
	struct bench_matrix matrix = two_drives(arena);
	struct curves curves;
	struct strbuf out;

	(void)state;
	/* In any order, mixed, one depth short of reads in flight. */
	add(arena, &matrix, 0, 1, 1, 128, 640000, 200000);
	add(arena, &matrix, 1, 1, 1, 32, 700000, 45714);
	add(arena, &matrix, 0, 1, 1, 32, 370000, 86000);
	add(arena, &matrix, 0, 1, 1, 64, 500000, 114000);
	add(arena, &matrix, 1, 1, 4, 32, 2000000, 64000);
	add(arena, &matrix, 0, 1, 1, 16, 200000, 80000);
	curves_find(arena, &matrix, &curves);
	assert_int_equal(curves.items.n, 2);
	assert_int_equal(curves.items.items[0].knee.free_depth, 32);
	assert_int_equal(curves.items.items[0].points, 4);
	assert_int_equal(curves.items.items[0].holding, 3);
	assert_true(curves.items.items[1].over_jobs);
	strbuf_init(&out, arena);
	curves_to_text(&curves, &out);
	assert_non_null(strstr(out.text, "nvme0n1: knee 32..64"));
	assert_non_null(strstr(out.text, "within 2 % at 3 of 4 depths only"));
	assert_non_null(strstr(out.text, "nvme1n1: scales 71 % from 1"));
	arena_free(arena);
}

static void one_cell_from_each_node_is_no_curve(void **state)
{
	struct arena *arena = arena_new();
	struct bench_matrix matrix = two_drives(arena);
	struct curves curves;

	(void)state;
	for (size_t drive = 0; drive < 2; drive++)
		for (int64_t node = 0; node < 3; node++)
			add(arena, &matrix, drive, node, 16, 32, 100000,
			    5120000);
	curves_find(arena, &matrix, &curves);
	assert_int_equal(curves.items.n, 0);
	arena_free(arena);
}

/* 32 shared by 6 are 5 each. */
static void reads_shared_out_among_cpus_scale_too(void **state)
{
	struct arena *arena = arena_new();
	struct bench_matrix matrix = two_drives(arena);
	struct curves curves;

	(void)state;
	add(arena, &matrix, 0, 0, 1, 32, 300000, 106667);
	add(arena, &matrix, 0, 0, 4, 8, 400000, 80000);
	add(arena, &matrix, 0, 0, 6, 5, 390000, 76923);
	curves_find(arena, &matrix, &curves);
	assert_int_equal(curves.items.n, 1);
	assert_true(curves.items.items[0].over_jobs);
	assert_int_equal(curves.items.items[0].scaling.to_cpus, 6);
	arena_free(arena);
}

/* As scenarios are: other jobs, other depths, other blocks. */
static void unlike_shapes_are_no_curve(void **state)
{
	struct arena *arena = arena_new();
	struct bench_matrix matrix = two_drives(arena);
	struct curves curves;

	(void)state;
	add(arena, &matrix, 0, 0, 1, 1, 12500, 80000);
	add(arena, &matrix, 0, 0, 16, 256, 640000, 6400000);
	add(arena, &matrix, 0, 0, 4, 16, 300000, 213333);
	curves_find(arena, &matrix, &curves);
	assert_int_equal(curves.items.n, 0);
	matrix.cells.n = 0;
	add(arena, &matrix, 0, 0, 1, 1, 12500, 80000);
	add(arena, &matrix, 0, 0, 1, 2, 25000, 80000);
	add(arena, &matrix, 0, 0, 1, 4, 20000, 200000);
	matrix.cells.items[2].method.block_bytes = 65536;
	curves_find(arena, &matrix, &curves);
	assert_int_equal(curves.items.n, 0);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(curves_of_drives_are_told_apart),
		cmocka_unit_test(one_cell_from_each_node_is_no_curve),
		cmocka_unit_test(reads_shared_out_among_cpus_scale_too),
		cmocka_unit_test(unlike_shapes_are_no_curve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <string.h>

#include "base/arena.h"
#include "bench/order.h"
#include "bench/random.h"
#include "bench/stats.h"

static void latin_order_visits_each_once_a_pass_and_at_every_place(void **state)
{
	struct arena *arena = arena_new();
	size_t order[5 * 5];
	unsigned int at[5] = { 0 };

	(void)state;
	order_latin(arena, 42, 5, 5, order);
	for (size_t pass = 0; pass < 5; pass++) {
		unsigned int seen = 0;

		for (size_t i = 0; i < 5; i++) {
			assert_true(order[pass * 5 + i] < 5);
			seen |= 1U << order[pass * 5 + i];
			at[i] |= 1U << order[pass * 5 + i];
		}
		assert_int_equal(seen, 0x1f);
	}
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(at[i], 0x1f);
	arena_free(arena);
}

static void order_repeats_from_its_seed_and_differs_with_another(void **state)
{
	struct arena *arena = arena_new();
	size_t a[8 * 8], b[8 * 8], c[8 * 8];
	int x[4 * 64], y[4 * 64], z[4 * 64];

	(void)state;
	order_latin(arena, 7, 8, 8, a);
	order_latin(arena, 7, 8, 8, b);
	order_latin(arena, 8, 8, 8, c);
	assert_memory_equal(a, b, sizeof(a));
	assert_memory_not_equal(a, c, sizeof(a));
	order_blocks(7, 64, x);
	order_blocks(7, 64, y);
	order_blocks(8, 64, z);
	assert_memory_equal(x, y, sizeof(x));
	assert_memory_not_equal(x, z, sizeof(x));
	arena_free(arena);
}

static void more_passes_than_cells_begin_another_square(void **state)
{
	struct arena *arena = arena_new();
	size_t order[6 * 2];

	(void)state;
	order_latin(arena, 3, 2, 6, order);
	for (size_t pass = 0; pass < 6; pass++)
		assert_int_equal(order[pass * 2] + order[pass * 2 + 1], 1);
	order_latin(arena, 3, 0, 6, order);
	arena_free(arena);
}

static void blocks_toss_fairly_between_abba_and_baab(void **state)
{
	int arms[4 * 1000], b_first = 0;

	(void)state;
	order_blocks(1, 1000, arms);
	for (int block = 0; block < 1000; block++) {
		const int *slice = arms + 4 * block;

		assert_int_equal(slice[0] + slice[1] + slice[2] + slice[3], 2);
		assert_int_equal(slice[0], slice[3]);
		b_first += slice[0];
	}
	assert_in_range(b_first, 400, 600);
}

static void random_numbers_are_even_and_below_their_range(void **state)
{
	uint64_t range = (UINT64_C(1) << 33) + 12345; /* 35 TB of blocks */
	unsigned int tenths[10] = { 0 };
	struct random random;

	(void)state;
	random_seed(&random, 1, 0);
	for (int i = 0; i < 100000; i++) {
		uint64_t value = random_below(&random, range);

		assert_true(value < range);
		tenths[value / (range / 10 + 1)]++;
	}
	for (int i = 0; i < 10; i++)
		assert_in_range(tenths[i], 9500, 10500);
}

static void workers_with_one_seed_read_different_places(void **state)
{
	struct random a, b;
	int same = 0;

	(void)state;
	random_seed(&a, 1, 0);
	random_seed(&b, 1, 1);
	for (int i = 0; i < 1000; i++)
		same += random_below(&a, 1 << 20) == random_below(&b, 1 << 20);
	assert_in_range(same, 0, 5);
}

static void median_is_the_middle_or_the_mean_of_two(void **state)
{
	const uint64_t odd[] = { 9, 1, 5 }, even[] = { 10, 1, 4, 100 };
	const uint64_t huge[] = { UINT64_MAX, UINT64_MAX - 2 };
	struct arena *arena = arena_new();

	(void)state;
	assert_int_equal(stats_median(arena, odd, 3), 5);
	assert_int_equal(stats_median(arena, even, 4), 7);
	assert_true(stats_median(arena, huge, 2) == UINT64_MAX - 1);
	assert_int_equal(stats_median(arena, NULL, 0), 0);
	arena_free(arena);
}

/* Against the tables of the sign test. */
static void range_of_the_median_is_as_sure_as_it_says(void **state)
{
	const uint64_t values[] = { 90, 10, 50, 30, 70, 20, 80, 40, 60 };
	struct arena *arena = arena_new();
	uint64_t low = 0, high = 0;

	(void)state;
	assert_int_equal(stats_median_range(arena, values, 4, &low, &high),
			 875);
	assert_int_equal(low, 10);
	assert_int_equal(high, 90);
	assert_int_equal(stats_median_range(arena, values, 6, &low, &high),
			 969);
	assert_int_equal(low, 10);
	assert_int_equal(high, 90);
	assert_int_equal(stats_median_range(arena, values, 9, &low, &high),
			 961);
	assert_int_equal(low, 20);
	assert_int_equal(high, 80);
	assert_int_equal(stats_median_range(arena, values, 1, &low, &high), 0);
	assert_int_equal(low, 90);
	assert_int_equal(high, 90);
	assert_int_equal(stats_median_range(arena, values, 0, &low, &high), 0);
	arena_free(arena);
}

static void ratio_of_nothing_is_no_ratio(void **state)
{
	(void)state;
	assert_int_equal(stats_ppt(1, 0), -1);
	assert_int_equal(stats_ppt(0, 5), 0);
	assert_int_equal(stats_ppt(2, 3), 667);
	assert_int_equal(stats_ppt(1500000000000, 1000000000000), 1500);
}

static void rate_and_latency_are_held_against_what_was_in_flight(void **state)
{
	static struct histogram none;
	const struct bench_method method = { .jobs = 1, .depth = 8 };
	struct arena *arena = arena_new();
	struct bench_slice slices[2] = {
		{ .in_flight_milli = 8000,
		  .held_milli = 8000,
		  .merges = num_known(1),
		  .latency = &none },
		{ .in_flight_milli = 7000,
		  .held_milli = 8000,
		  .merges = num_known(2),
		  .latency = &none },
	};
	struct bench_summary summary = stats_summary(arena, slices, 2, &method);

	(void)state;
	assert_int_equal(summary.little_ppt, 938);
	assert_int_equal(num_or(summary.merges, -1), 3);
	slices[1].merges = num_unknown(1);
	slices[1].errors = 1; /* which have no latency */
	summary = stats_summary(arena, slices, 2, &method);
	assert_int_equal(summary.little_ppt, -1);
	assert_false(summary.merges.known);
	slices[0].held_milli = slices[1].held_milli = slices[1].errors = 0;
	assert_int_equal(stats_summary(arena, slices, 2, &method).little_ppt,
			 -1);
	arena_free(arena);
}

static void summary_merges_latencies_and_keeps_the_spread(void **state)
{
	const struct bench_method method = { .jobs = 1, .depth = 32 };
	struct arena *arena = arena_new();
	struct bench_slice slices[3] = { 0 };
	struct bench_summary summary;

	(void)state;
	for (int i = 0; i < 3; i++) {
		slices[i].latency = ARENA_NEW(arena, struct histogram);
		slices[i].iops = 100 + (uint64_t)i * 50;
		slices[i].ios = 100;
		slices[i].in_flight_milli = 31900;
		for (int j = 0; j < 100; j++)
			histogram_add(slices[i].latency,
				      i == 2 ? 900000 : 100000);
	}
	slices[1].errors = 2;
	slices[1].first_error = 5;
	summary = stats_summary(arena, slices, 3, &method);
	assert_int_equal(summary.ios, 300);
	assert_int_equal(summary.iops, 150);
	assert_int_equal(summary.iops_min, 100);
	assert_int_equal(summary.iops_max, 200);
	assert_int_equal(summary.errors, 2);
	assert_int_equal(summary.first_error, 5);
	assert_int_equal(summary.max_ns, 900000);
	assert_in_range(summary.p50_ns, 100000, 101600);
	assert_int_equal(summary.p99_ns, 900000);
	assert_int_equal(summary.mean_ns, (200 * 100000 + 100 * 900000) / 300);
	assert_false(summary.cpu_bound);
	slices[0].in_flight_milli = slices[1].in_flight_milli = 28000;
	assert_true(stats_summary(arena, slices, 3, &method).cpu_bound);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			latin_order_visits_each_once_a_pass_and_at_every_place),
		cmocka_unit_test(
			order_repeats_from_its_seed_and_differs_with_another),
		cmocka_unit_test(more_passes_than_cells_begin_another_square),
		cmocka_unit_test(blocks_toss_fairly_between_abba_and_baab),
		cmocka_unit_test(random_numbers_are_even_and_below_their_range),
		cmocka_unit_test(workers_with_one_seed_read_different_places),
		cmocka_unit_test(median_is_the_middle_or_the_mean_of_two),
		cmocka_unit_test(range_of_the_median_is_as_sure_as_it_says),
		cmocka_unit_test(ratio_of_nothing_is_no_ratio),
		cmocka_unit_test(
			rate_and_latency_are_held_against_what_was_in_flight),
		cmocka_unit_test(summary_merges_latencies_and_keeps_the_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

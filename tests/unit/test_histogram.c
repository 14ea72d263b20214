/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/histogram.h"

static struct histogram one, other;

static int set_up(void **state)
{
	(void)state;
	memset(&one, 0, sizeof(one));
	memset(&other, 0, sizeof(other));
	return 0;
}

static void buckets_grow_with_the_value_and_never_by_more_than_one(void **state)
{
	uint32_t last = 0;

	(void)state;
	for (uint64_t ns = 0; ns < 1000000; ns++) {
		uint32_t bucket = histogram_bucket(ns);

		assert_true(bucket == last || bucket == last + 1);
		last = bucket;
	}
}

static void a_value_is_told_with_at_most_1_6_percent_added(void **state)
{
	(void)state;
	for (uint64_t ns = 1; ns < UINT64_C(1) << HISTOGRAM_TOP_BITS;
	     ns = ns * 9 / 7 + 1) {
		uint64_t told;

		memset(&one, 0, sizeof(one));
		histogram_add(&one, ns);
		/* A larger one, so that the maximum does not cap the answer. */
		histogram_add(&one, ns * 4);
		told = histogram_quantile(&one, 500000);
		assert_true(told >= ns);
		assert_true((told - ns) * 1000 <= ns * 16);
	}
}

static void huge_values_share_the_last_bucket(void **state)
{
	(void)state;
	assert_int_equal(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
	assert_int_equal(histogram_bucket(UINT64_C(1) << HISTOGRAM_TOP_BITS),
			 HISTOGRAM_BUCKETS - 1);
	histogram_add(&one, UINT64_C(1) << 50);
	assert_true(histogram_quantile(&one, 990000) == UINT64_C(1) << 50);
}

static void quantiles_are_ranks_and_never_above_the_largest(void **state)
{
	(void)state;
	for (uint64_t ns = 1; ns <= 50; ns++)
		histogram_add(&one, ns);
	assert_int_equal(histogram_quantile(&one, 0), 1);
	assert_int_equal(histogram_quantile(&one, 500000), 25);
	assert_int_equal(histogram_quantile(&one, 980000), 49);
	assert_int_equal(histogram_quantile(&one, 990000), 50);
	assert_int_equal(histogram_quantile(&one, 1000000), 50);
	histogram_add(&one, 1000001);
	assert_int_equal(histogram_quantile(&one, 1000000), 1000001);
}

static void merged_is_as_if_counted_in_one(void **state)
{
	static struct histogram all;

	(void)state;
	memset(&all, 0, sizeof(all));
	for (uint64_t ns = 3; ns < 5000000; ns += ns / 5 + 1) {
		histogram_add(ns % 2 ? &one : &other, ns);
		histogram_add(&all, ns);
	}
	histogram_merge(&one, &other);
	assert_memory_equal(&one, &all, sizeof(all));
}

static void empty_one_says_zero_and_changes_nothing_when_merged(void **state)
{
	(void)state;
	assert_int_equal(histogram_quantile(&other, 990000), 0);
	assert_int_equal(histogram_mean(&other), 0);
	histogram_add(&one, 7);
	histogram_merge(&one, &other);
	assert_int_equal(one.min_ns, 7);
	histogram_merge(&other, &one);
	assert_int_equal(other.min_ns, 7);
	assert_int_equal(other.count, 1);
}

#define T(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(buckets_grow_with_the_value_and_never_by_more_than_one),
		T(a_value_is_told_with_at_most_1_6_percent_added),
		T(huge_values_share_the_last_bucket),
		T(quantiles_are_ranks_and_never_above_the_largest),
		T(merged_is_as_if_counted_in_one),
		T(empty_one_says_zero_and_changes_nothing_when_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

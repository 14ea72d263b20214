/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/watch.h"

/* A second of 1000 requests of 100 us, on a disk that did some before. */
static struct watch usual(void)
{
	struct watch watch;

	watch_start(&watch, (struct watch_count){ 500000, 40000 },
		    (struct watch_count){ 501000, 40098 });
	return watch;
}

static void the_same_wait_is_fine(void **state)
{
	struct watch watch = usual();
	uint64_t ns = 0;

	(void)state;
	assert_int_equal(watch.usual_ns, 100000);
	assert_int_equal(watch_look(&watch,
				    (struct watch_count){ 502000, 40198 }, &ns),
			 WATCH_FINE);
	assert_int_equal(ns, 100000);
}

static void twice_the_wait_is_told(void **state)
{
	struct watch watch = usual();
	uint64_t ns = 0;

	(void)state;
	assert_int_equal(watch_look(&watch,
				    (struct watch_count){ 502000, 40297 }, &ns),
			 WATCH_FINE);
	assert_int_equal(watch_look(&watch,
				    (struct watch_count){ 503000, 40497 }, &ns),
			 WATCH_DOUBLED);
	assert_int_equal(ns, 200000);
}

static void a_good_while_does_not_hide_a_bad_one(void **state)
{
	struct watch watch = usual();
	uint64_t ns = 0;

	(void)state;
	for (uint64_t i = 1; i <= 100; i++)
		assert_int_equal(
			watch_look(&watch,
				   (struct watch_count){ 501000 + 100 * i,
							 40098 + 10 * i },
				   &ns),
			WATCH_FINE);
	assert_int_equal(watch_look(&watch,
				    (struct watch_count){ 511100, 41128 }, &ns),
			 WATCH_DOUBLED);
}

static void few_requests_are_gathered_until_they_tell(void **state)
{
	struct watch watch = usual();
	uint64_t ns = 7;

	(void)state;
	assert_int_equal(watch_look(&watch,
				    (struct watch_count){ 501000, 40098 }, &ns),
			 WATCH_UNCLEAR);
	assert_int_equal(watch_look(&watch,
				    (struct watch_count){ 501031, 40898 }, &ns),
			 WATCH_UNCLEAR);
	assert_int_equal(ns, 7);
	assert_int_equal(watch_look(&watch,
				    (struct watch_count){ 501032, 40898 }, &ns),
			 WATCH_DOUBLED);
	assert_int_equal(ns, 25000000);
}

static void quiet_users_are_compared_to_all_their_past(void **state)
{
	struct watch watch;
	uint64_t ns = 0;

	(void)state;
	watch_start(&watch, (struct watch_count){ 1000, 1998 },
		    (struct watch_count){ 1000, 1998 });
	assert_int_equal(watch.usual_ns, 2000000);
	assert_int_equal(watch_look(&watch, (struct watch_count){ 1100, 2098 },
				    &ns),
			 WATCH_FINE);
	assert_int_equal(watch_look(&watch, (struct watch_count){ 1200, 2498 },
				    &ns),
			 WATCH_DOUBLED);
}

static void users_without_a_past_are_never_judged(void **state)
{
	struct watch watch;
	uint64_t ns = 0;

	(void)state;
	watch_start(&watch, (struct watch_count){ 0, 0 },
		    (struct watch_count){ 31, 5 });
	assert_int_equal(watch.usual_ns, 0);
	assert_int_equal(watch_look(&watch,
				    (struct watch_count){ 10000, 99999 }, &ns),
			 WATCH_UNCLEAR);
}

/* 32 requests of 30 us read as 0 ms; 64 us each would read as 2 ms. */
static void cut_milliseconds_are_no_change(void **state)
{
	struct watch watch;
	uint64_t ns = 0;

	(void)state;
	watch_start(&watch, (struct watch_count){ 100, 3 },
		    (struct watch_count){ 132, 3 });
	assert_int_equal(watch_look(&watch, (struct watch_count){ 164, 6 },
				    &ns),
			 WATCH_FINE);
	assert_int_equal(watch_look(&watch, (struct watch_count){ 196, 10 },
				    &ns),
			 WATCH_DOUBLED);
}

static void device_that_came_back_begins_anew(void **state)
{
	struct watch watch = usual();
	uint64_t ns = 0;

	(void)state;
	assert_int_equal(watch_look(&watch, (struct watch_count){ 10, 1 }, &ns),
			 WATCH_UNCLEAR);
	assert_int_equal(watch_look(&watch, (struct watch_count){ 110, 11 },
				    &ns),
			 WATCH_FINE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_wait_is_fine),
		cmocka_unit_test(twice_the_wait_is_told),
		cmocka_unit_test(a_good_while_does_not_hide_a_bad_one),
		cmocka_unit_test(few_requests_are_gathered_until_they_tell),
		cmocka_unit_test(quiet_users_are_compared_to_all_their_past),
		cmocka_unit_test(users_without_a_past_are_never_judged),
		cmocka_unit_test(cut_milliseconds_are_no_change),
		cmocka_unit_test(device_that_came_back_begins_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

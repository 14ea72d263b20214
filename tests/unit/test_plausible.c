/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "core/link.h"
#include "core/plausible.h"

static void more_in_flight_than_asked_for_cannot_be(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	/* 16 jobs of 32, as four cells of a host with 8 nodes. */
	assert_null(plausible_in_flight(arena, 940000, 544700, 512));
	assert_null(plausible_in_flight(arena, 179000, 2860300, 512));
	/* Fewer: the submitters are the limit. */
	assert_null(plausible_in_flight(arena, 100000, 100000, 512));
	assert_string_equal(
		plausible_in_flight(arena, 300000, 200000, 32),
		"300000 IOPS that take 200 us each are 60 in flight, and 32 were asked for");
	assert_non_null(plausible_in_flight(arena, UINT64_MAX, 2, 32));
	arena_free(arena);
}

/* What iostat printed of two databases: waits and queues that do not belong
 * to one another. */
static void waits_and_queues_of_iostat_are_held_to_the_same_law(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	assert_non_null(plausible_in_flight(arena, 42351, 18420000, 13));
	assert_null(plausible_in_flight(arena, 42351, 18420000, 780));
	assert_non_null(plausible_in_flight(arena, 45000, 180200000, 146));
	assert_null(plausible_in_flight(arena, 45000, 180200000, 8170));
	arena_free(arena);
}

static void more_than_the_link_carries_cannot_be(void **state)
{
	struct num one_lane = link_bandwidth_mbs(num_known(8000), num_known(1));
	struct arena *arena = arena_new();

	(void)state;
	assert_null(plausible_link(arena, 240000, 4096, one_lane));
	assert_string_equal(
		plausible_link(arena, 300000, 4096, one_lane),
		"300000 IOPS of 4096 bytes are 1228 MB/s, and the link carries 985 MB/s");
	assert_non_null(plausible_link(arena, UINT64_MAX, 4096, one_lane));
	arena_free(arena);
}

static void what_is_unknown_is_no_contradiction(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	assert_null(plausible_in_flight(arena, 300000, 200000, 0));
	assert_null(plausible_in_flight(arena, 300000, 0, 32));
	assert_null(plausible_link(arena, 300000, 4096, num_unknown(0)));
	assert_null(plausible_link(arena, 300000, 0, num_known(985)));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_in_flight_than_asked_for_cannot_be),
		cmocka_unit_test(
			waits_and_queues_of_iostat_are_held_to_the_same_law),
		cmocka_unit_test(more_than_the_link_carries_cannot_be),
		cmocka_unit_test(what_is_unknown_is_no_contradiction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

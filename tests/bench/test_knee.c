/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "bench/knee.h"

/* A drive whose latency is 80 us until it is busy. */
static const struct knee_point curve[] = {
	{ 1, 12500, 80000 },	{ 2, 25000, 80000 },	 { 4, 50000, 80000 },
	{ 8, 100000, 80000 },	{ 16, 200000, 80000 },	 { 32, 370000, 86000 },
	{ 64, 560000, 114000 }, { 128, 640000, 200000 },
};

#define POINTS (sizeof(curve) / sizeof(curve[0]))

static void assert_text(struct strbuf *out, const char *part)
{
	if (!strstr(out->text, part))
		fail_msg("\"%s\" does not say \"%s\"", out->text, part);
	strbuf_reset(out);
}

static void knee_lies_between_free_and_crowded(void **state)
{
	struct arena *arena = arena_new();
	struct strbuf out;
	struct knee knee;

	(void)state;
	strbuf_init(&out, arena);
	assert_true(knee_find(curve, POINTS, &knee));
	assert_int_equal(knee.free_depth, 32);
	assert_int_equal(knee.depth, 64);
	assert_int_equal(knee.iops, 560000);
	assert_int_equal(knee.mean_ns, 114000);
	assert_false(knee.beyond);
	knee_to_text(&knee, &out);
	assert_text(&out, "knee 32..64: latency hardly grows up to 32");
	arena_free(arena);
}

static void curve_that_does_not_bend_has_no_knee(void **state)
{
	struct arena *arena = arena_new();
	struct strbuf out;
	struct knee knee;

	(void)state;
	strbuf_init(&out, arena);
	assert_true(knee_find(curve, 5, &knee));
	assert_true(knee.beyond);
	assert_int_equal(knee.depth, 16);
	knee_to_text(&knee, &out);
	assert_text(&out, "no knee up to 16 in flight");
	arena_free(arena);
}

/* Another program was busy while two reads were in flight. */
static void dent_in_a_curve_is_no_knee(void **state)
{
	struct knee_point dented[POINTS];
	struct knee knee;

	(void)state;
	memcpy(dented, curve, sizeof(curve));
	dented[1] = (struct knee_point){ 2, 13300, 150000 };
	assert_true(knee_find(dented, POINTS, &knee));
	assert_int_equal(knee.depth, 64);
	assert_int_equal(knee.free_depth, 1);
	assert_false(knee.beyond);
}

static void curve_that_is_flat_from_the_start_bends_at_once(void **state)
{
	static const struct knee_point flat[] = {
		{ 1, 100000, 10000 },
		{ 2, 100000, 20000 },
		{ 4, 100000, 40000 },
	};
	struct arena *arena = arena_new();
	struct strbuf out;
	struct knee knee;

	(void)state;
	strbuf_init(&out, arena);
	assert_true(knee_find(flat, 3, &knee));
	assert_int_equal(knee.free_depth, 1);
	assert_int_equal(knee.depth, 1);
	knee_to_text(&knee, &out);
	assert_text(&out, "knee 1: ");
	arena_free(arena);
}

static void what_is_no_curve_has_no_knee(void **state)
{
	struct knee_point points[3] = { curve[0], curve[1], curve[2] };
	struct knee knee;

	(void)state;
	assert_false(knee_find(curve, 2, &knee));
	points[1].depth = points[0].depth;
	assert_false(knee_find(points, 3, &knee));
	points[1] = curve[1];
	points[2].mean_ns = 0;
	assert_false(knee_find(points, 3, &knee));
}

static void rate_is_depth_over_latency(void **state)
{
	struct knee_point point = { 32, 160000, 200000 };

	(void)state;
	for (size_t i = 0; i < POINTS; i++)
		assert_int_equal(knee_flight(&curve[i]), KNEE_FLIGHT_HOLDS);
	assert_int_equal(knee_in_flight_ppt(&point), 1000);
	point.iops = 120000;
	assert_int_equal(knee_flight(&point), KNEE_FLIGHT_SHORT);
	assert_int_equal(knee_in_flight_ppt(&point), 750);
	point.iops = 170000;
	assert_int_equal(knee_flight(&point), KNEE_FLIGHT_IMPOSSIBLE);
	point.iops = 0;
	assert_int_equal(knee_flight(&point), KNEE_FLIGHT_UNKNOWN);
	assert_int_equal(knee_in_flight_ppt(&point), -1);
}

static void cpus_that_bring_nothing_are_flat(void **state)
{
	static const struct scaling_point grows[] = { { 1, 700000 },
						      { 4, 2000000 } };
	static const struct scaling_point flat[] = { { 1, 300000 },
						     { 2, 305000 },
						     { 4, 300000 } };
	struct arena *arena = arena_new();
	struct strbuf out;
	struct scaling scaling;

	(void)state;
	strbuf_init(&out, arena);
	assert_true(scaling_find(grows, 2, &scaling));
	assert_int_equal(scaling.kept_ppt, 714);
	scaling_to_text(&scaling, &out);
	assert_text(&out, "scales 71 % from 1 to 4 CPUs");
	assert_true(scaling_find(flat, 3, &scaling));
	assert_true(scaling.flat);
	scaling_to_text(&scaling, &out);
	assert_text(&out, "flat from 1 to 4 CPUs: the drive, or the node");
	assert_false(scaling_find(grows, 1, &scaling));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knee_lies_between_free_and_crowded),
		cmocka_unit_test(curve_that_does_not_bend_has_no_knee),
		cmocka_unit_test(dent_in_a_curve_is_no_knee),
		cmocka_unit_test(
			curve_that_is_flat_from_the_start_bends_at_once),
		cmocka_unit_test(what_is_no_curve_has_no_knee),
		cmocka_unit_test(rate_is_depth_over_latency),
		cmocka_unit_test(cpus_that_bring_nothing_are_flat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/histogram.h"
#include "bench/mechanism.h"
#include "bench/random.h"

#define CELLS 2
#define IOS 100000

/* Drives that get faster by 5 % when something is switched, and whose
 * interrupts do as they are told, on CPU 0 and on CPU 9. */
struct host {
	struct arena *arena;
	struct random random;
	int which;
	uint32_t nr_slices;
	double per_io[CELLS][BENCH_ARMS];
	double share[CELLS][BENCH_ARMS]; /* of them that CPU 9 takes */
	double noise;			 /* at most so much more or less */
	uint32_t unseen_every;		 /* slice without counts; 0: none */
	double gain;
	int64_t counts[CELLS][2]; /* of the slice that is measured */
	struct interrupt_shift shifts[CELLS];
	struct bench_trial trial;
	struct mechanism seen;
};

static int switch_arm(void *data, int which, struct err *err)
{
	(void)err;
	((struct host *)data)->which = which;
	return 0;
}

static double noisy(struct host *host, double value)
{
	return value *
	       (1 +
		host->noise *
			((double)random_below(&host->random, 2000) / 1000 - 1));
}

static void put(struct host *host, size_t cell, struct bench_slice *slice,
		unsigned int cpu, double n)
{
	if (n < 1)
		return;
	cpuset_add(host->arena, &slice->interrupts.cpus, cpu);
	/* No longer than until the next slice. */
	slice->interrupts.counts.items = host->counts[cell];
	host->counts[cell][slice->interrupts.counts.n++] = (int64_t)n;
}

static int measure(void *data, struct bench_slice *cells, struct err *err)
{
	struct host *host = data;
	const double gain = host->which == BENCH_AFTER ? host->gain : 1;

	(void)err;
	host->nr_slices++;
	for (size_t i = 0; i < CELLS; i++) {
		double n = noisy(host, host->per_io[i][host->which]) * IOS;
		double part = host->share[i][host->which];

		cells[i] = (struct bench_slice){
			.elapsed_ns = 1000000000,
			.ios = IOS,
			.iops = (uint64_t)(IOS * gain) + host->nr_slices % 3,
			.latency = ARENA_NEW(host->arena, struct histogram),
		};
		cells[i].has_interrupts = !host->unseen_every ||
					  host->nr_slices % host->unseen_every;
		put(host, i, &cells[i], 0, n * (1 - part));
		put(host, i, &cells[i], 9, n * part);
		histogram_add(cells[i].latency, 80000);
	}
	return 0;
}

static enum decide_mechanism mechanism(void *data)
{
	struct host *host = data;

	host->seen = mechanism_look(host->arena, &host->trial, host->shifts,
				    decide_rule_default.alpha);
	return host->seen.state;
}

static int set_up(void **state)
{
	static struct host host;

	host = (struct host){
		.arena = arena_new(),
		.per_io = { { 1, 1 }, { 1, 1 } },
		.noise = 0.002,
		.gain = 1.05,
	};
	random_seed(&host.random, 7, 0);
	*state = &host;
	return 0;
}

static int tear_down(void **state)
{
	arena_free(((struct host *)*state)->arena);
	return 0;
}

static enum decide_verdict run(struct host *host)
{
	const struct bench_trial_config config = {
		.seed = 3,
		.nr_cells = CELLS,
		.metric = BENCH_METRIC_IOPS,
		.rule = &decide_rule_default,
		.measure = measure,
		.arm = switch_arm,
		.mechanism = mechanism,
		.data = host,
	};
	struct err *none = NULL;

	assert_int_equal(
		bench_trial_run(host->arena, &config, &host->trial, none), 0);
	return host->trial.decision.verdict;
}

static void expect(struct host *host, enum interrupt_change change)
{
	for (size_t i = 0; i < CELLS; i++)
		host->shifts[i].change = change;
}

static void gain_with_fewer_interrupts_is_confirmed(void **state)
{
	struct host *host = *state;

	expect(host, INTERRUPTS_FEWER);
	host->per_io[0][BENCH_AFTER] = host->per_io[1][BENCH_AFTER] = 0.125;
	assert_int_equal(run(host), DECIDE_CONFIRMED);
	assert_int_equal(host->trial.decision.blocks, 8);
	assert_int_equal(host->seen.state, DECIDE_MOVED);
	assert_true(fabs(host->seen.arms[BENCH_BEFORE] - 1) < 0.01);
	assert_true(fabs(host->seen.arms[BENCH_AFTER] - 0.125) < 0.01);
}

static void gain_without_fewer_interrupts_is_not_applied(void **state)
{
	struct host *host = *state;

	expect(host, INTERRUPTS_FEWER);
	assert_int_equal(run(host), DECIDE_NOT_APPLIED);
	assert_int_equal(host->seen.state, DECIDE_UNMOVED);
}

static void interrupts_that_move_the_wrong_way_have_not_moved(void **state)
{
	struct host *host = *state;

	expect(host, INTERRUPTS_FEWER);
	host->per_io[0][BENCH_AFTER] = host->per_io[1][BENCH_AFTER] = 4;
	assert_int_equal(run(host), DECIDE_NOT_APPLIED);
	expect(host, INTERRUPTS_MORE);
	assert_int_equal(run(host), DECIDE_CONFIRMED);
}

static void one_drive_that_does_not_take_part_is_told(void **state)
{
	struct host *host = *state;

	expect(host, INTERRUPTS_FEWER);
	host->per_io[0][BENCH_AFTER] = 0.125;
	assert_int_equal(run(host), DECIDE_NOT_APPLIED);
	assert_int_equal(host->seen.cell, 1);
	/* Of one that is not switched nothing is expected. */
	host->shifts[1].change = INTERRUPTS_ANY;
	assert_int_equal(run(host), DECIDE_CONFIRMED);
	assert_int_equal(host->seen.cell, 0);
}

static void noise_is_looked_at_until_the_last_look(void **state)
{
	struct host *host = *state;

	expect(host, INTERRUPTS_FEWER);
	host->noise = 0.9;
	assert_int_equal(run(host), DECIDE_NOT_APPLIED);
	assert_int_equal(host->seen.state, DECIDE_UNSURE);
	assert_int_equal(host->trial.decision.blocks, 24);
}

static void interrupts_that_go_elsewhere_have_moved(void **state)
{
	struct host *host = *state;

	expect(host, INTERRUPTS_ELSEWHERE);
	for (size_t i = 0; i < CELLS; i++)
		cpuset_add(host->arena, &host->shifts[i].cpus, 9);
	assert_int_equal(run(host), DECIDE_NOT_APPLIED);
	assert_int_equal(host->seen.state, DECIDE_UNMOVED);
	host->share[0][BENCH_AFTER] = host->share[1][BENCH_AFTER] = 1;
	assert_int_equal(run(host), DECIDE_CONFIRMED);
	assert_int_equal(host->seen.state, DECIDE_MOVED);
	/* Where they were before, they have nowhere to go. */
	host->share[0][BENCH_BEFORE] = host->share[1][BENCH_BEFORE] = 1;
	assert_int_equal(run(host), DECIDE_CONFIRMED);
	assert_int_equal(host->seen.state, DECIDE_UNSEEN);
}

static void what_cannot_be_counted_is_no_objection(void **state)
{
	struct host *host = *state;

	expect(host, INTERRUPTS_FEWER);
	host->unseen_every = 1;
	assert_int_equal(run(host), DECIDE_CONFIRMED);
	assert_int_equal(host->seen.state, DECIDE_UNSEEN);
	assert_true(isnan(host->seen.arms[BENCH_BEFORE]));
	/* In half of the blocks only: too few to tell. */
	host->unseen_every = 8;
	assert_int_equal(run(host), DECIDE_CONFIRMED);
	assert_int_equal(host->seen.state, DECIDE_UNSEEN);
	/* None at all, as of completions that are polled. */
	host->unseen_every = 0;
	for (size_t i = 0; i < CELLS; i++)
		host->per_io[i][BENCH_BEFORE] = host->per_io[i][BENCH_AFTER] =
			0;
	assert_int_equal(run(host), DECIDE_CONFIRMED);
	assert_int_equal(host->seen.state, DECIDE_UNSEEN);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(gain_with_fewer_interrupts_is_confirmed),
		T(gain_without_fewer_interrupts_is_not_applied),
		T(interrupts_that_move_the_wrong_way_have_not_moved),
		T(one_drive_that_does_not_take_part_is_told),
		T(noise_is_looked_at_until_the_last_look),
		T(interrupts_that_go_elsewhere_have_moved),
		T(what_cannot_be_counted_is_no_objection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

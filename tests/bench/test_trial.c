/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/histogram.h"
#include "bench/random.h"
#include "bench/team.h"
#include "bench/trial.h"

#define CELLS 2

/* A host that answers as it is told to, without any load. */
struct host {
	struct arena *arena;
	struct random random;
	int which;	 /* the arm it is in */
	uint32_t nr_arm; /* calls so far */
	uint32_t nr_slices;
	uint32_t nr_borders;
	int arms[256];
	/* After, for one of before. */
	double gain[CELLS];
	double slower;		 /* latency */
	uint64_t few;		 /* I/Os of a slice; 0: as the rate says */
	double noise;		 /* of a slice: at most so much more or less */
	uint64_t sleep_ppt;	 /* of the workers */
	uint64_t run_ns;	 /* of all tasks after; 0: not seen */
	uint64_t failing_after;	 /* I/Os of each slice of after */
	uint64_t failing_first;	 /* I/Os of each of the first two slices */
	uint32_t unstable_every; /* an arm does not stand; 0: never */
	uint32_t fail_at;	 /* an arm cannot be switched; 0: never */
	const char *void_why;	 /* of each slice */
	struct bench_trial_progress progress;
	uint32_t told;
	enum decide_mechanism mechanism;
	uint32_t jobs[CELLS];
	struct bench_trial_config config;
};

static int switch_arm(void *data, int which, struct err *err)
{
	struct host *host = data;

	host->which = which;
	host->arms[host->nr_arm++] = which;
	if (host->nr_arm == host->fail_at)
		return err_set(err, -EIO, "the drive is silent");
	if (host->unstable_every && host->nr_arm % host->unstable_every == 0)
		return err_set(err, -EPROTO, "it reads otherwise");
	return 0;
}

static double noise(struct host *host)
{
	double share = (double)random_below(&host->random, 2000) / 1000 - 1;

	return 1 + share * host->noise;
}

static int measure(void *data, struct bench_slice *cells, struct err *err)
{
	struct host *host = data;
	bool after = host->which == BENCH_AFTER;
	double latency = 80000 * (after && host->slower > 0 ? host->slower : 1);

	(void)err;
	for (size_t i = 0; i < CELLS; i++) {
		double iops =
			100000 * noise(host) * (after ? host->gain[i] : 1);

		cells[i] = (struct bench_slice){
			.sequence = host->nr_slices,
			.elapsed_ns = 1000000000,
			.ios = host->few ? host->few : (uint64_t)iops,
			.iops = (uint64_t)iops,
			.sleep_ppt = host->sleep_ppt,
			.void_why = host->void_why,
			.run_ns = host->run_ns * (after ? 1 : 2),
			.cpu_source = host->run_ns ? BENCH_CPU_SCHEDSTAT :
						     BENCH_CPU_THREADS,
			.latency = ARENA_NEW(host->arena, struct histogram),
		};
		if (after && host->failing_after) {
			cells[i].errors = host->failing_after;
			cells[i].first_error = EIO;
		}
		if (host->nr_slices < 2)
			cells[i].errors += host->failing_first;
		for (int io = 0; io < 100; io++)
			histogram_add(cells[i].latency, (uint64_t)latency);
	}
	host->nr_slices++;
	return 0;
}

static void note(void *data, const struct bench_trial_progress *progress)
{
	struct host *host = data;

	host->progress = *progress;
	host->told++;
}

static enum decide_mechanism mechanism(void *data)
{
	return ((struct host *)data)->mechanism;
}

static int set_up(void **state)
{
	static struct host host;

	host = (struct host){
		.arena = arena_new(),
		.gain = { 1, 1 },
		.noise = 0.002,
		.mechanism = DECIDE_MOVED,
		.jobs = { 2, 2 },
	};
	random_seed(&host.random, 7, 0);
	host.config = (struct bench_trial_config){
		.seed = 3,
		.nr_cells = CELLS,
		.jobs = host.jobs,
		.metric = BENCH_METRIC_IOPS,
		.rule = &decide_rule_default,
		.measure = measure,
		.arm = switch_arm,
		.mechanism = mechanism,
		.progress = note,
		.data = &host,
	};
	*state = &host;
	return 0;
}

static int tear_down(void **state)
{
	arena_free(((struct host *)*state)->arena);
	return 0;
}

static struct bench_trial run(struct host *host)
{
	struct bench_trial trial;
	struct err err = { 0 };

	if (bench_trial_run(host->arena, &host->config, &trial, &err) < 0)
		fail_msg("%s", err.text);
	return trial;
}

static void a_clear_gain_is_confirmed_at_the_first_look(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = host->gain[1] = 1.05;
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_CONFIRMED);
	assert_int_equal(trial.decision.blocks, 8);
	assert_int_equal(trial.blocks.n, 8);
	assert_int_equal(trial.slices.n, 32);
	assert_true(fabs(trial.decision.effect.estimate - log(1.05)) < 0.003);
	assert_int_equal(host->told, 8);
	assert_int_equal(host->progress.blocks, 8);
	assert_int_equal(host->progress.last, 24);
	assert_int_equal(trial.arms[BENCH_BEFORE].latency->count, 16 * 200);
	assert_true(trial.arms[BENCH_AFTER].metrics[BENCH_METRIC_IOPS] >
		    trial.arms[BENCH_BEFORE].metrics[BENCH_METRIC_IOPS]);
}

static void no_difference_is_not_confirmed(void **state)
{
	struct bench_trial trial = run(*state);

	assert_int_equal(trial.decision.verdict, DECIDE_REJECTED);
	assert_int_equal(trial.decision.reason, DECIDE_SMALL);
}

static void a_loss_is_rejected_as_a_regression(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = host->gain[1] = 0.9;
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_REJECTED);
	assert_int_equal(trial.decision.reason, DECIDE_REGRESSION);
}

static void more_latency_or_one_slow_cell_is_a_trade_off(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = host->gain[1] = 1.05;
	host->slower = 1.3;
	trial = run(host);
	assert_int_equal(trial.decision.reason, DECIDE_TRADE_P99);
	host->slower = 1;
	host->gain[0] = 1.4;
	host->gain[1] = 0.9;
	host->nr_arm = 0;
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_REJECTED);
	assert_int_equal(trial.decision.reason, DECIDE_TRADE_CELL);
}

/* As of a drive that is read only now and then. */
static void few_reads_have_no_tail_and_no_cost(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = host->gain[1] = 1.05;
	host->slower = 1.3;
	host->few = 499;
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_CONFIRMED);
	assert_true(isnan(trial.decision.p99.estimate));
	assert_true(isnan(trial.decision.cpu.estimate));
}

static void every_block_is_abba_or_baab_and_each_slice_switches(void **state)
{
	struct host *host = *state;
	struct bench_trial trial = run(host);
	bool both[2] = { false, false };

	assert_int_equal(host->nr_arm, trial.slices.n);
	for (uint32_t i = 0; i < host->nr_arm; i += 4) {
		assert_int_equal(host->arms[i], host->arms[i + 3]);
		assert_int_equal(host->arms[i + 1], host->arms[i + 2]);
		assert_int_not_equal(host->arms[i], host->arms[i + 1]);
		both[host->arms[i]] = true;
	}
	assert_true(both[0] && both[1]);
}

static void the_same_seed_gives_the_same_order(void **state)
{
	struct host *host = *state;
	struct bench_trial first = run(host), second;

	host->nr_arm = 0;
	second = run(host);
	for (size_t i = 0; i < first.slices.n && i < second.slices.n; i++)
		assert_int_equal(first.slices.items[i].which,
				 second.slices.items[i].which);
}

static void a_block_whose_arm_does_not_stand_is_measured_again(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;
	size_t nr_void = 0;

	host->gain[0] = host->gain[1] = 1.05;
	host->unstable_every = 25;
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_CONFIRMED);
	assert_int_equal(trial.decision.blocks, 8);
	VEC_EACH(&trial.blocks, struct bench_trial_block, block)
		if (block->void_why) {
			assert_string_equal(block->void_why,
					    "it reads otherwise");
			nr_void++;
		}
	assert_true(nr_void > 0);
	assert_int_equal(trial.decision.voided, nr_void);
	assert_int_equal(trial.blocks.n, 8 + nr_void);
	assert_int_equal(trial.arms[BENCH_BEFORE].latency->count, 16 * 200);
}

/* Borders lie before the first block and behind each. */
static const char *hot_block(void *data)
{
	uint32_t nr = ((struct host *)data)->nr_borders++;

	return nr == 0 || nr == 3 ? "the drive throttled" : NULL;
}

static void a_block_in_which_the_drive_throttled_is_measured_again(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = host->gain[1] = 1.05;
	host->config.border = hot_block;
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_CONFIRMED);
	assert_int_equal(trial.decision.blocks, 8);
	assert_int_equal(trial.blocks.n, 9);
	assert_int_equal(host->nr_borders, 10);
	for (size_t i = 0; i < trial.blocks.n; i++) {
		const char *why = trial.blocks.items[i].void_why;

		if (i == 2)
			assert_string_equal(why, "the drive throttled");
		else
			assert_null(why);
	}
	assert_int_equal(trial.arms[BENCH_BEFORE].latency->count, 16 * 200);
}

static void too_many_disturbed_blocks_are_inconclusive(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = host->gain[1] = 1.05;
	host->void_why = "the host was busy";
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_INCONCLUSIVE);
	assert_int_equal(trial.decision.reason, DECIDE_CONTAMINATED);
	assert_int_equal(trial.decision.blocks, 0);
	assert_int_equal(trial.blocks.n, 7);
}

static void failed_reads_of_after_reject_it(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = host->gain[1] = 1.05;
	host->failing_after = 3;
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_REJECTED);
	assert_int_equal(trial.decision.reason, DECIDE_ERRORS);
	assert_int_equal(trial.arms[BENCH_AFTER].first_error, EIO);
}

static void
an_arm_that_cannot_be_switched_ends_it_with_what_there_is(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;
	struct err err = { 0 };

	host->fail_at = 10;
	assert_int_equal(bench_trial_run(host->arena, &host->config, &trial,
					 &err),
			 -EIO);
	assert_string_equal(err.text, "the drive is silent");
	assert_int_equal(trial.slices.n, 9);
	assert_int_equal(trial.blocks.n, 2);
	assert_int_equal(trial.decision.verdict, DECIDE_MORE);
}

static void what_does_not_move_is_not_applied(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = host->gain[1] = 1.05;
	host->mechanism = DECIDE_UNMOVED;
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_NOT_APPLIED);
}

/* They are of before alone, and would let as many of after pass. */
static void failed_reads_of_the_pilot_excuse_none(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->config.pilot = 2;
	host->failing_first = 100;
	host->failing_after = 3;
	trial = run(host);
	assert_int_equal(trial.arms[BENCH_BEFORE].errors, 0);
	assert_int_equal(trial.decision.verdict, DECIDE_REJECTED);
	assert_int_equal(trial.decision.reason, DECIDE_ERRORS);
}

static void the_pilot_asks_whether_cpus_or_drive_are_the_limit(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->config.pilot = 2;
	trial = run(host);
	assert_int_equal(trial.metric, BENCH_METRIC_IOPS);
	assert_string_equal(trial.metric_why, "the CPUs are the limit");
	assert_int_equal(trial.slices.items[1].block, BENCH_TRIAL_PILOT);
	assert_int_equal(trial.slices.items[1].which, BENCH_BEFORE);
	assert_int_equal(trial.slices.items[2].block, 0);
	host->sleep_ppt = 500;
	host->nr_arm = 0;
	trial = run(host);
	assert_int_equal(trial.metric, BENCH_METRIC_P99);
	assert_non_null(strstr(trial.metric_why, "cannot be seen"));
	host->run_ns = 1000000000;
	host->nr_arm = 0;
	trial = run(host);
	assert_int_equal(trial.metric, BENCH_METRIC_CPU);
	assert_string_equal(trial.metric_why,
			    "the drive is the limit, not the CPUs");
	assert_int_equal(trial.decision.verdict, DECIDE_CONFIRMED);
	assert_true(fabs(trial.decision.effect.estimate - log(2)) < 0.01);
}

static void less_latency_is_better(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->config.metric = BENCH_METRIC_MEAN;
	host->slower = 0.8;
	trial = run(host);
	assert_int_equal(trial.decision.verdict, DECIDE_CONFIRMED);
	assert_true(trial.decision.effect.estimate > 0.2);
	assert_null(trial.metric_why);
}

/* In a unit of its own; one run goes wrong. */
static int tell_figure(void *data, double *ret, struct err *err)
{
	struct host *host = data;

	*ret = 12.5 * noise(host) *
	       (host->which == BENCH_AFTER ? host->gain[0] : 1);
	if (host->nr_slices++ == 5)
		return err_set(err, -EPROTO, "it ended with status 1");
	return 0;
}

static void run_figure(struct host *host, enum bench_metric metric,
		       struct bench_trial *trial)
{
	struct err err = { 0 };

	host->config.nr_cells = 0;
	host->config.jobs = NULL;
	host->config.measure = NULL;
	host->config.figure = tell_figure;
	host->config.metric = metric;
	assert_int_equal(
		bench_trial_run(host->arena, &host->config, trial, &err), 0);
}

static void a_load_may_tell_one_figure_a_slice(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = 1.05;
	run_figure(host, BENCH_METRIC_RATE, &trial);
	assert_int_equal(trial.decision.verdict, DECIDE_CONFIRMED);
	assert_int_equal(trial.decision.blocks, 8);
	/* The run that went wrong took its block along. */
	assert_int_equal(trial.blocks.n, 9);
	assert_string_equal(trial.blocks.items[1].void_why,
			    "it ended with status 1");
	assert_true(fabs(trial.arms[BENCH_BEFORE].metrics[BENCH_METRIC_RATE] -
			 12.5) < 0.1);
	assert_true(isnan(trial.arms[BENCH_BEFORE].metrics[BENCH_METRIC_IOPS]));
	assert_true(isnan(trial.decision.p99.estimate));
	assert_true(isnan(trial.decision.cell.estimate));
}

static void a_load_that_takes_longer_is_worse(void **state)
{
	struct host *host = *state;
	struct bench_trial trial;

	host->gain[0] = 1.05;
	run_figure(host, BENCH_METRIC_TIME, &trial);
	assert_int_equal(trial.decision.verdict, DECIDE_REJECTED);
	assert_int_equal(trial.decision.reason, DECIDE_REGRESSION);
}

static void metrics_have_names_that_read_back(void **state)
{
	enum bench_metric metric;

	(void)state;
	for (int i = 0; i < BENCH_METRICS; i++) {
		assert_int_equal(
			bench_metric_parse(
				bench_metric_name((enum bench_metric)i),
				&metric),
			0);
		assert_int_equal(metric, i);
	}
	assert_int_equal(bench_metric_parse("speed", &metric), -EINVAL);
	assert_false(bench_metric_is_less_better(BENCH_METRIC_RATE));
	assert_true(bench_metric_is_less_better(BENCH_METRIC_P99));
}

static void a_team_reads_all_drives_at_once(void **state)
{
	struct host *host = *state;
	struct bench_session_config session = bench_session_defaults;
	struct bench_seat seats[CELLS] = {
		{ .drive = memory_drive("one", UINT64_C(1) << 20) },
		{ .drive = memory_drive("two", UINT64_C(1) << 20) },
	};
	struct bench_slice slices[CELLS];
	struct bench_team team;
	struct err err = { 0 };

	session.jobs = 1;
	session.depth = 4;
	session.warm_ms = session.settle_ms = 1;
	session.measure_ms = 20;
	for (size_t i = 0; i < CELLS; i++)
		seats[i].binding = anywhere(host->arena);
	if (bench_team_open(&team, host->arena, &session, NULL, seats, CELLS,
			    &err) < 0 ||
	    bench_team_measure(&team, slices, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < CELLS; i++) {
		assert_int_equal(team.jobs[i], 1);
		assert_int_equal(team.methods[i].depth, 4);
		assert_true(slices[i].ios > 0);
		assert_int_equal(slices[i].sequence, 0);
	}
	bench_team_close(&team);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_clear_gain_is_confirmed_at_the_first_look),
		T(no_difference_is_not_confirmed),
		T(a_loss_is_rejected_as_a_regression),
		T(more_latency_or_one_slow_cell_is_a_trade_off),
		T(few_reads_have_no_tail_and_no_cost),
		T(every_block_is_abba_or_baab_and_each_slice_switches),
		T(the_same_seed_gives_the_same_order),
		T(a_block_whose_arm_does_not_stand_is_measured_again),
		T(a_block_in_which_the_drive_throttled_is_measured_again),
		T(too_many_disturbed_blocks_are_inconclusive),
		T(failed_reads_of_after_reject_it),
		T(failed_reads_of_the_pilot_excuse_none),
		T(an_arm_that_cannot_be_switched_ends_it_with_what_there_is),
		T(what_does_not_move_is_not_applied),
		T(the_pilot_asks_whether_cpus_or_drive_are_the_limit),
		T(less_latency_is_better),
		T(a_load_may_tell_one_figure_a_slice),
		T(a_load_that_takes_longer_is_worse),
		T(metrics_have_names_that_read_back),
		T(a_team_reads_all_drives_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

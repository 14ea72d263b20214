/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "cmd/workload.h"

/* Longer than any machine needs for what is not meant to hang. */
#define PATIENCE_MS 60000

static volatile sig_atomic_t stopped;

static int run(struct arena *arena, const char *command, uint32_t limit_ms,
	       struct workload_run *ret, struct err *err)
{
	const struct workload workload = {
		.command = command,
		.limit_ms = limit_ms,
		.stop = &stopped,
	};

	return workload_start_and_wait(arena, &workload, ret, err);
}

static void what_it_prints_and_its_status_come_back(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload_run got;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(
		run(arena, "echo a b; exit 3", PATIENCE_MS, &got, &err), 0);
	assert_string_equal(got.output, "a b\n");
	assert_int_equal(WEXITSTATUS(got.status), 3);
	assert_false(got.timed_out);
	assert_true(got.elapsed_ns > 0);
}

static void its_input_is_empty(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload_run got;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(run(arena, "cat; echo end", PATIENCE_MS, &got, &err),
			 0);
	assert_string_equal(got.output, "end\n");
}

static void only_the_end_of_much_output_is_kept(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload_run got;
	struct err err = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(run(arena,
			     "head -c 300000 /dev/zero | tr '\\0' x; "
			     "printf 'a\\0b\\n7 tps\\n'",
			     PATIENCE_MS, &got, &err),
			 0);
	n = strlen(got.output);
	assert_int_equal(n, 64 << 10);
	assert_string_equal(got.output + n - 10, "a b\n7 tps\n");
}

static void one_that_hangs_is_ended_at_its_time(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload_run got;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(run(arena, "echo early; sleep 600", 50, &got, &err),
			 0);
	assert_true(got.timed_out);
	assert_string_equal(got.output, "early\n");
	assert_int_equal(WTERMSIG(got.status), SIGTERM);
}

static void one_that_ignores_sigterm_is_killed(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload_run got;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(run(arena, "trap '' TERM; while :; do sleep 600; done",
			     50, &got, &err),
			 0);
	assert_true(got.timed_out);
	assert_int_equal(WTERMSIG(got.status), SIGKILL);
}

static void a_signal_to_us_ends_it(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload_run got = { .limit_ms = 77 };
	struct err err = { 0 };

	(void)state;
	stopped = 1;
	assert_int_equal(run(arena, "sleep 600", PATIENCE_MS, &got, &err),
			 -EINTR);
	stopped = 0;
	assert_int_equal(got.limit_ms, 77);
	assert_string_equal(err.text, "the workload was interrupted");
}

/* The far end of a pipe closes when the last who holds it is gone. */
static void expect_nobody_holds(int fd)
{
	char c;

	assert_int_equal(read(fd, &c, 1), 0);
}

static void nothing_of_it_is_left_in_the_background(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload_run got;
	struct err err = { 0 };
	int ends[2];
	char *command;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fcntl(ends[0], F_SETFD, FD_CLOEXEC), 0);
	command = arena_printf(arena, "sleep 600 & exec %d>&-; echo done",
			       ends[1]);
	assert_int_equal(run(arena, command, PATIENCE_MS, &got, &err), 0);
	assert_string_equal(got.output, "done\n");
	assert_int_equal(close(ends[1]), 0);
	expect_nobody_holds(ends[0]);
	assert_int_equal(close(ends[0]), 0);
}

static void it_dies_with_us(void **state)
{
	int ends[2], started[2];
	pid_t child;
	char c;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pipe(started), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct arena *arena = arena_new();
		struct workload_run got;
		struct err err = { 0 };

		(void)run(arena,
			  arena_printf(arena, "echo >&%d; exec sleep 600",
				       started[1]),
			  PATIENCE_MS, &got, &err);
		_exit(0);
	}
	assert_int_equal(close(ends[1]), 0);
	assert_int_equal(read(started[0], &c, 1), 1);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	expect_nobody_holds(ends[0]);
	(void)close(ends[0]);
	(void)close(started[0]);
	(void)close(started[1]);
}

/* Orphans of ours become our children: all end, or the alarm ends us. */
static void expect_no_process(void)
{
	(void)alarm(PATIENCE_MS / 1000);
	while (waitpid(-1, NULL, 0) > 0)
		;
	(void)alarm(0);
	assert_int_equal(errno, ECHILD);
}

static void no_process_is_left_when_a_run_has_ended(void **state)
{
	static const struct {
		const char *command;
		uint32_t limit_ms;
	} rows[] = {
		{ "true", PATIENCE_MS },
		{ "sleep 600 & (sleep 600 & exit 3)", PATIENCE_MS },
		{ "sleep 600; true", 50 },
		{ "kill -KILL 0", PATIENCE_MS },
	};
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload_run got;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(run(arena, rows[i].command, rows[i].limit_ms,
				     &got, &err),
				 0);
		expect_no_process();
	}
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

static void what_the_shell_has_started_dies_with_us_too(void **state)
{
	int ends[2], started[2];
	pid_t child;
	char c;

	(void)state;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pipe(started), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct arena *arena = arena_new();
		struct workload_run got;
		struct err err = { 0 };

		/* The guard is none that a signal to the group would end. */
		(void)run(arena,
			  arena_printf(arena,
				       "trap : TERM; kill -TERM 0; "
				       "sleep 600 & echo >&%d; sleep 600; true",
				       started[1]),
			  PATIENCE_MS, &got, &err);
		_exit(0);
	}
	assert_int_equal(close(ends[1]), 0);
	assert_int_equal(read(started[0], &c, 1), 1);
	assert_int_equal(kill(child, SIGKILL), 0);
	expect_no_process();
	expect_nobody_holds(ends[0]);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
	(void)close(ends[0]);
	(void)close(started[0]);
	(void)close(started[1]);
}

static void signals_are_as_they_were_for_it_and_for_us(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload_run got;
	struct err err = { 0 };
	struct sigaction now;
	sigset_t mask;

	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	assert_int_equal(run(arena, "grep -E '^Sig(Blk|Ign)' /proc/self/status",
			     PATIENCE_MS, &got, &err),
			 0);
	assert_non_null(strstr(got.output, "SigBlk:\t0000000000000000"));
	assert_null(strstr(got.output, "SigIgn:\t0000000000001000"));
	assert_int_equal(sigaction(SIGCHLD, NULL, &now), 0);
	assert_true(now.sa_handler == SIG_DFL);
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &mask), 0);
	assert_int_equal(sigismember(&mask, SIGCHLD), 0);
}

static int measure(struct arena *arena, struct workload *workload,
		   const char *command, double *ret, struct err *err)
{
	struct workload_run got;

	workload->command = command;
	workload->limit_ms = PATIENCE_MS;
	return workload_measure(arena, workload, &got, ret, err);
}

static void the_first_run_says_what_is_measured(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload workload = { 0 };
	struct err err = { 0 };
	double value = 0;

	(void)state;
	assert_int_equal(
		measure(arena, &workload, "echo tps = 12.5k", &value, &err), 0);
	assert_true(value > 12499.9 && value < 12500.1);
	assert_int_equal(workload.metric.measure, WORKLOAD_FIGURE);
	assert_string_equal(workload_metric_text(arena, &workload.metric),
			    "\"tps\"");
	assert_int_equal(
		measure(arena, &workload, "echo tps = 2", &value, &err), 0);
	assert_true(value > 1.99 && value < 2.01);

	assert_int_equal(
		measure(arena, &workload, "echo qps = 2", &value, &err), -EIO);
	assert_string_equal(
		err.text,
		"the workload printed \"qps\" where its first run printed \"tps\"");
	assert_int_equal(measure(arena, &workload, "true", &value, &err), -EIO);
	assert_string_equal(
		err.text,
		"the workload printed no figure where its first run printed \"tps\"");
	assert_true(value > 1.99 && value < 2.01);
}

static void without_a_figure_its_time_is_measured(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct workload workload = { 0 };
	struct err err = { 0 };
	double value = 0;

	(void)state;
	assert_int_equal(measure(arena, &workload, "echo done", &value, &err),
			 0);
	assert_int_equal(workload.metric.measure, WORKLOAD_TIME);
	assert_true(value > 0 && value < 60);
	/* And it stays so. */
	assert_int_equal(
		measure(arena, &workload, "echo 5000 tps", &value, &err), 0);
	assert_true(value < 60);
}

static void a_run_that_fails_is_worth_nothing(void **state)
{
	static const struct {
		const char *command;
		const char *sentence;
	} rows[] = {
		{ "echo 5 tps; exit 1", "the workload ended with status 1" },
		{ "kill -9 $$", "the workload ended by signal 9" },
		{ "/nowhere/at-all 2>/dev/null",
		  "the workload ended with status 127: there is no such command" },
		{ "exit 126",
		  "the workload ended with status 126: the command cannot run" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		_cleanup_arena_ struct arena *arena = arena_new();
		struct workload workload = { 0 };
		struct err err = { 0 };
		double value = 77;

		assert_int_equal(measure(arena, &workload, rows[i].command,
					 &value, &err),
				 -EIO);
		assert_string_equal(err.text, rows[i].sentence);
		assert_int_equal(workload.metric.measure, WORKLOAD_UNKNOWN);
		assert_true(value > 76 && value < 78);
	}
}

static void a_late_run_says_what_it_was_given(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	const struct workload_run late = { .timed_out = true,
					   .limit_ms = 90000,
					   .output = "5 tps" };
	struct workload_metric metric = { 0 };
	struct err err = { 0 };
	double value;

	(void)state;
	assert_int_equal(workload_judge(arena, &late, &metric, &value, &err),
			 -EIO);
	assert_string_equal(err.text,
			    "the workload was ended: it took longer than 90 s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_prints_and_its_status_come_back),
		cmocka_unit_test(its_input_is_empty),
		cmocka_unit_test(only_the_end_of_much_output_is_kept),
		cmocka_unit_test(one_that_hangs_is_ended_at_its_time),
		cmocka_unit_test(one_that_ignores_sigterm_is_killed),
		cmocka_unit_test(a_signal_to_us_ends_it),
		cmocka_unit_test(nothing_of_it_is_left_in_the_background),
		cmocka_unit_test(it_dies_with_us),
		cmocka_unit_test(no_process_is_left_when_a_run_has_ended),
		cmocka_unit_test(what_the_shell_has_started_dies_with_us_too),
		cmocka_unit_test(signals_are_as_they_were_for_it_and_for_us),
		cmocka_unit_test(the_first_run_says_what_is_measured),
		cmocka_unit_test(without_a_figure_its_time_is_measured),
		cmocka_unit_test(a_run_that_fails_is_worth_nothing),
		cmocka_unit_test(a_late_run_says_what_it_was_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

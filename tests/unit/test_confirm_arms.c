/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "cmd/confirm_arms.h"
#include "kernel.h"
#include "write/execute.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define SCHEDULER "queue.scheduler = none"
#define AFFINITY "queue.rq_affinity = 2"
#define SECTORS "queue.max_sectors_kb = 512"

struct watch {
	struct kernel *kernel;
	struct plan *before;
	struct plan *after;
	void (*look)(struct watch *watch, struct confirm_arms *arms);
};

static int measure(void *data, const struct arms *arms, struct err *err)
{
	struct watch *watch = data;
	struct confirm_arms mine;

	(void)err;
	confirm_arms_init(&mine, watch->kernel->tree->arena, arms);
	confirm_arms_want(&mine, watch->before, watch->after);
	watch->look(watch, &mine);
	return 0;
}

/* All three keys are in the transaction. */
static void try(struct watch *watch)
{
	struct kernel *kernel = watch->kernel;
	struct execute_trial_result result;
	struct err err = { 0 };
	const struct execute_trial_input input = {
		.root = kernel->tree->root,
		.plan = kernel_plan(kernel, LINES("[drives]", SCHEDULER,
						  AFFINITY, SECTORS)),
		.head = { .profile = "test", .boot_id = "boot-1" },
		.plan_json = "{}\n",
		.facts_json = "{}\n",
		.measure = measure,
		.data = watch,
	};

	if (execute_trial(kernel->tree->arena, &input, &result, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(result.undone);
}

static void begin(struct confirm_arms *arms)
{
	const char *why = NULL;
	struct err err = { 0 };

	if (confirm_arms_try(arms, &why, &err) < 0)
		fail_msg("%s", err.text);
	assert_null(why);
}

static void switch_to(struct watch *watch, struct confirm_arms *arms, int which)
{
	struct err err = { 0 };

	strbuf_reset(&watch->kernel->log);
	if (confirm_arms_switch(arms, which, &err) < 0)
		fail_msg("%s", err.text);
}

static void assert_wrote(const struct watch *watch, const char *text)
{
	if (!strstr(watch->kernel->log.text, text))
		fail_msg("\"%s\" has no %s", watch->kernel->log.text, text);
}

static void look_at_one(struct watch *watch, struct confirm_arms *arms)
{
	begin(arms);
	assert_true(confirm_arms_differ(arms));
	assert_int_equal(watch->kernel->rq_affinity, 1);
	switch_to(watch, arms, BENCH_AFTER);
	assert_wrote(watch, "rq_affinity=2");
	assert_null(strstr(watch->kernel->log.text, "scheduler="));
	assert_null(strstr(watch->kernel->log.text, "max_sectors_kb="));
	/* Also where the arm stays. */
	switch_to(watch, arms, BENCH_AFTER);
	assert_wrote(watch, "rq_affinity=2");
	/* What was kept so far stands all the time. */
	assert_int_equal(watch->kernel->max_sectors_kb, 512);
}

static void only_what_is_measured_is_written_at_a_switch(void **state)
{
	struct watch watch = { .kernel = kernel_new(), .look = look_at_one };

	(void)state;
	watch.before = kernel_plan(watch.kernel, LINES("[drives]", SECTORS));
	watch.after =
		kernel_plan(watch.kernel, LINES("[drives]", AFFINITY, SECTORS));
	try(&watch);
	kernel_free(watch.kernel);
}

static void look_at_disturbed(struct watch *watch, struct confirm_arms *arms)
{
	struct err err = { 0 };

	begin(arms);
	switch_to(watch, arms, BENCH_AFTER);
	assert_int_equal(confirm_arms_check(arms, BENCH_AFTER, &err), 0);
	watch->kernel->max_sectors_kb = 256;
	kernel_show(watch->kernel);
	assert_int_equal(confirm_arms_check(arms, BENCH_AFTER, &err), -EPROTO);
	switch_to(watch, arms, BENCH_BEFORE);
	assert_wrote(watch, "max_sectors_kb=512");
	assert_int_equal(confirm_arms_check(arms, BENCH_BEFORE, &err), 0);
	switch_to(watch, arms, BENCH_AFTER);
	assert_null(strstr(watch->kernel->log.text, "max_sectors_kb="));
}

static void what_somebody_moved_is_written_again_once(void **state)
{
	struct watch watch = { .kernel = kernel_new(),
			       .look = look_at_disturbed };

	(void)state;
	watch.before = kernel_plan(watch.kernel, LINES("[drives]", SECTORS));
	watch.after =
		kernel_plan(watch.kernel, LINES("[drives]", AFFINITY, SECTORS));
	try(&watch);
	kernel_free(watch.kernel);
}

static void refuse_scheduler(struct watch *watch, int code)
{
	watch->kernel->fail_attr = "scheduler";
	watch->kernel->fail_code = code;
	watch->kernel->fail_times = 1;
}

static void look_at_refused(struct watch *watch, struct confirm_arms *arms)
{
	const char *why = NULL;
	struct err err = { 0 };

	refuse_scheduler(watch, -EOPNOTSUPP);
	assert_int_equal(confirm_arms_try(arms, &why, &err), 0);
	assert_non_null(strstr(why, "queue.scheduler: cannot write \"none\""));
	assert_true(confirm_arms_differ(arms));
	switch_to(watch, arms, BENCH_AFTER);
	assert_wrote(watch, "rq_affinity=2");
	assert_string_equal(watch->kernel->scheduler, "mq-deadline");
	assert_int_equal(confirm_arms_check(arms, BENCH_AFTER, &err), 0);
}

static void what_the_kernel_refuses_stays_and_the_rest_is_measured(void **state)
{
	struct watch watch = { .kernel = kernel_new(),
			       .look = look_at_refused };

	(void)state;
	watch.before = kernel_plan(watch.kernel, LINES("[drives]"));
	watch.after = kernel_plan(watch.kernel,
				  LINES("[drives]", SCHEDULER, AFFINITY));
	try(&watch);
	kernel_free(watch.kernel);
}

static void look_at_ignored(struct watch *watch, struct confirm_arms *arms)
{
	const char *why = NULL;
	struct err err = { 0 };

	refuse_scheduler(watch, 0);
	assert_int_equal(confirm_arms_try(arms, &why, &err), 0);
	assert_non_null(strstr(why, "queue.scheduler: wrote \"none\""));
	assert_false(confirm_arms_differ(arms));
}

static void with_all_ignored_there_is_nothing_to_measure(void **state)
{
	struct watch watch = { .kernel = kernel_new(),
			       .look = look_at_ignored };

	(void)state;
	watch.before = kernel_plan(watch.kernel, LINES("[drives]"));
	watch.after = kernel_plan(watch.kernel, LINES("[drives]", SCHEDULER));
	try(&watch);
	kernel_free(watch.kernel);
}

static void look_at_broken(struct watch *watch, struct confirm_arms *arms)
{
	const char *why = NULL;
	struct err err = { 0 };

	refuse_scheduler(watch, -ENOMEM);
	assert_int_equal(confirm_arms_try(arms, &why, &err), -ENOMEM);
	assert_null(why);
}

static void any_other_failure_ends_it(void **state)
{
	struct watch watch = { .kernel = kernel_new(), .look = look_at_broken };

	(void)state;
	watch.before = kernel_plan(watch.kernel, LINES("[drives]"));
	watch.after = kernel_plan(watch.kernel, LINES("[drives]", SCHEDULER));
	try(&watch);
	kernel_free(watch.kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_measured_is_written_at_a_switch),
		cmocka_unit_test(what_somebody_moved_is_written_again_once),
		cmocka_unit_test(
			what_the_kernel_refuses_stays_and_the_rest_is_measured),
		cmocka_unit_test(with_all_ignored_there_is_nothing_to_measure),
		cmocka_unit_test(any_other_failure_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

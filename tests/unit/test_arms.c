/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "kernel.h"
#include "write/execute.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define WISHES                                      \
	LINES("[drives]", "queue.scheduler = none", \
	      "queue.max_sectors_kb = 512")

/* What was seen while the arms were switched. */
struct watch {
	struct kernel *kernel;
	char *states[4];
	int code; /* what the measurement ends with */
	int (*measure)(void *data, const struct arms *arms, struct err *err);
};

static int measure(void *data, const struct arms *arms, struct err *err)
{
	static const enum arm order[] = { ARM_BEFORE, ARM_AFTER, ARM_AFTER,
					  ARM_BEFORE };
	struct watch *watch = data;

	for (size_t i = 0; i < 4; i++) {
		int r = arms_switch(arms, order[i], err);

		if (r < 0)
			return r;
		watch->states[i] = kernel_state(watch->kernel);
	}
	if (watch->code < 0)
		return err_set(err, watch->code, "the drive is silent");
	return 0;
}

static int apply(struct watch *watch, struct execute_result *result,
		 struct err *err)
{
	struct kernel *kernel = watch->kernel;
	const struct execute_input input = {
		.root = kernel->tree->root,
		.plan = kernel_plan(kernel, WISHES),
		.head = { .profile = "test", .boot_id = "boot-1" },
		.plan_json = "{}\n",
		.facts_json = "{}\n",
		.values = true,
		.files = true,
		.measure = watch->measure ? watch->measure : measure,
		.data = watch,
	};

	return execute_plan(kernel->tree->arena, &input, result, err);
}

static struct kernel *odd_kernel(void)
{
	struct kernel *kernel = kernel_new();

	kernel->nr_requests = 512;
	kernel->read_ahead_kb = 0;
	kernel_show(kernel);
	return kernel;
}

static void both_arms_are_exact_whatever_came_before(void **state)
{
	struct watch watch = { .kernel = odd_kernel() };
	struct execute_result result;
	struct err err = { 0 };
	char *before = kernel_state(watch.kernel);
	char *after;

	(void)state;
	assert_int_equal(apply(&watch, &result, &err), 0);
	after = kernel_state(watch.kernel);
	assert_string_equal(after, "none nr=512 tags=512 rq=1 max=512 ra=0 "
				   "timeout=30000");
	assert_string_equal(watch.states[1], after);
	assert_string_equal(watch.states[2], after);
	/* The hidden tags are the only thing that a scheduler forgives. */
	watch.kernel->tags = 1023;
	assert_non_null(strstr(watch.states[0], "mq-deadline nr=512"));
	assert_string_equal(watch.states[0], watch.states[3]);
	assert_non_null(strstr(before, "mq-deadline nr=512"));
	kernel_free(watch.kernel);
}

static void a_measurement_that_fails_leaves_the_host_as_before(void **state)
{
	struct watch watch = { .kernel = odd_kernel(), .code = -ETIMEDOUT };
	struct execute_result result;
	struct err err = { 0 };
	char *before = kernel_state(watch.kernel);

	(void)state;
	assert_int_equal(apply(&watch, &result, &err), -ETIMEDOUT);
	assert_true(result.undone);
	assert_string_equal(err.text, "the drive is silent");
	watch.kernel->tags = 1023;
	assert_string_equal(kernel_state(watch.kernel), before);
	kernel_free(watch.kernel);
}

static int measure_swapped(void *data, const struct arms *arms, struct err *err)
{
	struct watch *watch = data;
	int r = arms_switch(arms, ARM_BEFORE, err);

	assert_int_equal(r, 0);
	tree_put(watch->kernel->tree, "sys/class/block/nvme0n1/wwid",
		 "eui.0002\n");
	strbuf_reset(&watch->kernel->log);
	r = arms_switch(arms, ARM_AFTER, err);
	assert_string_equal(watch->kernel->log.text, "");
	return r;
}

static void a_drive_that_was_swapped_meanwhile_is_not_written(void **state)
{
	struct watch watch = { .kernel = odd_kernel() };
	struct execute_result result;
	struct err err = { 0 };

	(void)state;
	watch.measure = measure_swapped;
	assert_int_equal(apply(&watch, &result, &err), -ESTALE);
	assert_non_null(
		strstr(err.text,
		       "nvme0n1: became another drive while it was measured"));
	kernel_free(watch.kernel);
}

static void ignore_scheduler(struct kernel *kernel)
{
	kernel->fail_attr = "scheduler";
	kernel->fail_code = 0;
	kernel->fail_times = 100;
}

static void an_arm_that_does_not_stand_is_an_error(void **state)
{
	struct watch watch = { .kernel = odd_kernel() };
	struct execute_result result;
	struct err err = { 0 };

	(void)state;
	/* Ignored from the second write of it on: the switch back. */
	watch.kernel->break_at = 4;
	watch.kernel->breaks = ignore_scheduler;
	assert_true(apply(&watch, &result, &err) < 0);
	assert_non_null(strstr(err.text, "queue.scheduler: wrote "));
	kernel_free(watch.kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_arms_are_exact_whatever_came_before),
		cmocka_unit_test(
			a_measurement_that_fails_leaves_the_host_as_before),
		cmocka_unit_test(
			a_drive_that_was_swapped_meanwhile_is_not_written),
		cmocka_unit_test(an_arm_that_does_not_stand_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

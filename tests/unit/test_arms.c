/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "kernel.h"
#include "knobs/knob_list.h"
#include "write/execute.h"
#include "write/history.h"
#include "write/rollback.h"
#include "write/steps.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define SCHEDULER "queue.scheduler = none"
#define SECTORS "queue.max_sectors_kb = 512"
#define WISHES LINES("[drives]", SCHEDULER, SECTORS)

/* What was seen while the arms were switched. */
struct watch {
	struct kernel *kernel;
	struct plan *plans[2]; /* of before and after; before may be NULL */
	char *states[4];
	int code; /* what the measurement ends with */
	int (*measure)(void *data, const struct arms *arms, struct err *err);
	const char *result;
};

static int switch_to(const struct watch *watch, const struct arms *arms,
		     int which, struct err *err)
{
	struct plan nothing = { .profile = "test" };
	const struct plan *plan = watch->plans[which] ? watch->plans[which] :
							&nothing;

	return arms_set(arms,
			steps_wanted(watch->kernel->tree->arena, arms->list,
				     plan),
			NULL, err);
}

static int measure(void *data, const struct arms *arms, struct err *err)
{
	static const int order[] = { 0, 1, 1, 0 };
	struct watch *watch = data;

	for (size_t i = 0; i < 4; i++) {
		int r = switch_to(watch, arms, order[i], err);

		if (r < 0)
			return r;
		watch->states[i] = kernel_state(watch->kernel);
	}
	if (watch->code < 0)
		return err_set(err, watch->code, "the drive is silent");
	return 0;
}

static const char *result_text(void *data)
{
	return ((struct watch *)data)->result;
}

static int try(struct watch *watch, struct execute_trial_result *result,
	       struct err *err)
{
	struct kernel *kernel = watch->kernel;
	struct execute_trial_input input = {
		.root = kernel->tree->root,
		.plan = kernel_plan(kernel, WISHES),
		.head = { .profile = "test", .boot_id = "boot-1" },
		.plan_json = "{}\n",
		.facts_json = "{}\n",
		.measure = watch->measure ? watch->measure : measure,
		.result = result_text,
		.data = watch,
	};

	if (!watch->plans[1])
		watch->plans[1] = kernel_plan(kernel, WISHES);
	return execute_trial(kernel->tree->arena, &input, result, err);
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
	struct execute_trial_result result;
	struct err err = { 0 };
	char *before = kernel_state(watch.kernel);

	(void)state;
	assert_int_equal(try(&watch, &result, &err), 0);
	assert_true(result.undone);
	assert_string_equal(watch.states[1],
			    "none nr=512 tags=512 rq=1 max=512 ra=0 "
			    "timeout=30000");
	assert_string_equal(watch.states[2], watch.states[1]);
	assert_non_null(strstr(watch.states[0], "mq-deadline nr=512"));
	/* The hidden tags are the only thing that a scheduler forgives. */
	assert_string_equal(watch.states[3],
			    "mq-deadline nr=512 tags=512 rq=1 max=1280 ra=0 "
			    "timeout=30000");
	watch.kernel->tags = 1023;
	assert_string_equal(kernel_state(watch.kernel), before);
	kernel_free(watch.kernel);
}

static void a_key_is_switched_while_others_stay_before_or_after(void **state)
{
	struct watch watch = { .kernel = odd_kernel() };
	struct execute_trial_result result;
	struct err err = { 0 };

	(void)state;
	watch.plans[0] = kernel_plan(watch.kernel, LINES("[drives]", SECTORS));
	assert_int_equal(try(&watch, &result, &err), 0);
	assert_string_equal(watch.states[0],
			    "mq-deadline nr=512 tags=1023 rq=1 max=512 ra=0 "
			    "timeout=30000");
	assert_string_equal(watch.states[1],
			    "none nr=512 tags=512 rq=1 max=512 ra=0 "
			    "timeout=30000");
	kernel_free(watch.kernel);
}

static void what_a_key_disturbs_is_the_kernels_only_while_it_is_on(void **state)
{
	struct watch watch = { .kernel = kernel_new() };
	struct execute_trial_result result;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(try(&watch, &result, &err), 0);
	assert_non_null(strstr(watch.states[1], "none nr=1023"));
	assert_non_null(strstr(watch.states[3], "mq-deadline nr=256"));
	kernel_free(watch.kernel);
}

static void a_measurement_that_fails_leaves_the_host_as_before(void **state)
{
	struct watch watch = { .kernel = odd_kernel(), .code = -ETIMEDOUT };
	struct execute_trial_result result;
	struct err err = { 0 };
	char *before = kernel_state(watch.kernel);

	(void)state;
	assert_int_equal(try(&watch, &result, &err), -ETIMEDOUT);
	assert_true(result.undone);
	assert_string_equal(err.text, "the drive is silent");
	watch.kernel->tags = 1023;
	assert_string_equal(kernel_state(watch.kernel), before);
	kernel_free(watch.kernel);
}

static void what_was_measured_is_kept_beside_the_journal(void **state)
{
	struct watch watch = { .kernel = odd_kernel(), .result = "{}\n" };
	struct execute_trial_result result;
	struct history history;
	struct err err = { 0 };
	char *text = NULL;

	(void)state;
	assert_int_equal(try(&watch, &result, &err), 0);
	assert_int_equal(history_trial_result(watch.kernel->tree->root,
					      watch.kernel->tree->arena,
					      result.id, &text, &err),
			 0);
	assert_string_equal(text, "{}\n");
	assert_int_equal(history_read(watch.kernel->tree->root,
				      watch.kernel->tree->arena, &history,
				      &err),
			 0);
	assert_string_equal(journal_word(&history.entries.items[0].journal),
			    "trial");
	assert_null(history_blocking(&history));
	kernel_free(watch.kernel);
}

/* As a kill -9 leaves it: the journal is open. */
static int die(void *data, const struct arms *arms, struct err *err)
{
	struct watch *watch = data;
	struct rollback_input input = { .root = arms->root,
					.knobs = knobs_all() };
	struct rollback_result result;
	int r = switch_to(watch, arms, 1, err);

	assert_int_equal(r, 0);
	watch->states[0] = kernel_state(watch->kernel);
	assert_int_equal(rollback_run(watch->kernel->tree->arena, &input,
				      &result, err),
			 0);
	assert_int_equal(result.count.conflicts, 0);
	watch->states[1] = kernel_state(watch->kernel);
	return err_set(err, -EINTR, "gone");
}

static void killed_in_the_middle_of_a_block_rollback_restores_it(void **state)
{
	struct watch watch = { .kernel = odd_kernel(), .measure = die };
	struct execute_trial_result result;
	struct err err = { 0 };
	char *before = kernel_state(watch.kernel);

	(void)state;
	assert_int_equal(try(&watch, &result, &err), -EINTR);
	assert_non_null(strstr(watch.states[0], "none nr=512"));
	watch.kernel->tags = 1023;
	assert_non_null(strstr(watch.states[1], "mq-deadline nr=512"));
	assert_string_equal(kernel_state(watch.kernel), before);
	kernel_free(watch.kernel);
}

static void a_trial_that_is_over_is_nothing_to_roll_back(void **state)
{
	struct watch watch = { .kernel = odd_kernel() };
	struct rollback_input input = { .root = watch.kernel->tree->root,
					.knobs = knobs_all() };
	struct execute_trial_result result;
	struct rollback_result undone;
	struct execute_result applied;
	struct err err = { 0 };
	const struct execute_input apply = {
		.root = watch.kernel->tree->root,
		.plan = kernel_plan(watch.kernel,
				    LINES("[drives]", "queue.rq_affinity = 2")),
		.head = { .profile = "test", .boot_id = "boot-1" },
		.plan_json = "{}\n",
		.facts_json = "{}\n",
		.values = true,
		.files = true,
	};

	(void)state;
	assert_int_equal(execute_plan(watch.kernel->tree->arena, &apply,
				      &applied, &err),
			 0);
	assert_int_equal(try(&watch, &result, &err), 0);
	assert_true(result.id > applied.id);
	assert_int_equal(rollback_run(watch.kernel->tree->arena, &input,
				      &undone, &err),
			 0);
	assert_int_equal(undone.newest, applied.id);
	assert_int_equal(undone.undone, 1);
	assert_int_equal(watch.kernel->rq_affinity, 1);
	kernel_free(watch.kernel);
}

static int measure_swapped(void *data, const struct arms *arms, struct err *err)
{
	struct watch *watch = data;
	int r = switch_to(watch, arms, 0, err);

	assert_int_equal(r, 0);
	tree_put(watch->kernel->tree, "sys/class/block/nvme0n1/wwid",
		 "eui.0002\n");
	strbuf_reset(&watch->kernel->log);
	r = switch_to(watch, arms, 1, err);
	assert_string_equal(watch->kernel->log.text, "");
	return r;
}

static void a_drive_that_was_swapped_meanwhile_is_not_written(void **state)
{
	struct watch watch = { .kernel = odd_kernel() };
	struct execute_trial_result result;
	struct err err = { 0 };

	(void)state;
	watch.measure = measure_swapped;
	assert_int_equal(try(&watch, &result, &err), -ESTALE);
	assert_non_null(
		strstr(err.text,
		       "nvme0n1: became another drive while it was measured"));
	kernel_free(watch.kernel);
}

static int set_both(void *data, const struct arms *arms, struct err *err)
{
	struct watch *watch = data;
	const struct step *failed = NULL;
	const char **wanted = steps_wanted(watch->kernel->tree->arena,
					   arms->list, watch->plans[1]);
	int r;

	watch->kernel->fail_attr = "scheduler";
	watch->kernel->fail_code = watch->code;
	watch->kernel->fail_times = 100;
	r = arms_set(arms, wanted, &failed, err);
	watch->kernel->fail_times = 0;
	assert_non_null(failed);
	assert_string_equal(failed->key, "queue.scheduler");
	return r;
}

static void what_is_ignored_or_refused_is_told_with_its_step(void **state)
{
	struct watch watch = { .kernel = odd_kernel(), .measure = set_both };
	struct execute_trial_result result;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(try(&watch, &result, &err), -EPROTO);
	assert_non_null(strstr(err.text, "queue.scheduler: wrote \"none\""));
	watch.code = -EOPNOTSUPP;
	assert_int_equal(try(&watch, &result, &err), -EOPNOTSUPP);
	kernel_free(watch.kernel);
}

/* Two steps of one attribute can never both stand. */
static int set_at_odds(void *data, const struct arms *arms, struct err *err)
{
	struct watch *watch = data;
	struct arena *arena = watch->kernel->tree->arena;
	const size_t n = arms->list->steps.n;
	const char **wanted = arena_array(arena, n, sizeof(*wanted));
	const char **paths = arena_array(arena, n, sizeof(*paths));
	const struct arms odd = { arms->root, arms->list, paths };
	const struct step *failed = NULL;
	int r;

	for (size_t i = 0; i < n; i++)
		paths[i] = arms->paths[0];
	wanted[0] = "none";
	wanted[n - 1] = "mq-deadline";
	r = arms_set(&odd, wanted, &failed, err);
	assert_ptr_equal(failed, &arms->list->steps.items[0]);
	return r;
}

static void the_step_that_does_not_stand_is_told(void **state)
{
	struct watch watch = { .kernel = odd_kernel(), .measure = set_at_odds };
	struct execute_trial_result result;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(try(&watch, &result, &err), -EPROTO);
	assert_non_null(
		strstr(err.text, "queue.scheduler was set to \"none\""));
	assert_true(result.undone);
	kernel_free(watch.kernel);
}

static int watch_check(void *data, const struct arms *arms, struct err *err)
{
	struct watch *watch = data;
	const char **wanted = steps_wanted(watch->kernel->tree->arena,
					   arms->list, watch->plans[1]);

	assert_int_equal(arms_set(arms, wanted, NULL, err), 0);
	assert_int_equal(arms_check(arms, wanted, err), 0);
	watch->kernel->max_sectors_kb = 256;
	kernel_show(watch->kernel);
	assert_int_equal(arms_check(arms, wanted, err), -EPROTO);
	assert_non_null(strstr(err->text, "queue.max_sectors_kb was set to "
					  "\"512\", and it reads \"256\""));
	*err = (struct err){ 0 };
	return arms_set(arms, wanted, NULL, err);
}

static void an_arm_that_somebody_moved_is_seen(void **state)
{
	struct watch watch = { .kernel = odd_kernel(), .measure = watch_check };
	struct execute_trial_result result;
	struct err err = { 0 };

	(void)state;
	if (try(&watch, &result, &err) < 0)
		fail_msg("%s", err.text);
	kernel_free(watch.kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_arms_are_exact_whatever_came_before),
		cmocka_unit_test(
			a_key_is_switched_while_others_stay_before_or_after),
		cmocka_unit_test(
			what_a_key_disturbs_is_the_kernels_only_while_it_is_on),
		cmocka_unit_test(
			a_measurement_that_fails_leaves_the_host_as_before),
		cmocka_unit_test(what_was_measured_is_kept_beside_the_journal),
		cmocka_unit_test(
			killed_in_the_middle_of_a_block_rollback_restores_it),
		cmocka_unit_test(a_trial_that_is_over_is_nothing_to_roll_back),
		cmocka_unit_test(
			a_drive_that_was_swapped_meanwhile_is_not_written),
		cmocka_unit_test(
			what_is_ignored_or_refused_is_told_with_its_step),
		cmocka_unit_test(the_step_that_does_not_stand_is_told),
		cmocka_unit_test(an_arm_that_somebody_moved_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

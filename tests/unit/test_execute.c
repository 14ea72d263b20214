/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/parse.h"
#include "core/owner.h"
#include "kernel.h"
#include "knobs/knob_list.h"
#include "write/execute.h"
#include "write/history.h"
#include "write/rollback.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define OLTP                                                                   \
	LINES("[drives]", "queue.scheduler = none", "queue.nr_requests = 512", \
	      "queue.max_sectors_kb = 512", "queue.rq_affinity = 2")

/* What was told, one line each. */
struct talk {
	struct strbuf text;
	unsigned int stop_after; /* questions; 0: never */
	unsigned int asked;
};

static void hear(void *data, const struct execute_event *event)
{
	static const char *const names[] = { "done", "refused", "failed" };
	struct talk *talk = data;

	strbuf_printf(&talk->text, "%s %s: %s\n", names[event->what],
		      event->step ? (event->step->key ? event->step->key :
							event->step->path) :
				    "-",
		      event->why ? event->why : "");
}

static void hear_restore(void *data, const struct restore_event *event)
{
	static const char *const names[] = { "restored", "conflict", "gone",
					     "stuck" };
	struct talk *talk = data;
	const struct step *step = event->step;

	strbuf_printf(&talk->text, "%s %s: %s\n", names[event->what],
		      step->key ? step->key : step->path,
		      event->why ? event->why : "");
}

static bool stop(void *data)
{
	struct talk *talk = data;

	return ++talk->asked == talk->stop_after;
}

struct run {
	int r;
	struct execute_result result;
	struct talk talk;
	struct err err;
};

static void run_plan(struct kernel *kernel, const struct plan *plan,
		     struct execute_input input, struct run *run)
{
	struct arena *arena = kernel->tree->arena;

	strbuf_init(&run->talk.text, arena);
	input.root = kernel->tree->root;
	input.plan = plan;
	input.head.profile = "test";
	input.head.boot_id = "boot-1";
	input.plan_json = "{}\n";
	input.facts_json = "{}\n";
	input.stop = stop;
	input.tell = hear;
	input.tell_restore = hear_restore;
	input.data = &run->talk;
	strbuf_reset(&kernel->log);
	run->r = execute_plan(arena, &input, &run->result, &run->err);
}

static const struct execute_input everything = { .values = true,
						 .files = true };

static struct run apply(struct kernel *kernel, const char *const *lines)
{
	struct run run = { 0 };

	run_plan(kernel, kernel_plan(kernel, lines), everything, &run);
	return run;
}

static struct rollback_result roll_back(struct kernel *kernel,
					unsigned int down_to, bool force,
					struct talk *talk)
{
	struct talk unheard = { 0 };
	struct rollback_input input = {
		.root = kernel->tree->root,
		.down_to = down_to,
		.force = force,
		.knobs = knobs_all(),
		.tell = hear_restore,
		.data = talk ? talk : &unheard,
	};
	struct rollback_result result;
	struct err err = { 0 };

	strbuf_init(&((struct talk *)input.data)->text, kernel->tree->arena);
	strbuf_reset(&kernel->log);
	if (rollback_run(kernel->tree->arena, &input, &result, &err) < 0)
		fail_msg("%s", err.text);
	return result;
}

/* Every file below the root but for the state, in one text. */
static char *files_of(struct kernel *kernel)
{
	struct tree *tree = kernel->tree;
	const char *command = arena_printf(
		tree->arena,
		"cd '%s' && find . -path ./var -prune -o -printf '%%p %%m\\n' "
		"-type f -exec cat {} + | sort",
		tree->dir);
	FILE *pipe = popen(command, "re");
	char *text = arena_alloc(tree->arena, 65536);

	assert_non_null(pipe);
	assert_true(fread(text, 1, 65535, pipe) > 0);
	assert_int_equal(pclose(pipe), 0);
	return text;
}

static void values_are_written_in_order_and_stand(void **state)
{
	struct kernel *kernel = kernel_new();
	struct run run = apply(kernel, OLTP);

	(void)state;
	assert_int_equal(run.r, 0);
	assert_string_equal(kernel_state(kernel),
			    "none nr=512 tags=512 rq=2 max=512 ra=128 "
			    "timeout=30000");
	assert_string_equal(kernel->log.text,
			    "scheduler=none nr_requests=511 nr_requests=512 "
			    "rq_affinity=2 max_sectors_kb=512");
	assert_int_equal(run.result.changed, 4 + 2);
	assert_int_equal(run.result.id, 1);
	assert_true(owner_is_us(tree_get(kernel->tree, &OWNER_RULES[1])));
	kernel_free(kernel);
}

static void a_second_apply_opens_no_transaction(void **state)
{
	struct kernel *kernel = kernel_new();
	struct run run = apply(kernel, OLTP);

	(void)state;
	assert_int_equal(run.r, 0);
	run = apply(kernel, OLTP);
	assert_int_equal(run.r, 0);
	assert_int_equal(run.result.id, 0);
	assert_string_equal(kernel->log.text, "");
	assert_false(sysroot_exists(kernel->tree->root,
				    "var/lib/nvmetune/txn/0002"));
	kernel_free(kernel);
}

/* What is as wanted already is journaled too, since a reload loses it. */
static void a_reload_that_cannot_be_fails_nothing_else(void **state)
{
	const struct execute_input input = { .values = true,
					     .files = true,
					     .reload = true };
	struct kernel *kernel = kernel_new();
	struct run run = apply(kernel, OLTP);

	(void)state;
	run = (struct run){ 0 };
	run_plan(kernel, kernel_plan(kernel, OLTP), input, &run);
	assert_int_equal(run.r, 0);
	assert_int_equal(run.result.id, 2);
	assert_int_equal(run.result.refused, 1);
	assert_false(run.result.reloaded);
	assert_string_equal(
		run.talk.text.text,
		"refused module nvme: nvme is not reloaded: nvme is not loaded as a module here\n");
	assert_non_null(strstr(tree_get(kernel->tree,
					"var/lib/nvmetune/txn/0002/journal"),
			       "put-back"));
	assert_string_equal(kernel_state(kernel),
			    "none nr=512 tags=512 rq=2 max=512 ra=128 "
			    "timeout=30000");
	assert_int_equal(roll_back(kernel, 1, false, NULL).undone, 2);
	kernel_free(kernel);
}

static void rollback_brings_back_the_exact_host(void **state)
{
	struct kernel *kernel = kernel_new();
	char *before, *files;

	(void)state;
	kernel->nr_requests = 512;
	kernel->read_ahead_kb = 0;
	kernel_show(kernel);
	before = kernel_state(kernel);
	files = files_of(kernel);
	assert_int_equal(apply(kernel, OLTP).r, 0);
	assert_int_equal(roll_back(kernel, 0, false, NULL).undone, 1);
	/* The scheduler first: it resets nr_requests. */
	assert_string_equal(kernel->log.text,
			    "scheduler=mq-deadline nr_requests=511 "
			    "nr_requests=512 rq_affinity=1 max_sectors_kb=1280 "
			    "read_ahead_kb=0");
	kernel->tags = 1023;
	assert_string_equal(kernel_state(kernel), before);
	assert_string_equal(files_of(kernel), files);
	kernel_free(kernel);
}

/* The profile cannot have what it wants, but the scheduler moves it. */
static void what_cannot_be_had_comes_back_all_the_same(void **state)
{
	struct kernel *kernel = kernel_new();

	(void)state;
	kernel->nr_requests = 512;
	kernel_show(kernel);
	assert_int_equal(apply(kernel,
			       LINES("[drives]", "queue.scheduler = none",
				     "queue.nr_requests = 4000"))
				 .r,
			 0);
	assert_int_equal(kernel->nr_requests, 1023);
	(void)roll_back(kernel, 0, false, NULL);
	assert_int_equal(kernel->nr_requests, 512);
	kernel_free(kernel);
}

static void rollback_twice_does_nothing_more(void **state)
{
	struct kernel *kernel = kernel_new();
	struct rollback_result result;

	(void)state;
	assert_int_equal(apply(kernel, OLTP).r, 0);
	(void)roll_back(kernel, 0, false, NULL);
	result = roll_back(kernel, 0, false, NULL);
	assert_int_equal(result.newest, 1);
	assert_int_equal(result.undone, 0);
	assert_string_equal(kernel->log.text, "");
	kernel_free(kernel);
}

/* Under none the file may show what the hardware does not have. */
static void rollback_makes_nr_requests_true_again(void **state)
{
	struct kernel *kernel = kernel_new();

	(void)state;
	kernel_reboot(kernel);
	assert_int_equal(apply(kernel,
			       LINES("[drives]", "queue.scheduler = none",
				     "queue.nr_requests = 64"))
				 .r,
			 0);
	assert_int_equal(kernel->tags, 64);
	assert_int_equal(apply(kernel, LINES("[drives]",
					     "queue.scheduler = mq-deadline",
					     "queue.nr_requests = 300"))
				 .r,
			 0);
	(void)roll_back(kernel, 1, false, NULL);
	assert_string_equal(kernel_state(kernel),
			    "none nr=1023 tags=1023 rq=1 max=1280 ra=128 "
			    "timeout=30000");
	kernel_free(kernel);
}

static void what_only_the_first_profile_had_returns(void **state)
{
	struct kernel *kernel = kernel_new();
	struct run run;

	(void)state;
	assert_int_equal(apply(kernel, OLTP).r, 0);
	run = apply(kernel, LINES("[drives]", "queue.io_timeout = 60s"));
	assert_int_equal(run.r, 0);
	assert_string_equal(kernel_state(kernel),
			    "mq-deadline nr=256 tags=512 rq=1 max=1280 ra=128 "
			    "timeout=60000");
	run = apply(kernel, LINES("[drives]", "queue.io_timeout = 60s"));
	assert_int_equal(run.result.id, 0);
	(void)roll_back(kernel, 1, false, NULL);
	assert_string_equal(kernel_state(kernel),
			    "mq-deadline nr=256 tags=512 rq=1 max=1280 ra=128 "
			    "timeout=30000");
	kernel_free(kernel);
}

static void a_refusal_is_passed_over(void **state)
{
	static const int codes[] = { EPERM, EIO, EOPNOTSUPP, EACCES };

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct kernel *kernel = kernel_new();
		struct run run;

		kernel->fail_attr = "rq_affinity";
		kernel->fail_code = -codes[i];
		kernel->fail_times = 1;
		run = apply(kernel, OLTP);
		assert_int_equal(run.r, 0);
		assert_int_equal(run.result.refused, 1);
		assert_int_equal(kernel->rq_affinity, 1);
		assert_int_equal(kernel->max_sectors_kb, 512);
		assert_non_null(strstr(run.talk.text.text,
				       "refused queue.rq_affinity: nvme0n1: "
				       "queue.rq_affinity: cannot write "
				       "\"2\": "));
		(void)roll_back(kernel, 0, false, NULL);
		assert_int_equal(kernel->max_sectors_kb, 1280);
		kernel_free(kernel);
	}
}

static void what_cannot_be_read_back_is_a_failure(void **state)
{
	struct kernel *kernel = kernel_new();
	struct history history;
	struct err err = { 0 };
	struct run run;

	(void)state;
	kernel->mute_attr = "rq_affinity";
	run = apply(kernel, OLTP);
	assert_int_equal(run.r, -EPROTO);
	assert_false(run.result.undone);
	assert_int_equal(kernel->max_sectors_kb, 1280);
	/* Neither left out of the journal nor taken for an attribute that this
	 * kernel does not have: it is seen to as soon as it can be. */
	assert_int_equal(history_read(kernel->tree->root, kernel->tree->arena,
				      &history, &err),
			 0);
	assert_non_null(history_blocking(&history));
	kernel->mute_attr = NULL;
	assert_int_equal(roll_back(kernel, 0, false, NULL).undone, 1);
	assert_int_equal(kernel->rq_affinity, 1);
	kernel_free(kernel);
}

static void going_on_remembers_what_could_not_be_read_back(void **state)
{
	struct kernel *kernel = kernel_new();
	struct execute_input input = everything;
	struct run run = { 0 };

	(void)state;
	input.keep_going = true;
	kernel->mute_attr = "rq_affinity";
	run_plan(kernel, kernel_plan(kernel, OLTP), input, &run);
	assert_int_equal(run.r, 0);
	assert_int_equal(run.result.failed, 1);
	kernel->mute_attr = NULL;
	kernel->rq_affinity = 2;
	kernel_show(kernel);
	assert_int_equal(roll_back(kernel, 0, false, NULL).undone, 1);
	assert_int_equal(kernel->rq_affinity, 1);
	kernel_free(kernel);
}

static void a_busy_queue_is_tried_again(void **state)
{
	static const int codes[] = { EBUSY, EAGAIN, EINTR, ENOENT };

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct kernel *kernel = kernel_new();

		kernel->fail_attr = "scheduler";
		kernel->fail_code = -codes[i];
		kernel->fail_times = 3;
		assert_int_equal(apply(kernel, OLTP).r, 0);
		assert_string_equal(kernel->scheduler, "none");
		kernel_free(kernel);
	}
}

static void a_failure_undoes_what_was_done(void **state)
{
	struct kernel *kernel = kernel_new();
	char *before = kernel_state(kernel), *files = files_of(kernel);
	struct run run;

	(void)state;
	kernel->fail_attr = "max_sectors_kb";
	kernel->fail_code = -EINVAL;
	kernel->fail_times = 1;
	run = apply(kernel, OLTP);
	assert_int_equal(run.r, -EINVAL);
	assert_true(run.result.undone);
	assert_string_equal(run.err.text,
			    "nvme0n1: queue.max_sectors_kb: cannot write "
			    "\"512\": Invalid argument");
	kernel->tags = 1023;
	assert_string_equal(kernel_state(kernel), before);
	assert_string_equal(files_of(kernel), files);
	/* It is closed: the next one may begin. */
	assert_int_equal(apply(kernel, OLTP).r, 0);
	kernel_free(kernel);
}

static void accepted_and_ignored_is_a_failure(void **state)
{
	struct kernel *kernel = kernel_new();
	struct run run;

	(void)state;
	kernel->fail_attr = "scheduler";
	kernel->fail_times = 9;
	run = apply(kernel, OLTP);
	assert_true(run.r < 0);
	assert_string_equal(run.err.text,
			    "nvme0n1: queue.scheduler: wrote \"none\" without "
			    "an error, but it reads \"mq-deadline\"");
	assert_true(run.result.undone);
	kernel_free(kernel);
}

static void keep_going_keeps_the_rest(void **state)
{
	struct kernel *kernel = kernel_new();
	struct execute_input input = everything;
	struct run run = { 0 };

	(void)state;
	input.keep_going = true;
	kernel->fail_attr = "rq_affinity";
	kernel->fail_code = -EINVAL;
	kernel->fail_times = 1;
	run_plan(kernel, kernel_plan(kernel, OLTP), input, &run);
	assert_int_equal(run.r, 0);
	assert_int_equal(run.result.failed, 1);
	assert_string_equal(kernel_state(kernel),
			    "none nr=512 tags=512 rq=1 max=512 ra=128 "
			    "timeout=30000");
	(void)roll_back(kernel, 0, false, NULL);
	assert_string_equal(kernel->scheduler, "mq-deadline");
	kernel_free(kernel);
}

static void a_signal_undoes_at_any_step(void **state)
{
	unsigned int stopped = 0;

	(void)state;
	for (unsigned int at = 1; at < 40; at++) {
		struct kernel *kernel = kernel_new();
		char *before = kernel_state(kernel);
		char *files = files_of(kernel);
		struct run run = { .talk.stop_after = at };

		run_plan(kernel, kernel_plan(kernel, OLTP), everything, &run);
		if (run.r == 0) {
			kernel_free(kernel);
			break;
		}
		stopped++;
		assert_int_equal(run.r, -EINTR);
		kernel->tags = 1023;
		assert_string_equal(kernel_state(kernel), before);
		assert_string_equal(files_of(kernel), files);
		kernel_free(kernel);
	}
	assert_true(stopped >= 7);
}

static _Noreturn void die(struct kernel *kernel)
{
	(void)kernel;
	_exit(42);
}

/* A child applies or rolls back and dies behind one write; what it left on
 * disk and in the attributes is all that the next one has. */
static bool child_dies(struct kernel *kernel, unsigned int at, bool applies)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		kernel->break_at = at;
		kernel->breaks = die;
		kernel->nr_writes = 0;
		if (applies)
			(void)apply(kernel, OLTP);
		else
			(void)roll_back(kernel, 0, false, NULL);
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status) == 42;
}

static void read_number(struct kernel *kernel, const char *attr,
			unsigned int *ret)
{
	char *text = tree_get(kernel->tree,
			      arena_printf(kernel->tree->arena,
					   "sys/class/block/nvme0n1/queue/%s",
					   attr));

	assert_int_equal(parse_uint(text_trim(text), ret), 0);
}

/* What the child's kernel was in the end. */
static void take_over(struct kernel *kernel)
{
	char *text = tree_get(kernel->tree,
			      "sys/class/block/nvme0n1/queue/scheduler");

	strcpy(kernel->scheduler,
	       strstr(text, "[none]") ? "none" : "mq-deadline");
	read_number(kernel, "nr_requests", &kernel->nr_requests);
	read_number(kernel, "rq_affinity", &kernel->rq_affinity);
	read_number(kernel, "max_sectors_kb", &kernel->max_sectors_kb);
	read_number(kernel, "read_ahead_kb", &kernel->read_ahead_kb);
}

static void a_crash_behind_any_write_is_taken_back(void **state)
{
	unsigned int died = 0;

	(void)state;
	for (unsigned int at = 1; at < 20; at++) {
		struct kernel *kernel = kernel_new();
		struct rollback_result result;
		char *before, *files;

		kernel->read_ahead_kb = 0;
		kernel_show(kernel);
		before = kernel_state(kernel);
		files = files_of(kernel);
		if (!child_dies(kernel, at, true)) {
			kernel_free(kernel);
			break;
		}
		died++;
		take_over(kernel);
		result = roll_back(kernel, 0, false, NULL);
		assert_int_equal(result.count.conflicts, 0);
		assert_int_equal(result.count.failed, 0);
		assert_int_equal(result.undone, 1);
		assert_string_equal(kernel_state(kernel), before);
		assert_string_equal(files_of(kernel), files);
		kernel_free(kernel);
	}
	assert_int_equal(died, 6);
}

static void a_crash_of_rollback_itself_is_no_harm(void **state)
{
	unsigned int died = 0;

	(void)state;
	for (unsigned int at = 1; at < 20; at++) {
		struct kernel *kernel = kernel_new();
		struct rollback_result result;
		char *before, *files;
		bool dead;

		kernel->nr_requests = 512;
		kernel->read_ahead_kb = 0;
		kernel_show(kernel);
		before = kernel_state(kernel);
		files = files_of(kernel);
		assert_int_equal(apply(kernel, OLTP).r, 0);
		dead = child_dies(kernel, at, false);
		take_over(kernel);
		if (dead) {
			died++;
			result = roll_back(kernel, 0, false, NULL);
			assert_int_equal(result.count.conflicts, 0);
			assert_int_equal(result.undone, 1);
		}
		kernel->tags = 1023;
		assert_string_equal(kernel_state(kernel), before);
		assert_string_equal(files_of(kernel), files);
		kernel_free(kernel);
		if (!dead)
			break;
	}
	assert_int_equal(died, 6);
}

static void a_value_set_by_hand_since_is_kept(void **state)
{
	struct kernel *kernel = kernel_new();
	struct rollback_result result;
	struct talk talk = { 0 };

	(void)state;
	assert_int_equal(apply(kernel, OLTP).r, 0);
	kernel->rq_affinity = 0;
	kernel->nr_requests = 100;
	kernel_show(kernel);
	result = roll_back(kernel, 0, false, &talk);
	assert_int_equal(result.count.conflicts, 2);
	assert_int_equal(result.undone, 1);
	assert_int_equal(kernel->rq_affinity, 0);
	/* Though the scheduler went back, which resets it. */
	assert_int_equal(kernel->nr_requests, 100);
	assert_string_equal(kernel->scheduler, "mq-deadline");
	assert_non_null(strstr(talk.text.text, "conflict queue.rq_affinity"));

	result = roll_back(kernel, 0, false, NULL);
	assert_int_equal(result.undone, 0);
	assert_int_equal(result.kept, 2);
	result = roll_back(kernel, 0, true, NULL);
	assert_int_equal(result.undone, 1);
	assert_int_equal(kernel->rq_affinity, 1);
	assert_int_equal(kernel->nr_requests, 256);
	kernel_free(kernel);
}

static void a_file_changed_by_hand_is_kept(void **state)
{
	struct kernel *kernel = kernel_new();
	struct tree *tree = kernel->tree;
	struct rollback_result result;
	const char *mine = OWNER_MARK " and edited\n";

	(void)state;
	assert_int_equal(apply(kernel, OLTP).r, 0);
	tree_put(tree, &OWNER_RULES[1], mine);
	result = roll_back(kernel, 0, false, NULL);
	assert_int_equal(result.count.conflicts, 1);
	assert_string_equal(tree_get(tree, &OWNER_RULES[1]), mine);
	assert_false(sysroot_exists(tree->root, OWNER_APPLIED));
	result = roll_back(kernel, 0, true, NULL);
	assert_int_equal(result.undone, 1);
	assert_false(sysroot_exists(tree->root, OWNER_RULES));
	kernel_free(kernel);
}

static void somebody_elses_file_stops_apply_before_it_begins(void **state)
{
	struct kernel *kernel = kernel_new();
	char *before = kernel_state(kernel);
	struct run run;

	(void)state;
	tree_put(kernel->tree, &OWNER_RULES[1], "# mine\n");
	run = apply(kernel, OLTP);
	assert_int_equal(run.r, -EEXIST);
	assert_int_equal(run.result.id, 0);
	assert_string_equal(kernel_state(kernel), before);
	assert_string_equal(tree_get(kernel->tree, &OWNER_RULES[1]),
			    "# mine\n");
	kernel_free(kernel);
}

static void a_drive_that_has_gone_is_no_failure(void **state)
{
	struct kernel *kernel = kernel_new();
	struct talk talk = { 0 };
	struct rollback_result result;

	(void)state;
	assert_int_equal(apply(kernel, OLTP).r, 0);
	tree_remove(kernel->tree, "sys/class/block/nvme0n1");
	tree_remove(kernel->tree, "sys/class/nvme/nvme0");
	result = roll_back(kernel, 0, false, &talk);
	assert_int_equal(result.undone, 1);
	assert_int_equal(result.count.failed, 0);
	assert_true(result.count.gone > 0);
	assert_non_null(strstr(talk.text.text, "gone queue.scheduler"));
	assert_false(sysroot_exists(kernel->tree->root, "etc/nvmetune"));
	kernel_free(kernel);
}

static void pull(struct kernel *kernel)
{
	tree_remove(kernel->tree, "sys/class/block/nvme0n1");
	tree_remove(kernel->tree, "sys/class/nvme/nvme0");
}

static void a_drive_that_goes_during_rollback_is_no_failure(void **state)
{
	struct kernel *kernel = kernel_new();
	struct rollback_result result;

	(void)state;
	assert_int_equal(apply(kernel, OLTP).r, 0);
	kernel->nr_writes = 0;
	kernel->break_at = 1;
	kernel->breaks = pull;
	result = roll_back(kernel, 0, false, NULL);
	assert_int_equal(kernel->nr_writes, 1);
	assert_int_equal(result.undone, 1);
	assert_int_equal(result.count.failed, 0);
	assert_true(result.count.gone > 1);
	kernel_free(kernel);
}

static void a_drive_is_found_under_its_new_name(void **state)
{
	struct kernel *kernel = kernel_new();
	struct tree *tree = kernel->tree;
	struct rollback_result result;

	(void)state;
	assert_int_equal(apply(kernel, OLTP).r, 0);
	assert_int_equal(
		system(arena_printf(tree->arena,
				    "cd '%s/sys/class' && mv nvme/nvme0 "
				    "nvme/nvme3 && mv block/nvme0n1 "
				    "block/nvme3n1 && ln -sfn "
				    "../../nvme/nvme3 block/nvme3n1/device",
				    tree->dir)),
		0);
	/* Another drive has the old name. */
	tree_put(tree, "sys/class/block/nvme0n1/wwid", "eui.0002\n");
	tree_put(tree, "sys/class/block/nvme0n1/nsid", "1\n");
	tree_link(tree, "sys/class/block/nvme0n1/device", "../../nvme/nvme0");
	tree_put(tree, "sys/class/nvme/nvme0/serial", "OTHER\n");
	kernel->disk = "nvme3n1";
	result = roll_back(kernel, 0, false, NULL);
	assert_int_equal(result.count.failed, 0);
	assert_int_equal(result.count.gone, 0);
	assert_string_equal(kernel->scheduler, "mq-deadline");
	kernel_free(kernel);
}

static void a_host_that_moved_since_the_plan_is_refused(void **state)
{
	struct kernel *kernel = kernel_new();
	struct plan *plan = kernel_plan(kernel, OLTP);
	struct run run = { 0 };

	(void)state;
	kernel->rq_affinity = 0;
	kernel_show(kernel);
	run_plan(kernel, plan, everything, &run);
	assert_int_equal(run.r, -ESTALE);
	assert_int_equal(run.result.id, 0);
	assert_string_equal(kernel->log.text, "");
	kernel_free(kernel);
}

static void another_drive_of_the_same_name_is_not_written(void **state)
{
	struct kernel *kernel = kernel_new();
	struct plan *plan = kernel_plan(kernel, OLTP);
	struct run run = { 0 };

	(void)state;
	tree_put(kernel->tree, "sys/class/block/nvme0n1/wwid", "eui.0002\n");
	run_plan(kernel, plan, everything, &run);
	assert_int_equal(run.r, 0);
	assert_int_equal(run.result.refused, 5);
	assert_string_equal(kernel->log.text, "");
	kernel_free(kernel);
}

static void a_drive_that_went_since_the_plan_fails_nothing_else(void **state)
{
	struct kernel *kernel = kernel_new();
	struct plan *plan = kernel_plan(kernel, OLTP);
	struct run run = { 0 };

	(void)state;
	pull(kernel);
	run_plan(kernel, plan, everything, &run);
	assert_int_equal(run.r, 0);
	assert_int_equal(run.result.refused, 5);
	assert_int_equal(run.result.failed, 0);
	assert_true(sysroot_exists(kernel->tree->root, OWNER_RULES));
	kernel_free(kernel);
}

static void rollback_in_a_later_boot_finds_the_rule_at_work(void **state)
{
	struct kernel *kernel = kernel_new();
	char *files = files_of(kernel);
	struct rollback_result result;

	(void)state;
	assert_int_equal(apply(kernel, OLTP).r, 0);
	kernel_reboot(kernel);
	/* As the rule sets them. */
	kernel->nr_requests = kernel->tags = 512;
	kernel->rq_affinity = 2;
	kernel->max_sectors_kb = 512;
	kernel_show(kernel);
	result = roll_back(kernel, 0, false, NULL);
	assert_int_equal(result.count.conflicts, 0);
	assert_string_equal(kernel_state(kernel),
			    "mq-deadline nr=256 tags=512 rq=1 max=1280 ra=128 "
			    "timeout=30000");
	kernel_show(kernel);
	assert_string_equal(files_of(kernel), files);
	kernel_free(kernel);
}

static void what_a_boot_forgot_is_no_conflict(void **state)
{
	struct kernel *kernel = kernel_new();
	struct execute_input live = { .values = true };
	struct run run = { 0 };
	struct talk talk = { 0 };
	struct rollback_result result;

	(void)state;
	kernel->rq_affinity = 0;
	kernel_show(kernel);
	run_plan(kernel, kernel_plan(kernel, OLTP), live, &run);
	assert_int_equal(run.r, 0);
	kernel_reboot(kernel);
	tree_put(kernel->tree, "proc/sys/kernel/random/boot_id", "boot-2\n");
	result = roll_back(kernel, 0, false, &talk);
	assert_int_equal(result.undone, 1);
	assert_int_equal(result.count.conflicts, 0);
	assert_non_null(strstr(talk.text.text, "gone queue.rq_affinity: a "
					       "boot since has set it anew"));
	assert_int_equal(kernel->rq_affinity, 1);
	kernel_free(kernel);
}

static void live_only_writes_no_file_and_persist_only_no_value(void **state)
{
	struct kernel *kernel = kernel_new();
	struct execute_input live = { .values = true };
	struct execute_input persist = { .files = true };
	struct run run = { 0 };

	(void)state;
	run_plan(kernel, kernel_plan(kernel, OLTP), live, &run);
	assert_int_equal(run.r, 0);
	assert_false(sysroot_exists(kernel->tree->root, OWNER_RULES));
	assert_string_equal(kernel->scheduler, "none");
	(void)roll_back(kernel, 0, false, NULL);
	run_plan(kernel, kernel_plan(kernel, OLTP), persist, &run);
	assert_int_equal(run.r, 0);
	assert_true(sysroot_exists(kernel->tree->root, OWNER_RULES));
	assert_string_equal(kernel->scheduler, "mq-deadline");
	kernel_free(kernel);
}

static void a_rollback_that_could_not_finish_is_taken_up_again(void **state)
{
	struct kernel *kernel = kernel_new();
	struct history history;
	struct talk talk = { 0 };
	struct rollback_input input = { .root = kernel->tree->root,
					.knobs = knobs_all(),
					.tell = hear_restore,
					.data = &talk };
	struct rollback_result result;
	struct err err = { 0 };

	(void)state;
	strbuf_init(&talk.text, kernel->tree->arena);
	assert_int_equal(apply(kernel, OLTP).r, 0);
	kernel->fail_attr = "rq_affinity";
	kernel->fail_code = -EPERM;
	kernel->fail_times = 2;
	assert_true(rollback_run(kernel->tree->arena, &input, &result, &err) <
		    0);
	assert_non_null(strstr(talk.text.text, "stuck queue.rq_affinity"));
	assert_int_equal(history_read(kernel->tree->root, kernel->tree->arena,
				      &history, &err),
			 0);
	assert_int_equal(history_blocking(&history)->id, 1);
	kernel->fail_times = 0;
	assert_int_equal(roll_back(kernel, 0, false, NULL).undone, 1);
	assert_int_equal(kernel->rq_affinity, 1);
	kernel_free(kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_written_in_order_and_stand),
		cmocka_unit_test(a_second_apply_opens_no_transaction),
		cmocka_unit_test(a_reload_that_cannot_be_fails_nothing_else),
		cmocka_unit_test(rollback_brings_back_the_exact_host),
		cmocka_unit_test(what_cannot_be_had_comes_back_all_the_same),
		cmocka_unit_test(rollback_twice_does_nothing_more),
		cmocka_unit_test(rollback_makes_nr_requests_true_again),
		cmocka_unit_test(what_only_the_first_profile_had_returns),
		cmocka_unit_test(a_refusal_is_passed_over),
		cmocka_unit_test(what_cannot_be_read_back_is_a_failure),
		cmocka_unit_test(
			going_on_remembers_what_could_not_be_read_back),
		cmocka_unit_test(a_busy_queue_is_tried_again),
		cmocka_unit_test(a_failure_undoes_what_was_done),
		cmocka_unit_test(accepted_and_ignored_is_a_failure),
		cmocka_unit_test(keep_going_keeps_the_rest),
		cmocka_unit_test(a_signal_undoes_at_any_step),
		cmocka_unit_test(a_crash_behind_any_write_is_taken_back),
		cmocka_unit_test(a_crash_of_rollback_itself_is_no_harm),
		cmocka_unit_test(a_value_set_by_hand_since_is_kept),
		cmocka_unit_test(a_file_changed_by_hand_is_kept),
		cmocka_unit_test(
			somebody_elses_file_stops_apply_before_it_begins),
		cmocka_unit_test(a_drive_that_has_gone_is_no_failure),
		cmocka_unit_test(
			a_drive_that_goes_during_rollback_is_no_failure),
		cmocka_unit_test(a_drive_is_found_under_its_new_name),
		cmocka_unit_test(a_host_that_moved_since_the_plan_is_refused),
		cmocka_unit_test(another_drive_of_the_same_name_is_not_written),
		cmocka_unit_test(
			a_drive_that_went_since_the_plan_fails_nothing_else),
		cmocka_unit_test(
			rollback_in_a_later_boot_finds_the_rule_at_work),
		cmocka_unit_test(what_a_boot_forgot_is_no_conflict),
		cmocka_unit_test(
			live_only_writes_no_file_and_persist_only_no_value),
		cmocka_unit_test(
			a_rollback_that_could_not_finish_is_taken_up_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

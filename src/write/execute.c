/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/execute.h"

#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "base/err.h"
#include "base/escape.h"
#include "base/parse.h"
#include "sys/sysroot.h"
#include "write/attr.h"
#include "write/exec.h"
#include "write/file.h"
#include "write/folder.h"
#include "write/identity.h"
#include "write/module.h"
#include "write/resume.h"
#include "write/steps.h"
#include "write/value.h"

/* Memory that one identity check takes, generously. */
#define CHECK_ROOM 2048

struct run {
	const struct execute_input *input;
	struct arena *arena;
	struct txn *txn;
	const char **paths; /* of the attribute of each step */
	struct execute_result *result;
	struct err *err;
};

static void tell(struct run *run, enum execute_what what,
		 const struct step *step, const char *why)
{
	const struct execute_event event = { .what = what,
					     .step = step,
					     .why = why };

	if (what == EXECUTE_DONE)
		run->result->changed++;
	else if (what == EXECUTE_REFUSED)
		run->result->refused++;
	else
		run->result->failed++;
	if (run->input->tell)
		run->input->tell(run->input->data, &event);
}

static void left_out(void *data, int code, const char *sentence)
{
	tell(data, code == -ENODEV ? EXECUTE_REFUSED : EXECUTE_FAILED, NULL,
	     sentence);
}

static int check_stop(struct run *run)
{
	if (run->input->stop && run->input->stop(run->input->data))
		return err_set(run->err, -EINTR, "interrupted");
	return 0;
}

static const char *path_of(const struct run *run, const struct step *step)
{
	return run->paths[step->nr - 1];
}

/* An earlier step of this transaction on the same disk may have moved it
 * without the attribute showing it. */
static bool needs_nudge(const struct run *run, const struct step *step)
{
	if (!step->nudge || !step->unsettled)
		return false;
	for (const struct step *it = run->txn->journal.list.steps.items;
	     it < step; it++)
		if (it->progress == STEP_DONE &&
		    text_equal(it->target.name, step->target.name))
			return true;
	return false;
}

/* What a step could not do: written down, told, and passed over. */
static int pass_over(struct run *run, struct step *step, enum execute_what what)
{
	const struct err why = *run->err;
	int r;

	*run->err = (struct err){ 0 };
	r = txn_refused(run->txn, step, why.text, run->err);
	if (r == 0)
		tell(run, what, step, why.text);
	return r;
}

/*
 * A write that failed may have moved the value nevertheless (rounded, or half
 * of a nudge): it goes back, or counts as done so that rollback sees to it.
 */
static int pass_over_value(struct run *run, struct step *step,
			   enum execute_what what)
{
	const struct sysroot *root = run->input->root;
	const char *path = path_of(run, step);
	char now[VALUE_TEXT_SIZE];

	if (attr_read(root, path, now) < 0 ||
	    step_same(step, now, step->before) ||
	    (attr_write(root, path, step->before) == 0 &&
	     attr_read(root, path, now) == 0 &&
	     step_same(step, now, step->before)))
		return pass_over(run, step, what);
	tell(run, what, step, run->err->text);
	*run->err = (struct err){ 0 };
	return txn_done(run->txn, step, now, run->err);
}

static int do_value(struct run *run, struct step *step)
{
	char left[VALUE_TEXT_SIZE];
	int r = value_check_drive(run->input->root, run->txn->arena, step,
				  run->err);

	if (r < 0)
		return pass_over(run, step, EXECUTE_REFUSED);
	if (attr_read(run->input->root, path_of(run, step), left) == 0 &&
	    step_same(step, left, step->after) && !needs_nudge(run, step))
		return 0;
	r = txn_start(run->txn, step, run->err);
	if (r < 0)
		return r;
	r = value_write(run->input->root, step, path_of(run, step),
			needs_nudge(run, step), left, run->err);
	if (value_is_refused(step, r))
		return pass_over_value(run, step, EXECUTE_REFUSED);
	if (r < 0 && run->input->keep_going)
		return pass_over_value(run, step, EXECUTE_FAILED);
	if (r < 0)
		return r;
	r = txn_done(run->txn, step, left, run->err);
	if (r == 0 && step->role != ROLE_PUT_BACK)
		tell(run, EXECUTE_DONE, step, NULL);
	return r;
}

static int do_values(struct run *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		int r;

		if (step->kind != STEP_VALUE || step->role == ROLE_RECORD ||
		    step->progress == STEP_REFUSED)
			continue;
		r = check_stop(run);
		if (r == 0)
			r = do_value(run, step);
		if (r < 0)
			return r;
	}
	return 0;
}

/*
 * A later step may have moved an earlier value once more: written again until
 * all stand, which one round does, since the round writes the same values in
 * the same order.
 */
static int settle_values(struct run *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		char now[VALUE_TEXT_SIZE];
		int r;

		if (step->kind != STEP_VALUE || step->role == ROLE_RECORD ||
		    !step->unsettled || step->progress == STEP_REFUSED)
			continue;
		if (attr_read(run->input->root, path_of(run, step), now) == 0 &&
		    step_same(step, now, step->after))
			continue;
		r = do_value(run, step);
		if (r < 0)
			return r;
	}
	return 0;
}

static int measure(struct run *run)
{
	const struct arms arms = { .root = run->input->root,
				   .list = &run->txn->journal.list,
				   .paths = run->paths };
	int r;

	if (!run->input->measure)
		return 0;
	r = run->input->measure(run->input->data, &arms, run->err);
	return r < 0 ? r : arms_switch(&arms, ARM_AFTER, run->err);
}

/* What all values read in the end, for the commit. */
static void note_what_is_left(struct run *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step)
		if (step->kind == STEP_VALUE)
			step->has_left = attr_read(run->input->root,
						   path_of(run, step),
						   step->left) == 0;
}

static int make_folder(struct run *run, struct step *step)
{
	int r = txn_start(run->txn, step, run->err);

	if (r == 0)
		r = folder_make(run->input->root, step->path, 0755, run->err);
	return r < 0 ? r : txn_done(run->txn, step, NULL, run->err);
}

/* Folders, and the new text beside each file. */
static int stage_files(struct run *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		int r = 0;

		if (step->kind == STEP_FOLDER)
			r = make_folder(run, step);
		else if (step->kind == STEP_FILE && step->new_text &&
			 step->progress != STEP_DONE)
			r = file_stage(run->input->root, step->path,
				       step->new_text, step->new_mode,
				       run->err);
		if (r < 0 && run->input->keep_going)
			r = pass_over(run, step, EXECUTE_FAILED);
		if (r < 0)
			return r;
	}
	return 0;
}

static int publish_file(struct run *run, struct step *step)
{
	int r = txn_start(run->txn, step, run->err);

	if (r < 0)
		return r;
	r = step->new_text ?
		    file_publish(run->input->root, step->path, run->err) :
		    file_remove(run->input->root, step->path, run->err);
	if (r == 0)
		r = txn_done(run->txn, step, NULL, run->err);
	if (r == 0)
		tell(run, EXECUTE_DONE, step, NULL);
	return r;
}

static int publish_files(struct run *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		int r;

		if (step->kind != STEP_FILE || step->progress == STEP_REFUSED ||
		    step->progress == STEP_DONE)
			continue;
		r = check_stop(run);
		if (r == 0)
			r = publish_file(run, step);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Numbers move over a reload: the same drives under today's names. */
static void find_again(struct run *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		struct target today;

		if (step->kind != STEP_VALUE ||
		    identity_find(run->input->root, run->txn->arena,
				  &step->target, &today) < 0)
			continue;
		step->target = today;
		run->paths[step->nr - 1] = step_path(run->txn->arena, step);
	}
}

/* A drive that came back has what the driver gives it, and our rule. */
static int write_again(struct run *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		int r;

		if (step->kind != STEP_VALUE || step->role == ROLE_RECORD ||
		    step->progress == STEP_REFUSED)
			continue;
		r = do_value(run, step);
		if (r < 0)
			return r;
	}
	return settle_values(run);
}

static int reload(struct run *run, struct step *step)
{
	int r = module_reload_nvme(run->input->root, run->txn->arena, run->err);

	if (r == -EBUSY || r == -EOPNOTSUPP) {
		(void)err_context(run->err, "nvme is not reloaded");
		return pass_over(run, step, EXECUTE_REFUSED);
	}
	if (r < 0)
		return r;
	r = txn_done(run->txn, step, NULL, run->err);
	if (r < 0)
		return r;
	tell(run, EXECUTE_DONE, step, NULL);
	run->result->reloaded = true;
	find_again(run);
	return write_again(run);
}

static int rebuild(struct run *run, struct step *step)
{
	const struct journal_head *head = &run->txn->journal.head;
	int r = exec_rebuild_initramfs(run->input->root, run->txn->arena,
				       head->initramfs, head->kernel, run->err);

	if (r == 0)
		r = txn_done(run->txn, step, NULL, run->err);
	if (r == 0) {
		tell(run, EXECUTE_DONE, step, NULL);
		run->result->rebuilt = true;
	}
	return r;
}

static int reload_units(struct run *run, struct step *step)
{
	int r = exec_reload_units(run->input->root, run->txn->arena, run->err);

	if (r == 0)
		r = txn_done(run->txn, step, NULL, run->err);
	if (r == 0)
		tell(run, EXECUTE_DONE, step, NULL);
	return r;
}

static int do_action(struct run *run, struct step *step)
{
	switch (step->action) {
	case ACTION_INITRAMFS:
		return rebuild(run, step);
	case ACTION_RELOAD:
		return reload(run, step);
	case ACTION_UNITS:
		return reload_units(run, step);
	}
	return -EINVAL;
}

static int do_actions(struct run *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		int r;

		if (step->kind != STEP_ACTION || step->progress == STEP_DONE)
			continue;
		r = check_stop(run);
		if (r == 0)
			r = txn_start(run->txn, step, run->err);
		if (r == 0)
			r = do_action(run, step);
		if (r < 0)
			return r;
	}
	return 0;
}

static int do_steps(struct run *run)
{
	int r = stage_files(run);

	if (r == 0)
		r = do_values(run);
	if (r == 0)
		r = settle_values(run);
	if (r == 0)
		r = measure(run);
	if (r == 0)
		r = publish_files(run);
	if (r == 0)
		r = do_actions(run);
	if (r == 0)
		r = check_stop(run);
	if (r < 0)
		return r;
	note_what_is_left(run);
	return txn_commit(run->txn, run->err);
}

static void undo(struct run *run)
{
	const struct restore restore = {
		.root = run->input->root,
		.tell = run->input->tell_restore,
		.data = run->input->data,
	};
	struct restore_count count = { 0 };
	struct err why = { 0 };
	int r = restore_run(&restore, run->txn, &count, &why);

	run->result->undone = r == 0 && count.conflicts == 0;
	run->result->changed = 0;
	if (r < 0)
		(void)err_set(
			run->err, run->err->code,
			"%s; undoing it failed too: %s; see \"nvmetune rollback\"",
			arena_strdup(run->arena, run->err->text), why.text);
}

static void log_commit(const struct run *run)
{
	char profile[64];
	size_t n = strlen(run->input->head.profile);

	if (!sysroot_is_live(run->input->root))
		return;
	n = n < sizeof(profile) ? n : sizeof(profile) - 1;
	memcpy(profile, run->input->head.profile, n);
	profile[n] = '\0';
	escape_in_place(profile);
	syslog(LOG_NOTICE | LOG_DAEMON,
	       "nvmetune: transaction %u: profile %s applied, %u changes",
	       run->result->id, profile, run->result->changed);
}

/* What the steps need while nothing may be allocated. */
static void prepare(struct run *run, const struct step_list *list)
{
	size_t i = 0;

	run->paths = arena_array(run->arena, list->steps.n, sizeof(char *));
	VEC_EACH(&list->steps, struct step, step)
		run->paths[i++] = step->kind == STEP_VALUE ?
					  step_path(run->arena, step) :
					  NULL;
	arena_reserve(run->arena, list->steps.n * 4 * CHECK_ROOM);
}

static int begin(struct run *run, const struct step_list *list)
{
	const struct execute_input *input = run->input;
	const struct txn_begin_input what = {
		.head = input->head,
		.list = *list,
		.plan_json = input->plan_json,
		.facts_json = input->facts_json,
	};

	prepare(run, list);
	return txn_begin(input->root, run->arena, &what, &run->txn, run->err);
}

static bool has_work(const struct step_list *list)
{
	VEC_EACH(&list->steps, struct step, step)
		if (step->kind != STEP_VALUE || step->role != ROLE_RECORD)
			return true;
	return false;
}

static int carry_out(struct run *run)
{
	int r;

	run->result->id = run->txn->journal.head.id;
	r = do_steps(run);
	if (r < 0)
		undo(run);
	else
		log_commit(run);
	txn_close(run->txn);
	return r;
}

int execute_plan(struct arena *arena, const struct execute_input *input,
		 struct execute_result *result, struct err *err)
{
	struct run run = {
		.input = input, .arena = arena, .result = result, .err = err
	};
	const struct steps_input steps = {
		.root = input->root,
		.plan = input->plan,
		.values = input->values,
		.files = input->files,
		.initramfs = input->initramfs,
		.reload = input->reload,
		.keep_going = input->keep_going,
		.left_out = left_out,
		.data = &run,
	};
	struct step_list list;
	int r;

	*result = (struct execute_result){ 0 };
	r = steps_from_plan(arena, &steps, &list, err);
	if (r < 0 || !has_work(&list))
		return r;
	r = check_stop(&run);
	if (r == 0)
		r = begin(&run, &list);
	if (r < 0)
		return r;
	return carry_out(&run);
}

int execute_resume(struct arena *arena,
		   const struct execute_resume_input *input, unsigned int id,
		   struct execute_result *result, struct err *err)
{
	struct execute_input rest = {
		.root = input->root,
		.stop = input->stop,
		.tell = input->tell,
		.tell_restore = input->tell_restore,
		.data = input->data,
	};
	struct run run = {
		.input = &rest, .arena = arena, .result = result, .err = err
	};
	const char *param;
	int r = txn_reopen(input->root, arena, id, &run.txn, err);

	*result = (struct execute_result){ 0 };
	if (r < 0)
		return r;
	VEC_EACH(&run.txn->journal.list.steps, struct step, step)
		if (step->kind == STEP_VALUE)
			step->knob =
				knob_set_find(input->knobs, step->key, &param);
	rest.head = run.txn->journal.head;
	r = resume_check(run.txn, err);
	if (r < 0) {
		txn_close(run.txn);
		return r;
	}
	prepare(&run, &run.txn->journal.list);
	find_again(&run);
	return carry_out(&run);
}

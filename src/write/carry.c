/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/carry.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "sys/sysroot.h"
#include "write/attr.h"
#include "write/exec.h"
#include "write/file.h"
#include "write/folder.h"
#include "write/identity.h"
#include "write/module.h"
#include "write/steps.h"
#include "write/value.h"

/* Memory that one identity check takes, generously. */
#define CHECK_ROOM 2048

void carry_tell(struct carry *run, enum execute_what what,
		const struct step *step, const char *why)
{
	const struct execute_event event = { .what = what,
					     .step = step,
					     .why = why };

	++*execute_count(what, &run->result->changed, &run->result->refused,
			 &run->result->failed);
	if (run->input->tell)
		run->input->tell(run->input->data, &event);
}

int carry_check_stop(struct carry *run)
{
	if (run->input->stop && run->input->stop(run->input->data))
		return err_set(run->err, -EINTR, "interrupted");
	return 0;
}

static const char *path_of(const struct carry *run, const struct step *step)
{
	return run->paths[step->nr - 1];
}

static bool needs_nudge(const struct carry *run, const struct step *step)
{
	return value_needs_nudge(&run->txn->journal.list, step);
}

/* What a step could not do: written down, told, and passed over. */
static int pass_over(struct carry *run, struct step *step,
		     enum execute_what what)
{
	const struct err why = *run->err;
	int r;

	*run->err = (struct err){ 0 };
	r = txn_refused(run->txn, step, why.text, run->err);
	if (r == 0)
		carry_tell(run, what, step, why.text);
	return r;
}

/*
 * A write that failed may have moved the value nevertheless (rounded, or half
 * of a nudge): it goes back, or counts as done so that rollback sees to it.
 */
static int pass_over_value(struct carry *run, struct step *step,
			   enum execute_what what)
{
	const struct sysroot *root = run->input->root;
	const char *path = path_of(run, step);
	char now[VALUE_TEXT_SIZE];
	int r = attr_read(root, path, now);

	if (attr_is_gone(r) || (r == 0 && step_same(step, now, step->before)))
		return pass_over(run, step, what);
	r = attr_write(root, path, step->before);
	if (r == 0)
		r = attr_read(root, path, now);
	if (r == 0 && step_same(step, now, step->before))
		return pass_over(run, step, what);
	carry_tell(run, what, step, run->err->text);
	*run->err = (struct err){ 0 };
	return txn_done(run->txn, step, r == 0 ? now : NULL, run->err);
}

/* The drive is not there.  What was written to it before that, also by an
 * apply that crashed, is not forgotten: it may be there again. */
static int pass_over_drive(struct carry *run, struct step *step)
{
	if (step->progress != STEP_STARTED && step->progress != STEP_DONE)
		return pass_over(run, step, EXECUTE_REFUSED);
	carry_tell(run, EXECUTE_REFUSED, step, run->err->text);
	*run->err = (struct err){ 0 };
	return 0;
}

static int do_value(struct carry *run, struct step *step)
{
	char left[VALUE_TEXT_SIZE];
	int r = value_check_drive(run->input->root, run->txn->arena, step,
				  run->err);

	if (r < 0)
		return pass_over_drive(run, step);
	if (value_reads_as(run->input->root, step, path_of(run, step),
			   step->after) &&
	    !needs_nudge(run, step))
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
		carry_tell(run, EXECUTE_DONE, step, NULL);
	return r;
}

static int do_values(struct carry *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		int r;

		if (step->kind != STEP_VALUE || step->role == ROLE_RECORD ||
		    step->progress == STEP_REFUSED)
			continue;
		r = carry_check_stop(run);
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
static int settle_values(struct carry *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		int r;

		if (step->kind != STEP_VALUE || step->role == ROLE_RECORD ||
		    !step->unsettled || step->progress == STEP_REFUSED)
			continue;
		if (value_reads_as(run->input->root, step, path_of(run, step),
				   step->after))
			continue;
		r = do_value(run, step);
		if (r < 0)
			return r;
	}
	return 0;
}

/* What all values read in the end, for the commit. */
static void note_what_is_left(struct carry *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step)
		if (step->kind == STEP_VALUE)
			step->has_left = attr_read(run->input->root,
						   path_of(run, step),
						   step->left) == 0;
}

static int make_folder(struct carry *run, struct step *step)
{
	int r = txn_start(run->txn, step, run->err);

	if (r == 0)
		r = folder_make(run->input->root, step->path, 0755, run->err);
	return r < 0 ? r : txn_done(run->txn, step, NULL, run->err);
}

/* Folders, and the new text beside each file. */
static int stage_files(struct carry *run)
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

static int publish_file(struct carry *run, struct step *step)
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
		carry_tell(run, EXECUTE_DONE, step, NULL);
	return r;
}

static int publish_files(struct carry *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		int r;

		if (step->kind != STEP_FILE || step->progress == STEP_REFUSED ||
		    step->progress == STEP_DONE)
			continue;
		r = carry_check_stop(run);
		if (r == 0)
			r = publish_file(run, step);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Numbers move over a reload: the same drives under today's names. */
void carry_find_again(struct carry *run)
{
	struct identities *drives =
		identities_new(run->input->root, run->txn->arena);

	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		struct target today;

		if (step->kind != STEP_VALUE ||
		    identities_find(drives, &step->target, &today) < 0)
			continue;
		step->target = today;
		run->paths[step->nr - 1] = step_path(run->txn->arena, step);
	}
}

/* A drive that came back has what the driver gives it, and our rule. */
static int write_again(struct carry *run)
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

static int reload(struct carry *run, struct step *step)
{
	int r = module_reload_nvme(run->input->root, run->txn->arena,
				   &run->result->core_reloaded, run->err);

	if (r == -EBUSY || r == -EOPNOTSUPP) {
		(void)err_context(run->err, "nvme is not reloaded");
		return pass_over(run, step, EXECUTE_REFUSED);
	}
	if (r < 0)
		return r;
	r = txn_done(run->txn, step, NULL, run->err);
	if (r < 0)
		return r;
	carry_tell(run, EXECUTE_DONE, step, NULL);
	run->result->reloaded = true;
	carry_find_again(run);
	return write_again(run);
}

static int rebuild(struct carry *run, struct step *step)
{
	const struct journal_head *head = &run->txn->journal.head;
	int r = exec_rebuild_initramfs(run->input->root, run->txn->arena,
				       head->initramfs, head->kernel, run->err);

	if (r == 0)
		r = txn_done(run->txn, step, NULL, run->err);
	if (r == 0) {
		carry_tell(run, EXECUTE_DONE, step, NULL);
		run->result->rebuilt = true;
	}
	return r;
}

static int update_grub(struct carry *run, struct step *step)
{
	int r = exec_update_grub(run->input->root, run->txn->arena, run->err);

	if (r == 0)
		r = txn_done(run->txn, step, NULL, run->err);
	if (r == 0) {
		carry_tell(run, EXECUTE_DONE, step, NULL);
		run->result->regenerated = true;
	}
	return r;
}

static int reload_units(struct carry *run, struct step *step)
{
	int r = exec_reload_units(run->input->root, run->txn->arena, run->err);

	if (r == 0)
		r = txn_done(run->txn, step, NULL, run->err);
	if (r == 0)
		carry_tell(run, EXECUTE_DONE, step, NULL);
	return r;
}

static int do_action(struct carry *run, struct step *step)
{
	switch (step->action) {
	case ACTION_INITRAMFS:
		return rebuild(run, step);
	case ACTION_RELOAD:
		return reload(run, step);
	case ACTION_GRUB:
		return update_grub(run, step);
	case ACTION_UNITS:
		return reload_units(run, step);
	}
	return -EINVAL;
}

static int do_actions(struct carry *run)
{
	VEC_EACH(&run->txn->journal.list.steps, struct step, step) {
		int r;

		if (step->kind != STEP_ACTION || step->progress == STEP_DONE)
			continue;
		r = carry_check_stop(run);
		if (r == 0)
			r = txn_start(run->txn, step, run->err);
		if (r == 0)
			r = do_action(run, step);
		if (r < 0)
			return r;
	}
	return 0;
}

int carry_steps(struct carry *run)
{
	int r = stage_files(run);

	if (r == 0)
		r = do_values(run);
	if (r == 0)
		r = settle_values(run);
	if (r == 0)
		r = publish_files(run);
	if (r == 0)
		r = do_actions(run);
	if (r == 0)
		r = carry_check_stop(run);
	if (r < 0)
		return r;
	note_what_is_left(run);
	return txn_commit(run->txn, run->err);
}

void carry_prepare(struct carry *run, const struct step_list *list)
{
	size_t i = 0;

	run->paths = arena_array(run->arena, list->steps.n, sizeof(char *));
	VEC_EACH(&list->steps, struct step, step)
		run->paths[i++] = step->kind == STEP_VALUE ?
					  step_path(run->arena, step) :
					  NULL;
	arena_reserve(run->arena, list->steps.n * 4 * CHECK_ROOM);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/execute.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "sys/sysroot.h"
#include "write/audit.h"
#include "write/carry.h"
#include "write/resume.h"
#include "write/steps.h"

unsigned int *execute_count(enum execute_what what, unsigned int *done,
			    unsigned int *refused, unsigned int *failed)
{
	switch (what) {
	case EXECUTE_DONE:
		return done;
	case EXECUTE_REFUSED:
		return refused;
	case EXECUTE_FAILED:
		break;
	}
	return failed;
}

static void left_out(void *data, int code, const char *sentence)
{
	carry_tell(data, code == -ENODEV ? EXECUTE_REFUSED : EXECUTE_FAILED,
		   NULL, sentence);
}

static void undo(struct carry *run)
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
		(void)err_set(run->err, run->err->code,
			      "%s; %s: %s; see \"nvmetune rollback\"",
			      arena_strdup(run->arena, run->err->text),
			      count.failed ? "undoing it failed too" :
					     "undone nevertheless",
			      why.text);
}

static void log_end(const struct carry *run, int code)
{
	const struct journal_head *head = &run->txn->journal.head;

	if (code == 0)
		audit_log(run->input->root, head, "applied, %u changes",
			  run->result->changed);
	else
		audit_log(run->input->root, head, "failed%s: %s",
			  run->result->undone ? " and is undone" :
						" and is not wholly undone",
			  run->err->text);
}

static int begin(struct carry *run, const struct step_list *list)
{
	const struct execute_input *input = run->input;
	const struct txn_begin_input what = {
		.head = input->head,
		.list = *list,
		.plan_json = input->plan_json,
		.facts_json = input->facts_json,
	};

	carry_prepare(run, list);
	return txn_begin(input->root, run->arena, &what, &run->txn, run->err);
}

static bool has_work(const struct step_list *list)
{
	VEC_EACH(&list->steps, struct step, step)
		if (step->kind != STEP_VALUE || step->role != ROLE_RECORD)
			return true;
	return false;
}

static int carry_out(struct carry *run)
{
	int r;

	run->result->id = run->txn->journal.head.id;
	r = carry_steps(run);
	if (r < 0)
		undo(run);
	log_end(run, r);
	txn_close(run->txn);
	return r;
}

int execute_plan(struct arena *arena, const struct execute_input *input,
		 struct execute_result *result, struct err *err)
{
	struct carry run = {
		.input = input, .arena = arena, .result = result, .err = err
	};
	const struct steps_input steps = {
		.root = input->root,
		.plan = input->plan,
		.values = input->values,
		.files = input->files,
		.initramfs = input->initramfs,
		.grub = input->grub,
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
	r = carry_check_stop(&run);
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
	struct carry run = {
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
	carry_prepare(&run, &run.txn->journal.list);
	carry_find_again(&run);
	return carry_out(&run);
}

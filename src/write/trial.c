/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The transaction that only measures; its contract is in write/execute.h. */

#include <string.h>

#include "base/err.h"
#include "write/execute.h"
#include "write/file.h"
#include "write/state.h"
#include "write/steps.h"

#define PRIVATE_MODE 0600

struct trial {
	const struct execute_trial_input *input;
	struct arena *arena;
	struct txn *txn;
	struct err *err;
};

/* From here on a crash leaves values that rollback has to look at. */
static int start_values(struct trial *trial)
{
	int r = 0;

	VEC_EACH(&trial->txn->journal.list.steps, struct step, step)
		if (r == 0 && step->kind == STEP_VALUE &&
		    step->role != ROLE_RECORD)
			r = txn_start(trial->txn, step, trial->err);
	return r;
}

static int measure(struct trial *trial)
{
	struct step_list *list = &trial->txn->journal.list;
	const char **paths =
		arena_array(trial->arena, list->steps.n, sizeof(*paths));
	const struct arms arms = { .root = trial->input->root,
				   .list = list,
				   .paths = paths };
	size_t i = 0;

	VEC_EACH(&list->steps, struct step, step)
		paths[i++] = step->kind == STEP_VALUE ?
				     step_path(trial->arena, step) :
				     NULL;
	return trial->input->measure(trial->input->data, &arms, trial->err);
}

static int keep_result(struct trial *trial, struct err *err)
{
	const struct execute_trial_input *input = trial->input;
	const char *text = input->result ? input->result(input->data) : NULL;

	if (!text)
		return 0;
	return file_put(input->root,
			state_path(input->root, trial->arena,
				   trial->txn->journal.head.id, TRIAL_RESULT),
			text, PRIVATE_MODE, err);
}

static int put_back(struct trial *trial, struct execute_trial_result *result,
		    struct err *err)
{
	const struct restore restore = {
		.root = trial->input->root,
		.tell = trial->input->tell_restore,
		.data = trial->input->data,
	};
	struct restore_count count = { 0 };
	int r = restore_run(&restore, trial->txn, &count, err);

	result->undone = r == 0 && count.conflicts == 0;
	return r;
}

/* The first thing that went wrong is what is told, and that something is not
 * back is told in any case. */
static int carry_out(struct trial *trial, struct execute_trial_result *result)
{
	struct err keeping = { 0 }, putting = { 0 };
	int r = start_values(trial);

	if (r == 0)
		r = measure(trial);
	if (keep_result(trial, &keeping) < 0 && r == 0) {
		*trial->err = keeping;
		r = keeping.code;
	}
	if (put_back(trial, result, &putting) < 0)
		r = err_set(trial->err, putting.code,
			    "%s%s%s; see \"nvmetune rollback\"",
			    r < 0 ? arena_strdup(trial->arena,
						 trial->err->text) :
				    "",
			    r < 0 ? "; " : "", putting.text);
	return r;
}

static bool has_value(const struct step_list *list)
{
	VEC_EACH(&list->steps, const struct step, step)
		if (step->kind == STEP_VALUE && step->role != ROLE_RECORD)
			return true;
	return false;
}

int execute_trial(struct arena *arena, const struct execute_trial_input *input,
		  struct execute_trial_result *result, struct err *err)
{
	struct trial trial = { .input = input, .arena = arena, .err = err };
	const struct steps_input steps = {
		.root = input->root,
		.plan = input->plan,
		.values = true,
	};
	struct txn_begin_input what = {
		.head = input->head,
		.plan_json = input->plan_json,
		.facts_json = input->facts_json,
	};
	int r = steps_from_plan(arena, &steps, &what.list, err);

	*result = (struct execute_trial_result){ 0 };
	if (r < 0 || !has_value(&what.list))
		return r;
	what.head.trial = true;
	r = txn_begin(input->root, arena, &what, &trial.txn, err);
	if (r < 0)
		return r;
	result->id = trial.txn->journal.head.id;
	r = carry_out(&trial, result);
	txn_close(trial.txn);
	return r;
}

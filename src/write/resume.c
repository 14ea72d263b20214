/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/resume.h"

#include <errno.h>

#include "base/err.h"
#include "base/parse.h"
#include "sys/sysroot.h"
#include "write/attr.h"
#include "write/file.h"
#include "write/state.h"
#include "write/steps.h"

#define ROLLBACK "\"nvmetune rollback\" brings the host back"

static int check_state(const struct txn *txn, struct err *err)
{
	const struct journal *journal = &txn->journal;
	const char *boot_id =
		sysroot_text(txn->root, txn->arena, BOOT_ID, NULL);

	if (journal->state != JOURNAL_OPEN)
		return err_set(
			err, -EBUSY,
			"transaction %u is %s, so it can only be taken back: " ROLLBACK,
			journal->head.id, journal_state_name(journal->state));
	if (journal->head.trial)
		return err_set(
			err, -EBUSY,
			"transaction %u only measured, and there is nothing to finish: " ROLLBACK,
			journal->head.id);
	if (!text_equal(boot_id, journal->head.boot_id))
		return err_set(
			err, -ESTALE,
			"transaction %u is of another boot, which has lost the values it wrote: " ROLLBACK,
			journal->head.id);
	return 0;
}

/* What another step may move has no value of its own in between; a plain file
 * of a captured tree, emptied for a write, is still empty. */
static int check_value(const struct txn *txn, const struct step *step,
		       struct err *err)
{
	char now[VALUE_TEXT_SIZE];
	int r = attr_read(txn->root, step_path(txn->arena, step), now);

	if (r < 0 || step->unsettled || *now == '\0' ||
	    step->progress == STEP_REFUSED ||
	    step_same(step, now, step->before) ||
	    (step->after && step_same(step, now, step->after)) ||
	    (step->has_left && step_same(step, now, step->left)))
		return 0;
	return err_set(
		err, -EEXIST,
		"%s: %s was \"%s\", is to be \"%s\", and somebody made it \"%s\": " ROLLBACK,
		step->target.name, step->key, step->before,
		step->after ? step->after : step->before, now);
}

static int check_file(const struct txn *txn, const struct step *step,
		      struct err *err)
{
	unsigned int mode;
	char *now = NULL;
	int r = file_read(txn->root, txn->arena, step->path, &now, &mode, err);

	if (r < 0)
		return r;
	if (text_equal(now, step->new_text) ||
	    (step->progress != STEP_DONE && text_equal(now, step->old_text)))
		return 0;
	return err_set(err, -EEXIST, "%s: somebody changed it since: " ROLLBACK,
		       step->path);
}

int resume_check(const struct txn *txn, struct err *err)
{
	int r = check_state(txn, err);

	VEC_EACH(&txn->journal.list.steps, const struct step, step) {
		if (r == 0 && step->kind == STEP_VALUE)
			r = check_value(txn, step, err);
		if (r == 0 && step->kind == STEP_FILE)
			r = check_file(txn, step, err);
	}
	return r;
}

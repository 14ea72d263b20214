/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/rollback.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "core/owner.h"
#include "write/audit.h"
#include "write/device_restore.h"
#include "write/state.h"

static unsigned int count_kept(const struct journal *journal)
{
	unsigned int n = 0;

	VEC_EACH(&journal->list.steps, const struct step, step)
		n += step->kept;
	return n;
}

/* What an earlier rollback left is taken up again only by force. */
static bool is_to_undo(const struct rollback_input *input,
		       const struct history_entry *entry)
{
	if (entry->journal.state != JOURNAL_UNDONE)
		return true;
	return input->force && count_kept(&entry->journal) > 0;
}

static int check_range(const struct rollback_input *input,
		       const struct history *history, unsigned int down_to,
		       struct err *err)
{
	bool found = input->down_to <= 1;

	VEC_EACH(&history->entries, const struct history_entry, entry) {
		if (entry->id == input->down_to)
			found = true;
		if (entry->id >= down_to && entry->damage)
			return err_set(
				err, -EBADMSG,
				"%s; nothing was changed, nothing can be undone on its word",
				entry->damage);
	}
	if (!found)
		return err_set(err, -ENOENT, "there is no transaction %u",
			       input->down_to);
	return 0;
}

/* A file that was written, and that is put back. */
static bool is_put_back(const struct step *step)
{
	return step->kind == STEP_FILE && !step->kept &&
	       step->progress != STEP_PLANNED;
}

/* Options count only when the module is loaded again. */
static bool touches(const struct journal *journal, const char *path)
{
	VEC_EACH(&journal->list.steps, const struct step, step)
		if (is_put_back(step) && text_equal(step->path, path))
			return true;
	return false;
}

/* Drop-ins count only when the service starts again. */
static void add_units(struct arena *arena, const struct journal *journal,
		      struct rollback_result *result)
{
	VEC_EACH(&journal->list.steps, const struct step, step) {
		const char *unit = is_put_back(step) ?
					   owner_unit(arena, step->path) :
					   NULL;

		if (!unit || (result->units && strstr(result->units, unit)))
			continue;
		result->units = result->units ?
					arena_printf(arena, "%s, %s",
						     result->units, unit) :
					unit;
	}
}

static struct restore restore_of(const struct rollback_input *input)
{
	return (struct restore){
		.root = input->root,
		.force = input->force,
		.tell = input->tell,
		.data = input->data,
	};
}

static int undo_one(struct arena *arena, const struct rollback_input *input,
		    unsigned int id, struct rollback_result *result,
		    struct err *err)
{
	const struct restore restore = restore_of(input);
	const struct restore_count before = result->count;
	_cleanup_txn_ struct txn *txn = NULL;
	const char *param;
	int r = txn_reopen(input->root, arena, id, &txn, err);

	if (r < 0)
		return r;
	VEC_EACH(&txn->journal.list.steps, struct step, step)
		if (step->kind == STEP_VALUE)
			step->knob =
				knob_set_find(input->knobs, step->key, &param);
	if (input->begin)
		input->begin(input->data, &txn->journal);
	r = restore_run(&restore, txn, &result->count, err);
	if (r < 0)
		return r;
	result->undone++;
	audit_log(input->root, &txn->journal.head,
		  "rolled back, %u brought back, %u kept, %u gone",
		  result->count.done - before.done,
		  result->count.conflicts - before.conflicts,
		  result->count.gone - before.gone);
	add_units(arena, &txn->journal, result);
	result->words |= touches(&txn->journal, OWNER_WORDS);
	if (touches(&txn->journal, OWNER_OPTIONS)) {
		result->modules = true;
		result->initramfs = txn->journal.head.initramfs;
		result->kernel = txn->journal.head.kernel;
	}
	return 0;
}

/* What the device helper did since: applied.ini has gone, it does no more. */
static int undo_helper(struct arena *arena, const struct rollback_input *input,
		       const struct history *history, unsigned int down_to,
		       struct rollback_result *result, struct err *err)
{
	const struct restore restore = restore_of(input);
	const unsigned int failed = result->count.failed;
	int r = device_restore(arena, &restore, history, input->knobs, down_to,
			       &result->count, err);

	if (r == 0 && result->count.failed > failed)
		r = err_set(
			err, -EIO,
			"%u values that the device helper set could not be taken back; --force tries again",
			result->count.failed - failed);
	return r;
}

/* "apply --update-initramfs" behind an apply that left it out: it changed
 * nothing that could be brought back. */
static bool is_past_rebuild(const struct journal *journal)
{
	if (journal->state != JOURNAL_COMMITTED &&
	    journal->state != JOURNAL_UNDONE)
		return false;
	VEC_EACH(&journal->list.steps, const struct step, step)
		if (step->kind != STEP_ACTION ||
		    (step->action != ACTION_INITRAMFS &&
		     step->action != ACTION_GRUB))
			return false;
	return true;
}

/* Such a rebuild, or a trial that is over, is nothing that could be undone:
 * what counts is the transaction before it. */
static const struct history_entry *newest_of(const struct history *history)
{
	size_t i = history->entries.n - 1;

	while (i && !history->entries.items[i].damage &&
	       (journal_is_past_trial(&history->entries.items[i].journal) ||
		is_past_rebuild(&history->entries.items[i].journal)))
		i--;
	return &history->entries.items[i];
}

static int undo_down_to(struct arena *arena, const struct rollback_input *input,
			const struct history *history, unsigned int down_to,
			struct rollback_result *result, struct err *err)
{
	for (size_t i = history->entries.n; i-- > 0;) {
		const struct history_entry *entry = &history->entries.items[i];
		int r;

		if (entry->id < down_to || !is_to_undo(input, entry))
			continue;
		if (input->stop && input->stop(input->data))
			return err_set(err, -EINTR,
				       "interrupted before transaction %u",
				       entry->id);
		r = undo_one(arena, input, entry->id, result, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int rollback_run(struct arena *arena, const struct rollback_input *input,
		 struct rollback_result *result, struct err *err)
{
	struct history history;
	const struct history_entry *newest;
	unsigned int down_to = input->down_to;
	int r = history_read(input->root, arena, &history, err);

	*result = (struct rollback_result){ 0 };
	if (r == 0)
		r = state_drop_unbegun(input->root, arena, err);
	if (r < 0)
		return r;
	if (history.entries.n == 0)
		return input->down_to <= 1 ?
			       0 :
			       err_set(err, -ENOENT,
				       "there is no transaction %u",
				       input->down_to);
	newest = newest_of(&history);
	result->newest = newest->id;
	result->kept = newest->damage ? 0 : count_kept(&newest->journal);
	if (!down_to) {
		/* A rollback of several may have ended half way. */
		const struct history_entry *blocking =
			history_blocking(&history);

		down_to = blocking ? blocking->id : newest->id;
	}
	r = check_range(input, &history, down_to, err);
	if (r == 0)
		r = undo_down_to(arena, input, &history, down_to, result, err);
	if (r == 0 && (result->undone || input->force))
		r = undo_helper(arena, input, &history, down_to, result, err);
	return r;
}

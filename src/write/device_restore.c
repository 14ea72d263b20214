/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/device_restore.h"

#include "base/err.h"
#include "write/device_notes.h"
#include "write/file.h"

/*
 * Did a transaction that stood when the note was made move this value?  Those
 * behind it did not stand then; those before it that are undone were so
 * already, for they go newest first.
 */
static bool has_journal(const struct history *history, unsigned int txn,
			const struct step *note)
{
	VEC_EACH(&history->entries, const struct history_entry, entry) {
		if (entry->damage || entry->id > txn ||
		    (entry->id < txn &&
		     entry->journal.state != JOURNAL_COMMITTED))
			continue;
		VEC_EACH(&entry->journal.list.steps, const struct step, step)
			if (step->progress == STEP_DONE &&
			    device_notes_same(step, note))
				return true;
	}
	return false;
}

static bool stands(const struct history *history, unsigned int txn)
{
	VEC_EACH(&history->entries, const struct history_entry, entry)
		if (entry->id == txn)
			return !entry->damage &&
			       entry->journal.state == JOURNAL_COMMITTED;
	return false;
}

/* Has a profile that was applied since returned it already? */
static bool is_returned(const struct history *history, unsigned int txn,
			const struct step *note)
{
	VEC_EACH(&history->entries, const struct history_entry, entry) {
		if (entry->id <= txn || !stands(history, entry->id))
			continue;
		VEC_EACH(&entry->journal.list.steps, const struct step, step)
			if (step->progress == STEP_DONE &&
			    step->role == ROLE_RETURN &&
			    device_notes_same(step, note))
				return true;
	}
	return false;
}

static void add_applied(struct arena *arena, const struct knob_set *knobs,
			const struct step *note, struct applied *applied)
{
	const char *param;
	const struct knob *knob = knob_set_find(knobs, note->key, &param);
	struct applied_change change = {
		.key = note->key,
		.target_kind = note->target.kind,
		.target_id = note->target.id,
	};

	if (!knob || note->role != ROLE_SET || !note->has_left ||
	    knob_read_value(knob, note->before, &change.before) < 0 ||
	    knob_read_value(knob, note->left, &change.left) < 0)
		return;
	*vec_add(arena, &applied->changes) = change;
}

void device_add_applied(const struct sysroot *root, struct arena *arena,
			const struct history *history,
			const struct knob_set *knobs, struct applied *applied)
{
	struct device_notes_list list;

	device_notes_list(root, arena, &list);
	VEC_EACH(&list.files, const struct device_notes_file, file) {
		struct err ignored = { 0 };
		struct journal notes;

		if (!stands(history, file->txn) ||
		    device_notes_read(root, arena, file->path, &notes,
				      &ignored) < 0)
			continue;
		VEC_EACH(&notes.list.steps, const struct step, note)
			if (!has_journal(history, file->txn, note) &&
			    !is_returned(history, file->txn, note))
				add_applied(arena, knobs, note, applied);
	}
}

static int restore_file(struct arena *arena, const struct restore *restore,
			const struct history *history,
			const struct knob_set *knobs,
			const struct device_notes_file *file,
			struct restore_count *count, struct err *err)
{
	struct restore_count mine = { 0 };
	struct journal notes, ours = { 0 };
	int r = device_notes_read(restore->root, arena, file->path, &notes,
				  err);

	if (r < 0)
		return r;
	VEC_EACH(&notes.list.steps, const struct step, note) {
		struct step *step;
		const char *param;

		if (note->kind != STEP_VALUE ||
		    has_journal(history, file->txn, note))
			continue;
		step = vec_add(arena, &ours.list.steps);
		*step = *note;
		step->knob = knob_set_find(knobs, step->key, &param);
	}
	ours.state = notes.state;
	restore_values_of(restore, arena, &ours, &mine);
	count->done += mine.done;
	count->conflicts += mine.conflicts;
	count->gone += mine.gone;
	count->failed += mine.failed;
	if (mine.failed || (mine.conflicts && !restore->force))
		return 0;
	return file_remove(restore->root, file->path, err);
}

int device_restore(struct arena *arena, const struct restore *restore,
		   const struct history *history, const struct knob_set *knobs,
		   unsigned int down_to, struct restore_count *count,
		   struct err *err)
{
	struct device_notes_list list;

	device_notes_list(restore->root, arena, &list);
	VEC_EACH(&list.files, const struct device_notes_file, file) {
		int r;

		if (file->txn < down_to)
			continue;
		r = restore_file(arena, restore, history, knobs, file, count,
				 err);
		if (r < 0)
			return r;
	}
	return 0;
}

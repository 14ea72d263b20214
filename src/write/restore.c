/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/restore.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "core/owner.h"
#include "sys/sysroot.h"
#include "write/attr.h"
#include "write/exec.h"
#include "write/file.h"
#include "write/folder.h"
#include "write/identity.h"
#include "write/module.h"
#include "write/state.h"
#include "write/value.h"

/* Memory that one identity check takes, generously. */
#define CHECK_ROOM 2048

enum fix_kind {
	FIX_NOTHING,
	FIX_WRITE, /* the value or text of before */
	FIX_KEEP,  /* a conflict: what is there now stays */
};

/* What is to be done about one step; found out before the first write. */
struct fix {
	struct step *step;
	enum fix_kind kind;
	struct target target; /* under today's name */
	char *path;	      /* of the attribute */
	char now[VALUE_TEXT_SIZE];
	bool written;
};

struct run {
	const struct restore *restore;
	struct arena *arena;
	struct step_list *list;
	enum journal_state state; /* when it began */
	bool later_boot;	  /* the host has been booted since apply */
	struct restore_count *count;
	struct fix *fixes; /* one a step */
	size_t n;
};

static bool has_begun(const struct step *step)
{
	return step->progress == STEP_STARTED || step->progress == STEP_DONE;
}

/* Force closes the transaction; the next one by force takes this up again. */
static void note_failed(struct run *run, struct step *step)
{
	run->count->failed++;
	if (run->restore->force && has_begun(step) &&
	    (step->kind == STEP_VALUE || step->kind == STEP_FILE))
		step->kept = true;
}

static void tell(struct run *run, enum restore_what what, struct step *step,
		 const char *now, const char *why)
{
	const struct restore_event event = {
		.what = what, .step = step, .now = now, .why = why
	};

	switch (what) {
	case RESTORE_DONE:
		run->count->done++;
		break;
	case RESTORE_CONFLICT:
		run->count->conflicts++;
		break;
	case RESTORE_GONE:
		run->count->gone++;
		break;
	case RESTORE_FAILED:
		note_failed(run, step);
		break;
	}
	if (run->restore->tell)
		run->restore->tell(run->restore->data, &event);
}

/* Until it is over, one way or the other. */
static bool is_open(const struct run *run)
{
	return run->state == JOURNAL_OPEN || run->state == JOURNAL_UNDOING;
}

static bool any_value_begun(const struct step_list *list)
{
	VEC_EACH(&list->steps, struct step, step)
		if (step->kind == STEP_VALUE && has_begun(step))
			return true;
	return false;
}

/* Can the transaction have moved it at all? */
static bool is_concerned(const struct run *run, const struct step *step)
{
	/* A folder that could not go because of a file that was kept. */
	if (run->state == JOURNAL_UNDONE)
		return step->kept ||
		       (step->kind == STEP_FOLDER && has_begun(step));
	if (has_begun(step))
		return true;
	return step->kind == STEP_VALUE && step->unsettled &&
	       any_value_begun(run->list);
}

/*
 * May what is there now be overwritten?  Once committed, only what we left;
 * before that the kernel may also be between two of our writes, and a plain
 * file of a captured tree, emptied for a write, still be empty.
 */
static bool is_ours(const struct run *run, const struct step *step,
		    const char *now)
{
	if (step_same(step, now, step->before) ||
	    (step->after && step_same(step, now, step->after)) ||
	    (step->has_left && step_same(step, now, step->left)))
		return true;
	return is_open(run) && (step->unsettled || *now == '\0');
}

/* Not as we left it: somebody's, or the kernel's of a boot that forgot both
 * our value and the one before it. */
static void keep_value(struct run *run, struct fix *fix)
{
	struct step *step = fix->step;

	fix->kind = FIX_KEEP;
	if (run->later_boot && !step->lasts) {
		step->gone = true;
		tell(run, RESTORE_GONE, step, fix->now,
		     "a boot since has set it anew, it stays as it is");
	} else {
		step->kept = true;
		tell(run, RESTORE_CONFLICT, step, fix->now, NULL);
	}
}

static void look_at_value(struct run *run, struct identities *drives,
			  struct fix *fix)
{
	struct step *step = fix->step;
	int r = identities_find(drives, &step->target, &fix->target);

	if (r == -ENOTUNIQ) {
		tell(run, RESTORE_FAILED, step, NULL,
		     "several drives of this host answer to its identity");
		return;
	}
	if (r < 0) {
		step->gone = true;
		tell(run, RESTORE_GONE, step, NULL,
		     "it is not in this host now");
		return;
	}
	fix->path =
		arena_printf(run->arena, "%s/%s", fix->target.dir, step->attr);
	r = attr_read(run->restore->root, fix->path, fix->now);
	if (attr_is_gone(r)) {
		step->gone = true;
		tell(run, RESTORE_GONE, step, NULL,
		     "it has no such attribute now");
		return;
	}
	if (r < 0) {
		tell(run, RESTORE_FAILED, step, NULL, strerror(-r));
		return;
	}
	fix->kind = FIX_WRITE;
	if (!is_ours(run, step, fix->now) && !run->restore->force)
		keep_value(run, fix);
}

static void look_at_file(struct run *run, struct fix *fix)
{
	struct step *step = fix->step;
	struct err err = { 0 };
	unsigned int mode = 0;
	char *now = NULL;
	int r = file_read(run->restore->root, run->arena, step->path, &now,
			  &mode, &err);

	if (r < 0 && r != -EEXIST && r != -EBADMSG && r != -EFBIG) {
		tell(run, RESTORE_FAILED, step, NULL, err.text);
		return;
	}
	if (r == 0 && text_equal(now, step->old_text) &&
	    (!now || mode == step->old_mode || mode != step->new_mode))
		return;
	if ((r == 0 && text_equal(now, step->new_text)) ||
	    run->restore->force) {
		fix->kind = FIX_WRITE;
		return;
	}
	fix->kind = FIX_KEEP;
	step->kept = true;
	tell(run, RESTORE_CONFLICT, step, r == 0 ? now : NULL, NULL);
}

static void look(struct run *run)
{
	struct step_list *list = run->list;
	struct identities *drives =
		identities_new(run->restore->root, run->arena);

	run->n = list->steps.n;
	run->fixes = arena_array(run->arena, run->n, sizeof(*run->fixes));
	for (size_t i = 0; i < run->n; i++) {
		struct fix *fix = &run->fixes[i];
		struct step *step = &list->steps.items[i];

		fix->step = step;
		if (!is_concerned(run, step))
			continue;
		step->kept = false;
		step->gone = false;
		if (step->kind == STEP_VALUE)
			look_at_value(run, drives, fix);
		else if (step->kind == STEP_FILE)
			look_at_file(run, fix);
		else if (step->kind == STEP_FOLDER)
			fix->kind = FIX_WRITE;
	}
	arena_reserve(run->arena, run->n * 4 * CHECK_ROOM);
}

static void restore_file(struct run *run, const struct fix *fix)
{
	const struct sysroot *root = run->restore->root;
	struct step *step = fix->step;
	struct err err = { 0 };
	int r;

	if (step->old_text)
		r = file_put(root, step->path, step->old_text, step->old_mode,
			     &err);
	else
		r = file_remove(root, step->path, &err);
	if (r < 0)
		tell(run, RESTORE_FAILED, step, NULL, err.text);
	else
		tell(run, RESTORE_DONE, step, NULL, NULL);
}

/* A new text that was written beside a file and never took its place. */
static void discard_staged(struct run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		struct step *step = run->fixes[i].step;
		int r = 0;

		if (step->kind == STEP_FILE)
			r = file_discard(run->restore->root, step->path);
		if (r < 0)
			tell(run, RESTORE_FAILED, step, NULL, strerror(-r));
	}
}

/* A folder that we made goes when nothing is in it. */
static void remove_folders(struct run *run)
{
	for (size_t i = run->n; i-- > 0;) {
		const struct fix *fix = &run->fixes[i];
		int r = 0;

		if (fix->kind == FIX_WRITE && fix->step->kind == STEP_FOLDER)
			r = folder_remove(run->restore->root, fix->step->path);
		if (r < 0 && r != -ENOTEMPTY)
			tell(run, RESTORE_FAILED, fix->step, NULL,
			     strerror(-r));
	}
}

/* applied.ini first: from then on nothing that starts meanwhile takes the
 * profile for one that holds. */
static void restore_files(struct run *run)
{
	discard_staged(run);
	for (int rest = 0; rest < 2; rest++)
		for (size_t i = 0; i < run->n; i++) {
			const struct fix *fix = &run->fixes[i];

			if (fix->kind == FIX_WRITE &&
			    fix->step->kind == STEP_FILE &&
			    rest == !text_equal(fix->step->path, OWNER_APPLIED))
				restore_file(run, fix);
		}
	remove_folders(run);
}

/* systemd keeps what it has read of a unit until it is told to look again. */
static void reload_units(struct run *run)
{
	struct step *changed = NULL;
	struct err err = { 0 };

	if (!exec_has_systemd(run->restore->root))
		return;
	for (size_t i = 0; i < run->n; i++)
		if (run->fixes[i].kind == FIX_WRITE &&
		    run->fixes[i].step->kind == STEP_FILE &&
		    text_has_prefix(run->fixes[i].step->path, OWNER_UNITS))
			changed = run->fixes[i].step;
	if (changed &&
	    exec_reload_units(run->restore->root, run->arena, &err) < 0)
		tell(run, RESTORE_FAILED, changed, NULL, err.text);
}

/* What the attribute is to read in the end. */
static const char *wanted(const struct fix *fix)
{
	return fix->kind == FIX_KEEP ? fix->now : fix->step->before;
}

/*
 * Under none the shown nr_requests may not be what the hardware has after a
 * scheduler was switched, by this run or by one that did not get this far.
 */
static bool needs_nudge(const struct run *run, const struct fix *fix)
{
	if (!fix->step->nudge || !fix->step->unsettled)
		return false;
	if (is_open(run))
		return true;
	for (const struct fix *it = run->fixes; it < fix; it++)
		if (it->written &&
		    text_equal(it->target.name, fix->target.name))
			return true;
	return false;
}

static bool reads_as_wanted(const struct run *run, const struct fix *fix)
{
	return value_reads_as(run->restore->root, fix->step, fix->path,
			      wanted(fix));
}

static int write_value(struct run *run, struct fix *fix)
{
	const struct sysroot *root = run->restore->root;
	int r = identity_check(root, run->arena, &fix->target);

	if (r < 0)
		return r;
	fix->written = true;
	return needs_nudge(run, fix) ?
		       attr_write_nudged(root, fix->path, wanted(fix)) :
		       attr_write(root, fix->path, wanted(fix));
}

static void fail_value(struct run *run, struct fix *fix, int code)
{
	char now[VALUE_TEXT_SIZE] = "";
	struct err err = { 0 };

	fix->kind = FIX_NOTHING;
	/* Pulled meanwhile: it takes its values along. */
	if (identity_check(run->restore->root, run->arena, &fix->target) < 0) {
		fix->step->gone = true;
		tell(run, RESTORE_GONE, fix->step, NULL,
		     "it has gone meanwhile");
		return;
	}
	if (code < 0)
		(void)err_errno(&err, code, "cannot write \"%s\"", wanted(fix));
	else if (attr_read(run->restore->root, fix->path, now) == 0)
		(void)err_set(&err, -EIO, "wrote \"%s\", it reads \"%s\"",
			      wanted(fix), now);
	else
		(void)err_set(&err, -EIO, "wrote \"%s\", it cannot be read",
			      wanted(fix));
	tell(run, RESTORE_FAILED, fix->step, NULL, err.text);
}

static void restore_values(struct run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		struct fix *fix = &run->fixes[i];
		int r;

		if (fix->kind == FIX_NOTHING || fix->step->kind != STEP_VALUE)
			continue;
		if (reads_as_wanted(run, fix) && !needs_nudge(run, fix))
			continue;
		r = write_value(run, fix);
		if (r < 0)
			fail_value(run, fix, r);
	}
}

/* A later write may have moved an earlier value once more. */
static void settle_values(struct run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		struct fix *fix = &run->fixes[i];
		int r = 0;

		if (fix->kind == FIX_NOTHING || fix->step->kind != STEP_VALUE)
			continue;
		if (!reads_as_wanted(run, fix))
			r = write_value(run, fix);
		if (r < 0 || !reads_as_wanted(run, fix))
			fail_value(run, fix, r);
		else if (fix->kind == FIX_WRITE &&
			 !step_same(fix->step, fix->now, fix->step->before))
			tell(run, RESTORE_DONE, fix->step, fix->now, NULL);
	}
}

/*
 * An apply that ended in the middle: the image was built from files that are
 * no longer there, and nvme may be out.
 */
static void redo_actions(struct run *run, const struct journal_head *head)
{
	const struct sysroot *root = run->restore->root;

	if (run->state == JOURNAL_COMMITTED || run->state == JOURNAL_UNDONE)
		return;
	VEC_EACH(&run->list->steps, struct step, step) {
		struct err err = { 0 };
		int r = 0;

		if (step->kind != STEP_ACTION || !has_begun(step))
			continue;
		if (step->action == ACTION_RELOAD)
			r = module_insert_nvme(root, &err);
		else if (step->action == ACTION_INITRAMFS)
			r = exec_rebuild_initramfs(root, run->arena,
						   head->initramfs,
						   head->kernel, &err);
		else if (step->action == ACTION_GRUB)
			r = exec_update_grub(root, run->arena, &err);
		if (r < 0)
			tell(run, RESTORE_FAILED, step, NULL, err.text);
	}
}

static bool is_later_boot(const struct sysroot *root,
			  const struct journal_head *head)
{
	char text[64];

	return head->boot_id &&
	       sysroot_read(root, BOOT_ID, text, sizeof(text)) >= 0 &&
	       !text_equal(text_trim(text), head->boot_id);
}

static void add_counts(struct restore_count *count,
		       const struct restore_count *mine)
{
	count->done += mine->done;
	count->conflicts += mine->conflicts;
	count->gone += mine->gone;
	count->failed += mine->failed;
}

static int end(const struct run *run, struct txn *txn, int code,
	       struct err *err)
{
	const unsigned int failed = run->count->failed;
	const unsigned int id = txn->journal.head.id;

	if (code == 0 && (failed == 0 || run->restore->force))
		code = txn_undone(txn, err);
	if (failed)
		return err_set(
			err, -EIO,
			"transaction %u: %u of its changes could not be taken back",
			id, failed);
	if (code < 0)
		return err_set(
			err, code,
			"transaction %u: it is taken back, but its journal cannot say so: %s",
			id, strerror(-code));
	return 0;
}

int restore_run(const struct restore *restore, struct txn *txn,
		struct restore_count *count, struct err *err)
{
	struct restore_count mine = { 0 };
	struct run run = { .restore = restore,
			   .arena = txn->arena,
			   .list = &txn->journal.list,
			   .state = txn->journal.state,
			   .later_boot = is_later_boot(restore->root,
						       &txn->journal.head),
			   .count = &mine };
	int r;

	look(&run);
	r = txn_undo(txn, restore->force, err);
	/* An open one is known to be taken back, and how: a disk that has died
	 * or is full keeps nobody from it. */
	if (r < 0 && !is_open(&run))
		return r;
	restore_files(&run);
	reload_units(&run);
	redo_actions(&run, &txn->journal.head);
	restore_values(&run);
	settle_values(&run);
	add_counts(count, &mine);
	return end(&run, txn, r, err);
}

void restore_values_of(const struct restore *restore, struct arena *arena,
		       struct journal *notes, struct restore_count *count)
{
	struct restore_count mine = { 0 };
	struct run run = { .restore = restore,
			   .arena = arena,
			   .list = &notes->list,
			   .state = notes->state,
			   .count = &mine };

	look(&run);
	restore_values(&run);
	settle_values(&run);
	add_counts(count, &mine);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/device.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "core/owner.h"
#include "sys/sysroot.h"
#include "write/attr.h"
#include "write/device_notes.h"
#include "write/state.h"
#include "write/steps.h"
#include "write/txn.h"
#include "write/value.h"

static bool wrote_applied(const struct journal *journal)
{
	VEC_EACH(&journal->list.steps, const struct step, step)
		if (step->kind == STEP_FILE && step->progress == STEP_DONE &&
		    step->new_text && text_equal(step->path, OWNER_APPLIED))
			return true;
	return false;
}

int device_standing(const struct sysroot *root, struct arena *arena,
		    unsigned int *ret, struct err *err)
{
	struct txn_ids all;
	int r;

	if (!sysroot_exists(root, STATE_DIR))
		return err_set(err, -ENOENT, "there is no %s", STATE_DIR);
	r = state_list(root, arena, &all, err);
	if (r < 0)
		return r;
	*ret = 0;
	for (size_t i = all.ids.n; i-- > 0;) {
		struct journal journal;

		if (txn_read(root, arena, all.ids.items[i], &journal, err) < 0)
			return -EBUSY;
		if (journal.state == JOURNAL_OPEN ||
		    journal.state == JOURNAL_UNDOING)
			return err_set(err, -EBUSY, "transaction %u is %s",
				       all.ids.items[i],
				       journal_state_name(journal.state));
		if (journal.state == JOURNAL_COMMITTED &&
		    wrote_applied(&journal)) {
			*ret = all.ids.items[i];
			return 0;
		}
	}
	return 0;
}

struct run {
	const struct device_input *input;
	struct arena *arena;
	struct step_list list;
	struct journal notes;
	const char *notes_path; /* NULL: nothing is noted */
	struct device_result *result;
};

static void tell(struct run *run, enum execute_what what,
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

/* Gone or moved between looking and writing: the event to come sees to it. */
static void left_out(void *data, int code, const char *sentence)
{
	tell(data, code == -ENODEV ? EXECUTE_REFUSED : EXECUTE_FAILED, NULL,
	     sentence);
}

static bool has_work(const struct step_list *list)
{
	VEC_EACH(&list->steps, const struct step, step)
		if (step->role != ROLE_RECORD)
			return true;
	return false;
}

static struct step *find_note(struct run *run, const struct step *step)
{
	VEC_EACH(&run->notes.list.steps, struct step, it)
		if (device_notes_same(it, step))
			return it;
	return NULL;
}

static void set_left(struct step *note, const char *text)
{
	const size_t n = strlen(text);

	note->has_left = n < sizeof(note->left);
	if (note->has_left)
		memcpy(note->left, text, n + 1);
}

/* The first value that was found counts. */
static void note_step(struct run *run, const struct step *step)
{
	struct step *note = find_note(run, step);

	if (!note) {
		note = vec_add(run->arena, &run->notes.list.steps);
		*note = *step;
		note->unsettled = true;
	}
	note->progress = STEP_DONE;
	set_left(note, step->after ? step->after : step->before);
}

static int open_notes(struct run *run, struct err *err)
{
	const struct device_input *input = run->input;
	int r;

	if (!input->txn)
		return 0;
	run->notes_path =
		device_notes_path(run->arena, input->txn, input->ctrl_id);
	r = device_notes_read(input->root, run->arena, run->notes_path,
			      &run->notes, err);
	if (r < 0)
		return r;
	run->notes.head = (struct journal_head){
		.id = input->txn,
		.time = txn_time(run->arena),
		.profile = input->plan->profile,
		.boot_id = input->boot_id,
	};
	run->notes.state = JOURNAL_OPEN;
	VEC_EACH(&run->list.steps, struct step, step)
		note_step(run, step);
	return device_notes_write(input->root, run->arena, run->notes_path,
				  &run->notes, err);
}

/* What the values came to. */
static int close_notes(struct run *run, struct err *err)
{
	VEC_EACH(&run->list.steps, struct step, step) {
		struct step *note = find_note(run, step);
		char now[VALUE_TEXT_SIZE];

		if (note && attr_read(run->input->root,
				      step_path(run->arena, step), now) == 0)
			set_left(note, now);
	}
	if (!run->notes_path)
		return 0;
	run->notes.state = JOURNAL_COMMITTED;
	return device_notes_write(run->input->root, run->arena, run->notes_path,
				  &run->notes, err);
}

/* What moved nevertheless, rounded or half of a nudge, goes back. */
static void give_up(struct run *run, struct step *step, const char *path,
		    const struct err *why)
{
	step->progress = STEP_REFUSED;
	if (why->code != -ENODEV &&
	    !value_reads_as(run->input->root, step, path, step->before))
		(void)attr_write(run->input->root, path, step->before);
	tell(run,
	     value_is_refused(step, why->code) ? EXECUTE_REFUSED :
						 EXECUTE_FAILED,
	     step, why->text);
}

static void set_value(struct run *run, struct step *step, bool again)
{
	const struct sysroot *root = run->input->root;
	const char *path = step_path(run->arena, step);
	const bool nudge = !again && value_needs_nudge(&run->list, step);
	char left[VALUE_TEXT_SIZE];
	struct err why = { 0 };

	if (!nudge && value_reads_as(root, step, path, step->after))
		return;
	if (value_check_drive(root, run->arena, step, &why) < 0 ||
	    value_write(root, step, path, nudge, left, &why) < 0) {
		give_up(run, step, path, &why);
		return;
	}
	if (step->progress != STEP_DONE && step->role != ROLE_PUT_BACK)
		tell(run, EXECUTE_DONE, step, NULL);
	step->progress = STEP_DONE;
}

/* Twice: a later write may have moved an earlier value once more. */
static void set_values(struct run *run)
{
	for (int round = 0; round < 2; round++)
		VEC_EACH(&run->list.steps, struct step, step)
			if (step->role != ROLE_RECORD &&
			    step->progress != STEP_REFUSED &&
			    (round == 0 || step->unsettled))
				set_value(run, step, round > 0);
}

int device_set(struct arena *arena, const struct device_input *input,
	       struct device_result *result, struct err *err)
{
	struct run run = { .input = input, .arena = arena, .result = result };
	const struct steps_input steps = {
		.root = input->root,
		.plan = input->plan,
		.values = true,
		.keep_going = true,
		.left_out = left_out,
		.data = &run,
	};
	int r;

	*result = (struct device_result){ 0 };
	r = steps_from_plan(arena, &steps, &run.list, err);
	if (r < 0 || !has_work(&run.list))
		return r;
	r = open_notes(&run, err);
	if (r < 0)
		return r;
	set_values(&run);
	return close_notes(&run, err);
}

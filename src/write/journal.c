/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/journal.h"

#include <string.h>

#include "base/parse.h"
#include "core/knob.h"
#include "sys/hash.h"
#include "write/journal_text.h"
#include "json/write.h"

const char *const journal_action_names[] = {
	[ACTION_INITRAMFS] = "initramfs",
	[ACTION_RELOAD] = "reload",
	[ACTION_UNITS] = "daemon-reload",
	[ACTION_GRUB] = "grub",
	NULL,
};

const char *const journal_role_names[] = {
	[ROLE_SET] = "set",
	[ROLE_RETURN] = "return",
	[ROLE_PUT_BACK] = "put-back",
	[ROLE_RECORD] = "record",
	NULL,
};

const char *journal_state_name(enum journal_state state)
{
	static const char *const names[] = {
		[JOURNAL_OPEN] = "open",
		[JOURNAL_COMMITTED] = "committed",
		[JOURNAL_UNDOING] = "half undone",
		[JOURNAL_UNDONE] = "undone",
	};

	return names[state];
}

bool journal_is_past_trial(const struct journal *journal)
{
	if (!journal->head.trial || journal->state != JOURNAL_UNDONE)
		return false;
	VEC_EACH(&journal->list.steps, const struct step, step)
		if (step->kept)
			return false;
	return true;
}

const char *journal_word(const struct journal *journal)
{
	return journal->head.trial && journal->state == JOURNAL_UNDONE ?
		       "trial" :
		       journal_state_name(journal->state);
}

bool step_same(const struct step *step, const char *a, const char *b)
{
	struct value left, right;

	if (text_equal(a, b))
		return true;
	return a && b && step->knob &&
	       knob_read_value(step->knob, a, &left) == 0 &&
	       knob_read_value(step->knob, b, &right) == 0 &&
	       knob_same(step->knob, &left, &right);
}

/* The sum comes first but is known last: its place is kept. */
static size_t begin_line(struct strbuf *out, struct json_writer *json,
			 const char *record)
{
	size_t start = out->len;

	strbuf_pad(out, JOURNAL_SUM_SIZE + 1);
	json_writer_init(json, out, JSON_LINE);
	json_begin_object(json, NULL);
	json_put_text(json, "record", record);
	return start;
}

static void end_line(struct strbuf *out, struct json_writer *json, size_t start)
{
	const size_t text = start + JOURNAL_SUM_SIZE + 1;
	char sum[HASH_TEXT_SIZE];

	json_end(json);
	hash_text(out->text + text, out->len - text, sum);
	memcpy(out->text + start, sum, JOURNAL_SUM_SIZE);
	strbuf_putc(out, '\n');
}

void journal_put_head(struct strbuf *out, const struct journal_head *head)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "begin");

	json_put_text(&json, "schema", JOURNAL_SCHEMA);
	json_put_uint(&json, "id", head->id);
	json_put_text(&json, "time", head->time);
	if (head->uid >= 0)
		json_put_int(&json, "uid", head->uid);
	json_put_text(&json, "sudo_user", head->sudo_user);
	json_put_text(&json, "profile", head->profile);
	json_put_text(&json, "profile_hash", head->profile_hash);
	json_put_text(&json, "plan_hash", head->plan_hash);
	json_put_text(&json, "boot_id", head->boot_id);
	json_put_text(&json, "kernel", head->kernel);
	json_put_text(&json, "initramfs", head->initramfs);
	if (head->persist_only)
		json_put_bool(&json, "persist_only", true);
	if (head->trial)
		json_put_bool(&json, "trial", true);
	if (head->confirmed_by)
		json_put_uint(&json, "confirmed_by", head->confirmed_by);
	end_line(out, &json, start);
}

static void put_value_step(struct strbuf *out, const struct step *step)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "value");

	json_put_uint(&json, "step", step->nr);
	json_put_text(&json, "role", journal_role_names[step->role]);
	json_put_text(&json, "key", step->key);
	json_put_text(&json, "kind", target_kind_names[step->target.kind]);
	json_put_text(&json, "target", step->target.name);
	json_put_text(&json, "dir", step->target.dir);
	json_put_text(&json, "id", step->target.id);
	json_put_text(&json, "attr", step->attr);
	json_put_text(&json, "before", step->before);
	json_put_text(&json, "after", step->after);
	if (step->nudge)
		json_put_bool(&json, "nudge", true);
	if (step->unsettled)
		json_put_bool(&json, "unsettled", true);
	if (step->lasts)
		json_put_bool(&json, "lasts", true);
	end_line(out, &json, start);
}

static void put_file_step(struct strbuf *out, const struct step *step)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "file");

	json_put_uint(&json, "step", step->nr);
	json_put_text(&json, "path", step->path);
	json_put_text(&json, "before", step->old_text);
	if (step->old_text)
		json_put_uint(&json, "before_mode", step->old_mode);
	json_put_text(&json, "after", step->new_text);
	if (step->new_text)
		json_put_uint(&json, "after_mode", step->new_mode);
	end_line(out, &json, start);
}

static void put_folder_step(struct strbuf *out, const struct step *step)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "folder");

	json_put_uint(&json, "step", step->nr);
	json_put_text(&json, "path", step->path);
	end_line(out, &json, start);
}

static void put_action_step(struct strbuf *out, const struct step *step)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "action");

	json_put_uint(&json, "step", step->nr);
	json_put_text(&json, "action", journal_action_names[step->action]);
	json_put_text(&json, "path", step->path);
	end_line(out, &json, start);
}

void journal_put_step(struct strbuf *out, const struct step *step)
{
	switch (step->kind) {
	case STEP_VALUE:
		put_value_step(out, step);
		break;
	case STEP_FILE:
		put_file_step(out, step);
		break;
	case STEP_FOLDER:
		put_folder_step(out, step);
		break;
	case STEP_ACTION:
		put_action_step(out, step);
		break;
	}
}

void journal_put_start(struct strbuf *out, const struct step *step)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "start");

	json_put_uint(&json, "step", step->nr);
	end_line(out, &json, start);
}

void journal_put_done(struct strbuf *out, const struct step *step)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "done");

	json_put_uint(&json, "step", step->nr);
	json_put_text(&json, "left", step->has_left ? step->left : NULL);
	end_line(out, &json, start);
}

void journal_put_refused(struct strbuf *out, const struct step *step,
			 const char *why)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "refused");

	json_put_uint(&json, "step", step->nr);
	json_put_text(&json, "why", why);
	end_line(out, &json, start);
}

void journal_put_commit(struct strbuf *out, const struct journal *journal)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "commit");

	json_begin_array(&json, "left");
	VEC_EACH(&journal->list.steps, struct step, step) {
		if (!step->has_left)
			continue;
		json_begin_object(&json, NULL);
		json_put_uint(&json, "step", step->nr);
		json_put_text(&json, "value", step->left);
		json_end(&json);
	}
	json_end(&json);
	end_line(out, &json, start);
}

void journal_put_undo(struct strbuf *out, bool force,
		      const struct journal_who *who)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "undo");

	json_put_text(&json, "time", who->time);
	if (who->uid >= 0)
		json_put_int(&json, "uid", who->uid);
	json_put_text(&json, "sudo_user", who->sudo_user);
	if (force)
		json_put_bool(&json, "force", true);
	end_line(out, &json, start);
}

void journal_put_undone(struct strbuf *out, const struct journal *journal)
{
	struct json_writer json;
	size_t start = begin_line(out, &json, "undone");

	json_begin_array(&json, "kept");
	VEC_EACH(&journal->list.steps, struct step, step)
		if (step->kept)
			json_put_uint(&json, NULL, step->nr);
	json_end(&json);
	json_begin_array(&json, "gone");
	VEC_EACH(&journal->list.steps, struct step, step)
		if (step->gone)
			json_put_uint(&json, NULL, step->nr);
	json_end(&json);
	end_line(out, &json, start);
}

size_t journal_room(const struct step_list *list)
{
	/* Every byte of a value may become "\u0000".  A step has at most two
	 * starts and ends, each with a value or a sentence, and a place in
	 * three closing lines. */
	const size_t value = (size_t)VALUE_TEXT_SIZE * 6;
	const size_t line = JOURNAL_SUM_SIZE + 64;

	return 4096 + list->steps.n * (7 * line + 3 * value);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/history_show.h"

#include "cmd/history_trial.h"
#include "cmd/provisional.h"
#include "cmd/restore_text.h"
#include "cmd/table.h"
#include "write/audit.h"
#include "json/write.h"

static const struct step *step_of(const void *row)
{
	return row;
}

static void get_nr(const void *row, struct cell *cell)
{
	cell_num(cell, num_known(step_of(row)->nr));
}

static void get_what(const void *row, struct cell *cell)
{
	const struct step *step = step_of(row);

	if (step->kind == STEP_VALUE)
		cell_printf(cell, "%s %s", step->target.name, step->key);
	else
		cell_text(cell, step->path);
}

static void get_identity(const void *row, struct cell *cell)
{
	if (step_of(row)->kind == STEP_VALUE)
		cell_text(cell, step_of(row)->target.id);
	else
		cell_none(cell);
}

static const char *presence(const char *text)
{
	return text ? "present" : "absent";
}

static void get_before(const void *row, struct cell *cell)
{
	const struct step *step = step_of(row);

	if (step->kind == STEP_ACTION)
		cell_none(cell);
	else
		cell_text(cell, step->kind == STEP_VALUE ?
					step->before :
					presence(step->old_text));
}

static void get_after(const void *row, struct cell *cell)
{
	const struct step *step = step_of(row);

	if (step->kind == STEP_FILE)
		cell_text(cell, presence(step->new_text));
	else if (step->kind == STEP_FOLDER)
		cell_text(cell, "present");
	else if (step->kind == STEP_ACTION)
		cell_text(cell, step_outcome(step));
	else if (step->after)
		cell_text(cell, step->after);
	else
		cell_none(cell);
}

static void get_left(const void *row, struct cell *cell)
{
	const struct step *step = step_of(row);

	if (step->has_left)
		cell_text(cell, step->left);
	else
		cell_none(cell);
}

static const char *progress(const struct step *step)
{
	static const char *const names[] = {
		[STEP_PLANNED] = "not done",
		[STEP_STARTED] = "started",
		[STEP_DONE] = "done",
		[STEP_REFUSED] = "refused",
	};

	if (step->kind == STEP_VALUE && step->role == ROLE_RECORD)
		return "recorded";
	if (step->kind == STEP_VALUE && step->role == ROLE_PUT_BACK &&
	    step->progress == STEP_PLANNED)
		return "not needed";
	return names[step->progress];
}

static void get_progress(const void *row, struct cell *cell)
{
	const struct step *step = step_of(row);

	if (step->kept)
		cell_text(cell, "kept when undone");
	else if (step->gone)
		cell_text(cell, "gone when undone");
	else
		cell_text(cell, progress(step));
}

static const struct column columns[] = {
	{ "step", "STEP", get_nr, COLUMN_RIGHT | COLUMN_KEY, 0 },
	{ "what", "WHAT", get_what, 0, 0 },
	{ "before", "BEFORE", get_before, 0, 0 },
	{ "after", "AFTER", get_after, 0, 0 },
	{ "left", "LEFT", get_left, 0, 0 },
	{ "progress", "PROGRESS", get_progress, 0, 0 },
	{ "identity", "IDENTITY", get_identity, COLUMN_DATA, 0 },
	{ NULL, NULL, NULL, 0, 0 },
};

static struct journal_who begun_by(const struct journal_head *head)
{
	return (struct journal_who){ .time = head->time,
				     .uid = head->uid,
				     .sudo_user = head->sudo_user };
}

/* A line of its own: "begun 2026-01-02T03:04:05Z by ann with sudo". */
static void put_who(const struct context *ctx, const char *what,
		    const struct journal_who *who, struct strbuf *out)
{
	const char *name = audit_name(ctx->arena, who);

	if (!who->time)
		return;
	strbuf_printf(out, "\n%s ", what);
	out_tone(out, TONE_PLAIN, ctx->color, who->time);
	if (name) {
		strbuf_puts(out, " by ");
		out_tone(out, TONE_PLAIN, ctx->color, name);
	}
}

/* What it left to reboots; a damaged record is told, and hides nothing else. */
static bool read_boots(const struct context *ctx, unsigned int id,
		       struct provisional *ret)
{
	struct err err = { 0 };
	bool has;

	if (provisional_read(ctx->root, ctx->arena, id, ret, &has, &err) < 0)
		out_note("%s", err.text);
	return has;
}

static void put_boots(const struct context *ctx, unsigned int id,
		      struct strbuf *out)
{
	struct provisional boots;

	if (!read_boots(ctx, id, &boots))
		return;
	strbuf_putc(out, '\n');
	provisional_put(ctx, &boots, out);
}

static void put_boots_json(const struct context *ctx, unsigned int id,
			   struct json_writer *json)
{
	struct provisional boots;

	if (!read_boots(ctx, id, &boots))
		return;
	json_begin_object(json, "boots");
	provisional_to_json(ctx->arena, &boots, json);
	json_end(json);
}

static void put_page(const struct context *ctx, const struct journal *journal,
		     const struct table *table, const struct json_node *trial,
		     struct strbuf *out)
{
	const struct table_view view = { .color = ctx->color,
					 .width = ctx->width };
	const struct journal_head *head = &journal->head;
	const struct journal_who by = begun_by(head);

	out_tone(out, TONE_STRONG, ctx->color,
		 arena_printf(ctx->arena, "transaction %u, profile %s, %s",
			      head->id, head->profile, journal_word(journal)));
	put_who(ctx, "begun", &by, out);
	if (head->time) {
		strbuf_puts(out, " on Linux ");
		out_tone(out, TONE_PLAIN, ctx->color,
			 head->kernel ? head->kernel : "unknown");
	}
	put_who(ctx, "undoing begun", &journal->undone_by, out);
	if (head->profile_hash) {
		strbuf_puts(out, "\nprofile hash ");
		out_tone(out, TONE_PLAIN, ctx->color, head->profile_hash);
	}
	if (head->confirmed_by)
		strbuf_printf(out, "\nconfirmed by trial %u",
			      head->confirmed_by);
	strbuf_puts(out, "\n\n");
	table_put(out, table, &view);
	put_boots(ctx, head->id, out);
	if (trial)
		history_trial_put(ctx, trial, out);
}

static void put_who_json(struct json_writer *json,
			 const struct journal_who *who)
{
	json_put_text(json, "time", who->time);
	if (who->uid >= 0)
		json_put_int(json, "uid", who->uid);
	json_put_text(json, "sudo_user", who->sudo_user);
}

static void put_json(struct context *ctx, const struct journal *journal,
		     const struct table *table, const struct json_node *trial,
		     struct strbuf *out)
{
	const struct journal_head *head = &journal->head;
	const struct journal_who by = begun_by(head);
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", "nvmetune.transaction/1");
	json_put_uint(&json, "id", head->id);
	put_who_json(&json, &by);
	json_put_text(&json, "state", journal_word(journal));
	json_put_text(&json, "profile", head->profile);
	json_put_text(&json, "profile_hash", head->profile_hash);
	json_put_text(&json, "plan_hash", head->plan_hash);
	json_put_text(&json, "boot_id", head->boot_id);
	json_put_text(&json, "kernel", head->kernel);
	if (journal->undone_by.time) {
		json_begin_object(&json, "undo");
		put_who_json(&json, &journal->undone_by);
		json_end(&json);
	}
	if (head->trial)
		json_put_bool(&json, "trial", true);
	if (head->confirmed_by)
		json_put_uint(&json, "confirmed_by", head->confirmed_by);
	table_to_json(&json, "steps", table, ctx->arena);
	put_boots_json(ctx, head->id, &json);
	if (trial)
		history_trial_to_json(trial, &json);
	json_end(&json);
}

int history_show(struct context *ctx, const struct journal *journal,
		 struct err *err)
{
	const struct table table = {
		.columns = columns,
		.rows = journal->list.steps.items,
		.n = journal->list.steps.n,
		.size = sizeof(struct step),
	};
	struct json_node node;
	const struct json_node *trial = NULL;
	bool found = false;
	struct strbuf out;

	if (journal->head.trial &&
	    history_trial_read(ctx, journal->head.id, &node, &found, err) < 0)
		return EXIT_FAILED;
	if (found)
		trial = &node;
	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		put_page(ctx, journal, &table, trial, &out);
		break;
	case OUT_JSON:
		put_json(ctx, journal, &table, trial, &out);
		break;
	case OUT_RAW:
		table_put_raw(&out, &table);
		break;
	}
	out_write(&out);
	return EXIT_DONE;
}

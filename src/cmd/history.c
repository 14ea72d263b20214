/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/history.h"

#include <errno.h>

#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/history_show.h"
#include "cmd/history_trial.h"
#include "cmd/table.h"
#include "json/write.h"

struct row {
	const struct history_entry *entry;
	const char *verdicts; /* of a trial; NULL: it has none */
};

static const struct history_entry *entry_of(const void *row)
{
	return ((const struct row *)row)->entry;
}

static const struct journal_head *head_of(const void *row)
{
	return &entry_of(row)->journal.head;
}

static void get_id(const void *row, struct cell *cell)
{
	cell_num(cell, num_known(entry_of(row)->id));
}

static void get_time(const void *row, struct cell *cell)
{
	cell_text(cell, head_of(row)->time);
}

static void get_profile(const void *row, struct cell *cell)
{
	cell_text(cell, head_of(row)->profile);
}

static void get_state(const void *row, struct cell *cell)
{
	const struct history_entry *entry = entry_of(row);

	cell_text(cell,
		  entry->damage ? "damaged" : journal_word(&entry->journal));
}

static void get_trial(const void *row, struct cell *cell)
{
	if (head_of(row)->confirmed_by)
		cell_num(cell, num_known(head_of(row)->confirmed_by));
	else
		cell_none(cell);
}

static void get_user(const void *row, struct cell *cell)
{
	const struct journal_head *head = head_of(row);

	if (entry_of(row)->damage)
		return;
	if (head->sudo_user)
		cell_text(cell, head->sudo_user);
	else if (head->uid >= 0)
		cell_printf(cell, "uid %lld", (long long)head->uid);
}

static int64_t count(const struct journal *journal, enum step_kind kind)
{
	int64_t n = 0;

	VEC_EACH(&journal->list.steps, const struct step, step)
		n += step->kind == kind && step->progress == STEP_DONE;
	return n;
}

static void get_values(const void *row, struct cell *cell)
{
	if (!entry_of(row)->damage)
		cell_num(cell,
			 num_known(count(&entry_of(row)->journal, STEP_VALUE)));
}

static void get_files(const void *row, struct cell *cell)
{
	if (!entry_of(row)->damage)
		cell_num(cell,
			 num_known(count(&entry_of(row)->journal, STEP_FILE)));
}

static void get_kernel(const void *row, struct cell *cell)
{
	cell_text(cell, head_of(row)->kernel);
}

static void get_boot(const void *row, struct cell *cell)
{
	cell_text(cell, head_of(row)->boot_id);
}

static void get_plan(const void *row, struct cell *cell)
{
	cell_text(cell, head_of(row)->plan_hash);
}

static void get_damage(const void *row, struct cell *cell)
{
	if (entry_of(row)->damage)
		cell_text(cell, entry_of(row)->damage);
	else
		cell_none(cell);
}

static void get_verdicts(const void *row, struct cell *cell)
{
	const char *verdicts = ((const struct row *)row)->verdicts;

	if (verdicts)
		cell_text(cell, verdicts);
	else
		cell_none(cell);
}

static const struct column columns[] = {
	{ "id", "ID", get_id, COLUMN_RIGHT | COLUMN_KEY, 0 },
	{ "time", "TIME", get_time, 0, 0 },
	{ "profile", "PROFILE", get_profile, 0, 0 },
	{ "state", "STATE", get_state, 0, 0 },
	{ "user", "BY", get_user, 0, 0 },
	{ "values", "VALUES", get_values, COLUMN_RIGHT, 0 },
	{ "files", "FILES", get_files, COLUMN_RIGHT, 0 },
	{ "kernel", "KERNEL", get_kernel, 0, 0 },
	{ "boot_id", "BOOT", get_boot, COLUMN_DATA, 0 },
	{ "plan_hash", "PLAN", get_plan, COLUMN_DATA, 0 },
	{ "damage", "DAMAGE", get_damage, COLUMN_SPARSE | COLUMN_TEXT, 0 },
	{ "trial", "TRIAL", get_trial, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "verdicts", "", get_verdicts, COLUMN_SPARSE | COLUMN_TEXT, 0 },
	{ NULL, NULL, NULL, 0, 0 },
};

static void list_page(const struct context *ctx, const struct table *table,
		      struct strbuf *out)
{
	const struct table_view view = { .color = ctx->color,
					 .width = ctx->width };

	if (table->n == 0)
		strbuf_puts(out, "nvmetune has changed nothing here\n");
	table_put(out, table, &view);
}

static void list_json(struct context *ctx, const struct table *table,
		      struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", "nvmetune.history/1");
	table_to_json(&json, "transactions", table, ctx->arena);
	json_end(&json);
}

static const struct row *rows_of(struct context *ctx,
				 const struct history *history)
{
	struct row *rows =
		arena_array(ctx->arena, history->entries.n, sizeof(*rows));
	struct row *row = rows;

	VEC_EACH(&history->entries, const struct history_entry, it) {
		row->entry = it;
		if (!it->damage && it->journal.head.trial)
			row->verdicts = history_trial_verdicts(ctx, it->id);
		row++;
	}
	return rows;
}

static int list(struct context *ctx, const struct history *history)
{
	const struct table table = {
		.columns = columns,
		.rows = rows_of(ctx, history),
		.n = history->entries.n,
		.size = sizeof(struct row),
	};
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		list_page(ctx, &table, &out);
		break;
	case OUT_JSON:
		list_json(ctx, &table, &out);
		break;
	case OUT_RAW:
		table_put_raw(&out, &table);
		break;
	}
	out_write(&out);
	return EXIT_DONE;
}

static const struct history_entry *find(const struct history *history,
					unsigned int id)
{
	VEC_EACH(&history->entries, const struct history_entry, it)
		if (it->id == id)
			return it;
	return NULL;
}

static int show(struct context *ctx, const struct history *history,
		const char *name, struct err *err)
{
	const struct history_entry *entry;
	unsigned int id;

	if (parse_uint(name, &id) < 0)
		return command_usage(&command_history, err,
				     "\"%s\" is no number of a transaction",
				     name);
	entry = find(history, id);
	if (!entry)
		(void)err_set(err, -ENOENT, "there is no transaction %u", id);
	else if (entry->damage)
		(void)err_set(err, -EBADMSG, "%s", entry->damage);
	else
		return history_show(ctx, &entry->journal, err);
	return EXIT_FAILED;
}

static int history(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct history all;
	int r;

	if (argc && (!text_equal(argv[0], "show") || argc != 2))
		return command_usage(
			&command_history, err,
			"nothing, or show and a number, is wanted");
	r = context_root(ctx, err);
	if (r == 0)
		r = history_read(ctx->root, ctx->arena, &all, err);
	if (r < 0)
		return EXIT_FAILED;
	return argc ? show(ctx, &all, argv[1], err) : list(ctx, &all);
}

static const struct opt opts[] = {
	OPT_FORMAT,
	OPT_SYSROOT,
	OPT_IMAGE,
	OPT_END,
};

const struct command command_history = {
	.name = "history",
	.args = "[show TRANSACTION]",
	.summary = "list what nvmetune did to this host, and when",
	.opts = opts,
	.run = history,
};

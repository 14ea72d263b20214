/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/explain_text.h"
#include "cmd/table.h"
#include "knobs/knob_list.h"
#include "json/write.h"

#define LIST_SCHEMA "nvmetune.knobs/1"
#define MOST_TOPICS 128

/* A knob, or a kind of advice. */
struct topic {
	const struct knob *knob;
	const struct advice_doc *advice;
	struct arena *arena;
};

struct topics {
	VEC(struct topic) items;
};

static const char *name_of(const struct topic *topic)
{
	if (topic->advice)
		return topic->advice->id;
	return knob_shown_name(topic->arena, topic->knob);
}

static void get_name(const void *row, struct cell *cell)
{
	cell_text(cell, name_of(row));
}

static void get_kind(const void *row, struct cell *cell)
{
	cell_text(cell,
		  ((const struct topic *)row)->advice ? "advice" : "knob");
}

static void get_values(const void *row, struct cell *cell)
{
	const struct topic *topic = row;

	if (topic->knob)
		cell_text(cell, knob_legal_values(topic->arena, topic->knob));
	else
		cell_none(cell);
}

static void get_summary(const void *row, struct cell *cell)
{
	const struct topic *topic = row;

	cell_text(cell, topic->knob ? topic->knob->doc.summary :
				      topic->advice->summary);
}

static const struct column columns[] = {
	{ "name", "NAME", get_name, COLUMN_KEY, 0 },
	{ "kind", "KIND", get_kind, COLUMN_DATA, 0 },
	{ "values", "VALUES", get_values, COLUMN_SPARSE | COLUMN_TEXT, 0 },
	{ "summary", "SUMMARY", get_summary, 0, 0 },
	{ .name = NULL },
};

static void add_knobs(struct arena *arena, struct topics *ret)
{
	const struct knob_set *knobs = knobs_all();

	for (size_t i = 0; i < knobs->n; i++)
		*vec_add(arena, &ret->items) =
			(struct topic){ .knob = knobs->items[i],
					.arena = arena };
}

static void add_advice(struct arena *arena, struct topics *ret)
{
	const struct advice_doc *doc;

	for (size_t i = 0; (doc = advice_doc(i)); i++)
		*vec_add(arena, &ret->items) =
			(struct topic){ .advice = doc, .arena = arena };
}

static struct table table_of(const struct topics *topics)
{
	return (struct table){
		.columns = columns,
		.rows = topics->items.items,
		.n = topics->items.n,
		.size = sizeof(struct topic),
	};
}

static void put_heading(struct context *ctx, const char *text,
			struct strbuf *out)
{
	out_tone(out, TONE_STRONG, ctx->color, text);
	strbuf_putc(out, '\n');
}

static void put_list(struct context *ctx, struct strbuf *out)
{
	const struct table_view view = { .color = ctx->color,
					 .indent = 2,
					 .width = ctx->width };
	struct topics knobs = { 0 }, advice = { 0 };
	struct table table;

	add_knobs(ctx->arena, &knobs);
	add_advice(ctx->arena, &advice);
	put_heading(ctx, "Knobs: what a profile can set", out);
	table = table_of(&knobs);
	table_put(out, &table, &view);
	strbuf_putc(out, '\n');
	put_heading(ctx, "Advice: what matters but is no setting", out);
	table = table_of(&advice);
	table_put(out, &table, &view);
}

static void put_list_data(struct context *ctx, struct strbuf *out)
{
	struct topics topics = { 0 };
	struct json_writer json;
	struct table table;

	add_knobs(ctx->arena, &topics);
	add_advice(ctx->arena, &topics);
	table = table_of(&topics);
	if (ctx->format == OUT_RAW) {
		table_put_raw(out, &table);
		return;
	}
	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", LIST_SCHEMA);
	table_to_json(&json, "topics", &table, ctx->arena);
	json_end(&json);
}

static const struct advice_doc *find_advice(const char *id)
{
	const struct advice_doc *doc;

	for (size_t i = 0; (doc = advice_doc(i)); i++)
		if (strcmp(doc->id, id) == 0)
			return doc;
	return NULL;
}

static int unknown_topic(struct context *ctx, const char *name, struct err *err)
{
	const char *names[MOST_TOPICS], *near;
	struct topics topics = { 0 };
	size_t n = 0;

	add_knobs(ctx->arena, &topics);
	add_advice(ctx->arena, &topics);
	VEC_EACH(&topics.items, const struct topic, it)
		if (n < MOST_TOPICS)
			names[n++] = name_of(it);
	near = nearest_name(name, names, n);
	if (near)
		(void)err_set(
			err, -ENOENT,
			"there is no knob or advice \"%s\"; did you mean %s?",
			name, near);
	else
		(void)err_set(
			err, -ENOENT,
			"there is no knob or advice \"%s\": \"nvmetune explain\" lists them",
			name);
	return EXIT_FAILED;
}

/* The changes of this key on the paths to a multipath disk: "a, b", or "". */
static const char *on_paths(struct context *ctx, const char *key, size_t n,
			    const char *disk)
{
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	VEC_EACH(&ctx->plan->changes, const struct change, it) {
		const struct ns *ns = facts_ns(ctx->facts, it->target.name);

		if (ns && ns->kind == NS_PATH && text_equal(ns->head, disk) &&
		    strncmp(it->key, key, n) == 0 && !it->key[n])
			strbuf_printf(&out, "%s%s", out.len ? ", " : "",
				      it->id);
	}
	return out.text;
}

static int unknown_change(struct context *ctx, const char *id, struct err *err)
{
	const struct plan *plan = ctx->plan;
	const char *disk = strchr(id, '@');
	const char *paths =
		disk ? on_paths(ctx, id, (size_t)(disk - id), disk + 1) : "";
	const char **ids =
		arena_array(ctx->arena, plan->changes.n, sizeof(*ids));
	const char *near;

	if (disk && *paths) {
		(void)err_set(
			err, -ENOENT,
			"%s is the disk that multipath shows, and %.*s is set on its paths: %s",
			disk + 1, (int)(disk - id), id, paths);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < plan->changes.n; i++)
		ids[i] = plan->changes.items[i].id;
	near = nearest_name(id, ids, plan->changes.n);
	if (near)
		(void)err_set(err, -ENOENT,
			      "the plan has no change \"%s\"; did you mean %s?",
			      id, near);
	else
		(void)err_set(
			err, -ENOENT,
			"the plan has no change \"%s\": \"nvmetune plan\" shows them",
			id);
	return EXIT_FAILED;
}

/* "queue.scheduler@nvme0n1", or a module's parameter, which has no "@". */
static int explain_change(struct context *ctx, const char *id,
			  struct strbuf *out, struct err *err)
{
	const struct change *change;

	if (context_plan(ctx, 0, NULL, err) < 0)
		return EXIT_FAILED;
	change = plan_find(ctx->plan, id);
	if (!change)
		return unknown_change(ctx, id, err);
	explain_put_change(ctx, change, out);
	return EXIT_DONE;
}

static int explain_topic(struct context *ctx, const char *name,
			 struct strbuf *out, struct err *err)
{
	const char *param;
	const struct knob *knob = knob_set_find(knobs_all(), name, &param);
	const struct advice_doc *doc = find_advice(name);

	if (strchr(name, '@') || (param && *param && ctx->options.profile))
		return explain_change(ctx, name, out, err);
	if (doc)
		explain_put_advice(ctx, doc, out);
	else if (knob)
		explain_put_knob(ctx, knob, param, out);
	else
		return unknown_topic(ctx, name, err);
	return EXIT_DONE;
}

static int explain(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct strbuf out;
	int status = EXIT_DONE;

	if (argc > 1)
		return command_usage(&command_explain, err,
				     "\"%s\" is one argument too many",
				     argv[1]);
	strbuf_init(&out, ctx->arena);
	if (argc == 1)
		status = explain_topic(ctx, argv[0], &out, err);
	else if (ctx->format == OUT_TABLE)
		put_list(ctx, &out);
	else
		put_list_data(ctx, &out);
	out_write(&out);
	return status;
}

static const struct opt opts[] = {
	OPT_PROFILE,
	OPTS_READ,
	OPT_END,
};

const struct command command_explain = {
	.name = "explain",
	.args = "[KNOB | ADVICE | CHANGE]",
	.summary = "explain a knob, an advice or a change of a plan",
	.opts = opts,
	.run = explain,
	.details =
		"Without an argument it lists every knob and advice.  A CHANGE is a knob on a\n"
		"target of \"nvmetune plan\", as in queue.scheduler@nvme0n1; the plan is made again\n"
		"for it.  A module parameter such as module.nvme.poll_queues is explained as a\n"
		"change if --profile is given, otherwise as a knob.",
};

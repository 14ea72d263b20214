/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/history_trial.h"

#include <string.h>

#include "cmd/confirm.h"
#include "cmd/table.h"
#include "write/history.h"

int history_trial_read(struct context *ctx, unsigned int id,
		       struct json_node *ret, bool *ret_found, struct err *err)
{
	char *text = NULL;
	int r = history_trial_result(ctx->root, ctx->arena, id, &text, err);

	*ret_found = r == 0 && text;
	if (!*ret_found)
		return r;
	r = json_parse(ctx->arena, text, strlen(text), ret, err);
	return r < 0 ? err_context(err, "what transaction %u measured", id) : 0;
}

static void add_verdicts(const struct json_node *list, struct strbuf *out)
{
	if (!list)
		return;
	VEC_EACH(&list->children, const struct json_node, it) {
		const char *key = json_member_text(it, "key");
		const char *verdict = json_member_text(it, "verdict");

		if (key && verdict)
			strbuf_printf(out, "%s%s %s", out->len ? ", " : "", key,
				      verdict);
	}
}

const char *history_trial_verdicts(struct context *ctx, unsigned int id)
{
	struct err ignored = { 0 };
	struct json_node result;
	struct strbuf out;
	bool found;

	strbuf_init(&out, ctx->arena);
	if (history_trial_read(ctx, id, &result, &found, &ignored) < 0 ||
	    !found)
		return NULL;
	add_verdicts(json_member(&result, "keys"), &out);
	add_verdicts(json_member(&result, "together"), &out);
	return out.len ? out.text : NULL;
}

static void get_text(const void *row, const char *member, struct cell *cell)
{
	const char *text = json_member_text(row, member);

	if (text)
		cell_text(cell, text);
	else
		cell_none(cell);
}

static void get_key(const void *row, struct cell *cell)
{
	get_text(row, "key", cell);
}

static void get_verdict(const void *row, struct cell *cell)
{
	get_text(row, "verdict", cell);
}

static void get_metric(const void *row, struct cell *cell)
{
	get_text(row, "metric", cell);
}

static void get_why(const void *row, struct cell *cell)
{
	get_text(row, "why", cell);
}

static void get_kept(const void *row, struct cell *cell)
{
	bool kept = false;

	if (json_member_bool(row, "kept", &kept))
		cell_text(cell, kept ? "kept" : "put back");
	else
		cell_none(cell);
}

/* "+4.2 %" of 42000 for a million. */
static void get_effect(const void *row, struct cell *cell)
{
	const struct json_node *effect = json_member(row, "effect_ppm");
	int64_t estimate, lower, upper;

	if (!json_member_int(effect, "estimate", &estimate)) {
		cell_none(cell);
		return;
	}
	cell_printf(cell, "%+.1f %%", (double)estimate / 1e4);
	if (json_member_int(effect, "lower", &lower) &&
	    json_member_int(effect, "upper", &upper))
		strbuf_printf(&cell->text, " (%+.1f..%+.1f)",
			      (double)lower / 1e4, (double)upper / 1e4);
}

static void get_blocks(const void *row, struct cell *cell)
{
	int64_t blocks;

	if (json_member_int(row, "blocks", &blocks))
		cell_num(cell, num_known(blocks));
	else
		cell_none(cell);
}

static const struct column columns[] = {
	{ "key", "KEY", get_key, COLUMN_KEY, 0 },
	{ "verdict", "VERDICT", get_verdict, 0, 0 },
	{ "kept", "", get_kept, 0, 0 },
	{ "metric", "BY", get_metric, COLUMN_SPARSE, 0 },
	{ "effect", "BETTER BY", get_effect, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "blocks", "BLOCKS", get_blocks, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "why", "", get_why, COLUMN_SPARSE | COLUMN_TEXT, 0 },
	{ .name = NULL },
};

void history_trial_put(const struct context *ctx,
		       const struct json_node *result, struct strbuf *out)
{
	static const char *const lists[] = { "keys", "together" };
	const struct table_view view = { .color = ctx->color,
					 .width = ctx->width };
	const char *method = json_member_text(result, "method");
	VEC(struct json_node) rows = { 0 };
	struct table table = { .columns = columns,
			       .size = sizeof(struct json_node) };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct json_node *list = json_member(result, lists[i]);

		if (list)
			VEC_EACH(&list->children, const struct json_node, it)
				*vec_add(ctx->arena, &rows) = *it;
	}
	strbuf_puts(out, "\nmeasured ");
	out_wrapped(out, method ? method : "nothing", 0, 0);
	strbuf_puts(out, "\n\n");
	table.rows = rows.items;
	table.n = rows.n;
	table_put(out, &table, &view);
}

/* A list of figures stands on one line. */
static bool is_row(const struct json_node *node)
{
	VEC_EACH(&node->children, const struct json_node, it)
		if (it->kind == JSON_OBJECT ||
		    (it->kind == JSON_ARRAY && node->kind == JSON_OBJECT))
			return false;
	return true;
}

static void put_node(const struct json_node *node, const char *key,
		     struct json_writer *json)
{
	switch (node->kind) {
	case JSON_NULL:
		json_put_null(json, key);
		break;
	case JSON_BOOL:
		json_put_bool(json, key, node->number != 0);
		break;
	case JSON_INT:
		json_put_int(json, key, node->number);
		break;
	case JSON_BIG:
		json_put_uint(json, key, node->big);
		break;
	case JSON_REAL:
		json_put_real(json, key, node->real, 4);
		break;
	case JSON_TEXT:
		json_put_text(json, key, node->text);
		break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		if (is_row(node))
			json_row(json);
		if (node->kind == JSON_ARRAY)
			json_begin_array(json, key);
		else
			json_begin_object(json, key);
		VEC_EACH(&node->children, const struct json_node, it)
			put_node(it, it->key, json);
		json_end(json);
		break;
	}
}

void history_trial_to_json(const struct json_node *result,
			   struct json_writer *json)
{
	put_node(result, "confirm", json);
}

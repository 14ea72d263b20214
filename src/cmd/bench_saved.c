/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_saved.h"

#include <errno.h>

#include "cmd/bench_file.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/cross_node_text.h"
#include "json/bench_json.h"

static int read_result(struct context *ctx, struct bench_matrix *ret,
		       struct err *err)
{
	struct saved_text saved;
	int r = bench_file_read(ctx, ctx->options.result, &saved, err);

	if (r < 0)
		return r;
	r = bench_matrix_from_json(ctx->arena, saved.text, saved.len, ret, err);
	if (r == -ERANGE)
		return err_context(err, "%s", saved.name);
	return r < 0 ? err_context(err, "%s: not a saved result", saved.name) :
		       0;
}

static void put_json(const struct cross_nodes *nodes, struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", BENCH_SCHEMA);
	cross_nodes_to_json(nodes, &json);
	json_end(&json);
}

int bench_saved(struct context *ctx, struct err *err)
{
	struct bench_matrix matrix;
	struct cross_nodes nodes = { 0 };
	struct strbuf out;

	if (ctx->format == OUT_RAW)
		return command_usage(&command_bench, err,
				     "--result has no --format raw");
	if (context_facts(ctx, err) < 0 || read_result(ctx, &matrix, err) < 0)
		return EXIT_FAILED;
	cross_node_judge(ctx->arena, ctx->facts, &matrix, &nodes);
	strbuf_init(&out, ctx->arena);
	if (ctx->format == OUT_JSON)
		put_json(&nodes, &out);
	else if (nodes.items.n)
		cross_node_put(&nodes, &out);
	else
		strbuf_puts(&out, "no drive was read from two nodes\n");
	out_write(&out);
	return EXIT_DONE;
}

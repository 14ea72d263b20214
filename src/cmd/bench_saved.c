/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_saved.h"

#include <string.h>

#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/cross_node_text.h"
#include "json/bench_json.h"

#define RESULT_LIMIT ((size_t)64 << 20)

static int read_result(struct context *ctx, struct bench_matrix *ret,
		       struct err *err)
{
	_cleanup_sysroot_ struct sysroot *root = NULL;
	const char *name = ctx->options.result, *path;
	char *text;
	int r = context_path(ctx, name, &path, err);

	if (r == 0)
		r = sysroot_open("/", &root, err);
	if (r < 0)
		return r;
	r = sysroot_read_file(root, ctx->arena, path + 1, RESULT_LIMIT, &text);
	if (r < 0)
		return err_errno(err, r, "%s", name);
	r = bench_matrix_from_json(ctx->arena, text, strlen(text), ret, err);
	return r < 0 ? err_context(err, "%s: not a saved result", name) : 0;
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

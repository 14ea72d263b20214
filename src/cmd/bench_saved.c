/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_saved.h"

#include <errno.h>
#include <string.h>

#include "base/escape.h"
#include "cmd/bench_columns.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/cross_node_text.h"
#include "json/bench_against.h"
#include "json/bench_json.h"

#define RESULT_LIMIT ((size_t)64 << 20)

static int read_text(struct context *ctx, const char *name,
		     struct saved_text *ret, struct err *err)
{
	_cleanup_sysroot_ struct sysroot *root = NULL;
	const char *path;
	char *text;
	int r = context_path(ctx, name, &path, err);

	if (r == 0)
		r = sysroot_open("/", &root, err);
	if (r < 0)
		return r;
	r = sysroot_read_file(root, ctx->arena, path + 1, RESULT_LIMIT, &text);
	if (r < 0)
		return err_errno(err, r, "%s", name);
	*ret = (struct saved_text){ .name = name,
				    .text = text,
				    .len = strlen(text) };
	return 0;
}

static int read_result(struct context *ctx, struct bench_matrix *ret,
		       struct err *err)
{
	struct saved_text saved;
	int r = read_text(ctx, ctx->options.result, &saved, err);

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

static void put_step(const struct bench_step *step, struct strbuf *out)
{
	escape_to(out, step->drive);
	if (step->node >= 0)
		strbuf_printf(out, " from node %lld", (long long)step->node);
	strbuf_printf(out, ": %llu IOPS before, %llu after: ",
		      (unsigned long long)step->before,
		      (unsigned long long)step->after);
	bench_ratio_text(step->ppt, out);
	strbuf_puts(
		out,
		step->apart ?
			"\n" :
			"; the spreads overlap: no difference to talk about\n");
}

static void steps_to_json(const struct bench_steps *steps, struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", BENCH_SCHEMA);
	json_begin_array(&json, "against");
	VEC_EACH(&steps->items, const struct bench_step, it) {
		json_begin_object(&json, NULL);
		json_put_text(&json, "drive", it->drive);
		if (it->node >= 0)
			json_put_int(&json, "node", it->node);
		json_put_uint(&json, "before_iops", it->before);
		json_put_uint(&json, "after_iops", it->after);
		json_put_int(&json, "iops_ppt", it->ppt);
		json_put_bool(&json, "apart", it->apart);
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
}

/* Two saved results need no host. */
static int compare_saved(struct context *ctx, struct err *err)
{
	struct saved_text before, after;
	struct bench_steps steps;
	struct strbuf out;

	if (read_text(ctx, ctx->options.against, &before, err) < 0 ||
	    read_text(ctx, ctx->options.result, &after, err) < 0 ||
	    bench_against(ctx->arena, &before, &after, &steps, err) < 0)
		return EXIT_FAILED;
	strbuf_init(&out, ctx->arena);
	if (ctx->format == OUT_JSON)
		steps_to_json(&steps, &out);
	else
		VEC_EACH(&steps.items, const struct bench_step, it)
			put_step(it, &out);
	out_write(&out);
	return EXIT_DONE;
}

int bench_saved(struct context *ctx, struct err *err)
{
	struct bench_matrix matrix;
	struct cross_nodes nodes = { 0 };
	struct strbuf out;

	if (ctx->format == OUT_RAW)
		return command_usage(&command_bench, err,
				     "--result has no --format raw");
	if (ctx->options.against)
		return compare_saved(ctx, err);
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_saved.h"

#include <errno.h>

#include "cmd/bench_curves.h"
#include "cmd/bench_file.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/cross_node_text.h"
#include "core/link.h"
#include "core/plausible.h"
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

/* Against the host's own link, where the result does not tell of one. */
static int check_link(struct context *ctx, const struct bench_matrix *matrix,
		      const struct bench_cell *cell, struct err *err)
{
	const char *drive = matrix->drives.items[cell->drive];
	const struct ns *ns = facts_ns(ctx->facts, drive);
	const struct ctrl *ctrl = ns ? facts_ns_ctrl(ctx->facts, ns) : NULL;
	const char *why = NULL;

	if (ctrl && !cell->skipped && cell->of_link_ppt < 0)
		why = plausible_link(ctx->arena, cell->summary.iops,
				     cell->method.block_bytes,
				     link_bandwidth_mbs(ctrl->link.speed_mts,
							ctrl->link.width));
	return why ? err_set(err, -ERANGE, "%s: %s: impossible figures: %s",
			     ctx->options.result, drive, why) :
		     0;
}

static int check_links(struct context *ctx, const struct bench_matrix *matrix,
		       struct err *err)
{
	VEC_EACH(&matrix->cells, const struct bench_cell, it) {
		int r = check_link(ctx, matrix, it, err);

		if (r < 0)
			return r;
	}
	return 0;
}

static void put_json(const struct cross_nodes *nodes,
		     const struct curves *curves, struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", BENCH_SCHEMA);
	cross_nodes_to_json(nodes, &json);
	bench_curves_to_json(curves, &json);
	json_end(&json);
}

static void put_text(const struct cross_nodes *nodes,
		     const struct curves *curves, struct strbuf *out)
{
	cross_node_put(nodes, out);
	curves_to_text(curves, out);
	if (out->len == 0)
		strbuf_puts(
			out,
			"nothing to judge: no drive was read from two nodes, at three depths or from two counts of CPUs\n");
}

int bench_saved(struct context *ctx, struct err *err)
{
	struct bench_matrix matrix;
	struct cross_nodes nodes = { 0 };
	struct curves curves;
	struct strbuf out;

	if (ctx->format == OUT_RAW)
		return command_usage(&command_bench, err,
				     "--result has no --format raw");
	if (context_facts(ctx, err) < 0 || read_result(ctx, &matrix, err) < 0 ||
	    check_links(ctx, &matrix, err) < 0)
		return EXIT_FAILED;
	cross_node_judge(ctx->arena, ctx->facts, &matrix, &nodes);
	curves_find(ctx->arena, &matrix, &curves);
	strbuf_init(&out, ctx->arena);
	if (ctx->format == OUT_JSON)
		put_json(&nodes, &curves, &out);
	else
		put_text(&nodes, &curves, &out);
	out_write(&out);
	return EXIT_DONE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/matrix.h"
#include "cmd/bench_mode.h"
#include "cmd/bench_saved.h"
#include "cmd/command_list.h"
#include "cmd/cross_node_text.h"
#include "json/bench_json.h"

static int cells(struct bench_page *page, struct err *err)
{
	struct arena *arena = page->ctx->arena;
	const struct load *load = &page->load;
	struct bench_matrix_drive *drives =
		arena_array(arena, load->drives.n, sizeof(*drives));
	struct bench_wants wants = { 0 };

	(void)err;
	for (size_t i = 0; i < load->drives.n; i++)
		drives[i].node = load->drives.items[i].node;
	bench_matrix_wants(arena, drives, load->drives.n, load->places.items,
			   load->places.n, page->ctx->options.together, &wants);
	VEC_EACH(&wants.items, const struct bench_want, it)
		bench_page_want(page, it);
	return 0;
}

static struct cross_nodes judge(const struct bench_page *page)
{
	struct cross_nodes nodes = { 0 };

	cross_node_judge(page->ctx->arena, page->ctx->facts, &page->matrix,
			 &nodes);
	return nodes;
}

static void put_total(const struct bench_matrix *matrix, struct strbuf *out)
{
	uint64_t least = UINT64_MAX, most = 0;

	VEC_EACH(&matrix->total_iops, const uint64_t, it) {
		least = *it < least ? *it : least;
		most = *it > most ? *it : most;
	}
	if (matrix->total_iops.n)
		strbuf_printf(out, "all drives: %llu to %llu IOPS\n",
			      (unsigned long long)least,
			      (unsigned long long)most);
}

static void put(const struct bench_page *page, struct strbuf *out)
{
	const struct cross_nodes nodes = judge(page);

	cross_node_put(&nodes, out);
	put_total(&page->matrix, out);
}

static void json(const struct bench_page *page, struct json_writer *writer)
{
	const struct cross_nodes nodes = judge(page);

	cross_nodes_to_json(&nodes, writer);
}

static int instead(struct bench_page *page, int argc, char **argv,
		   struct err *err)
{
	(void)argv;
	if (argc > 0)
		return command_usage(&command_bench, err,
				     "--result judges all drives of its file");
	return bench_saved(page->ctx, err);
}

/*
 * What came later stands behind the rest: raw lines only grow at their end. The
 * remark is seen there, too.
 */
static const struct column columns[] = {
	BENCH_DRIVE,
	BENCH_NODE,
	BENCH_NEAR,
	BENCH_JOBS,
	BENCH_IOPS,
	BENCH_MOST,
	BENCH_MEAN,
	BENCH_P99,
	BENCH_OF_LOCAL,
	{ "remark", "", bench_get_remark, COLUMN_DATA, 0 },
	BENCH_RANGE,
	BENCH_SHARES,
	{ "note", "", bench_get_remark, COLUMN_SPARSE | COLUMN_TEXT, 0 },
	BENCH_COLUMNS_END,
};

static const char *const own[] = { "together", "result", "facts", NULL };

const struct bench_mode bench_mode_matrix = {
	.name = "matrix",
	.columns = columns,
	.usual = { .passes = 6, .seconds = 2, .jobs = 16, .depth = 32 },
	.own = own,
	.instead = instead,
	.cells = cells,
	.put = put,
	.json = json,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/ceiling.h"

#include "cmd/bench_mode.h"
#include "cmd/command_list.h"
#include "json/bench_json.h"

#define CEILING_MS 500U

struct row {
	int64_t node; /* BINDING_NO_NODE: of none that is known */
	unsigned int cpu;
	struct bench_ceiling ceiling;
};

struct rows {
	VEC(struct row) items;
};

static void get_node(const void *data, struct cell *cell)
{
	const struct row *row = data;

	if (row->node >= 0)
		cell_num(cell, num_known(row->node));
	else
		cell_none(cell);
}

static void get_cpu(const void *data, struct cell *cell)
{
	cell_num(cell, num_known(((const struct row *)data)->cpu));
}

static void get_rate(const void *data, struct cell *cell)
{
	const struct row *row = data;

	cell_num(cell, num_known((int64_t)row->ceiling.per_second));
}

static void get_engine(const void *data, struct cell *cell)
{
	cell_text(cell, ((const struct row *)data)->ceiling.engine);
}

static const struct column columns[] = {
	{ "node", "NODE", get_node, COLUMN_KEY | COLUMN_RIGHT, 0 },
	{ "cpu", "CPU", get_cpu, COLUMN_KEY | COLUMN_RIGHT, 0 },
	{ "per_second", "REQUESTS/S", get_rate, COLUMN_RIGHT, 0 },
	{ "engine", "ENGINE", get_engine, 0, 0 },
	{ .name = NULL },
};

static int measure(struct context *ctx, int64_t node, const struct cpuset *cpus,
		   struct rows *rows, struct err *err)
{
	int cpu = cpuset_next(cpus, 0);
	struct row row = { .node = node, .cpu = (unsigned int)cpu };
	int r;

	if (cpu < 0)
		return 0;
	r = bench_ceiling(ctx->arena, row.cpu, CEILING_MS, &row.ceiling, err);
	if (r == 0)
		*vec_add(ctx->arena, &rows->items) = row;
	return r;
}

/* One CPU of each node: those of a node are alike. */
static int measure_nodes(struct context *ctx, struct rows *rows,
			 struct err *err)
{
	const struct facts *facts = ctx->facts;
	struct cpuset cpus = cpuset_minus(ctx->arena,
					  cpuset_is_empty(&facts->allowed) ?
						  &facts->online :
						  &facts->allowed,
					  &facts->isolated);
	int r = 0;

	VEC_EACH(&facts->nodes, const struct node, it) {
		struct binding binding;

		if (binding_of_node(ctx->arena, facts, it->id, &binding, NULL) <
		    0)
			continue;
		r = measure(ctx, it->id, &binding.cpus, rows, err);
		if (r < 0)
			return r;
	}
	return rows->items.n ? 0 :
			       measure(ctx, BINDING_NO_NODE, &cpus, rows, err);
}

static void put_json(struct context *ctx, const struct table *table,
		     struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", BENCH_SCHEMA);
	json_put_text(&json, "mode", "ceiling");
	json_put_text(&json, "kernel", ctx->facts->kernel);
	table_to_json(&json, "ceilings", table, ctx->arena);
	json_end(&json);
}

static int instead(struct bench_page *page, int argc, char **argv,
		   struct err *err)
{
	struct context *ctx = page->ctx;
	const struct table_view view = { .color = ctx->color,
					 .width = ctx->width };
	struct table table = { .columns = columns, .size = sizeof(struct row) };
	struct rows rows = { 0 };
	struct strbuf out;

	(void)argv;
	if (argc > 0)
		return command_usage(&command_bench, err,
				     "ceiling measures CPUs and no drive");
	if (context_facts(ctx, err) < 0 || measure_nodes(ctx, &rows, err) < 0)
		return EXIT_FAILED;
	table.rows = rows.items.items;
	table.n = rows.items.n;
	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		table_put(&out, &table, &view);
		break;
	case OUT_JSON:
		put_json(ctx, &table, &out);
		break;
	case OUT_RAW:
		table_put_raw(&out, &table);
		break;
	}
	out_write(&out);
	return EXIT_DONE;
}

const struct bench_mode bench_mode_ceiling = {
	.name = "ceiling",
	.instead = instead,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <sys/random.h>

#include "bench/matrix.h"
#include "cmd/bench_columns.h"
#include "cmd/bench_labels.h"
#include "cmd/bench_saved.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/cross_node_text.h"
#include "cmd/drives.h"
#include "cmd/interrupt.h"
#include "cmd/load.h"
#include "cmd/progress.h"
#include "json/bench_json.h"

#define PASSES 4U
#define MAX_PASSES 1000U
#define MAX_SECONDS 3600U
#define MAX_JOBS 1024U

struct page {
	struct context *ctx;
	struct load load;
	struct bench_matrix matrix;
	struct cross_nodes nodes;
	VEC(struct bench_row) rows;
	struct progress progress;
	struct strbuf out;
};

static int check_options(const struct options *options, struct err *err)
{
	const struct {
		const char *name;
		unsigned int value;
		unsigned int max;
	} rows[] = {
		{ "passes", options->passes, MAX_PASSES },
		{ "time", options->time, MAX_SECONDS },
		{ "depth", options->depth, BENCH_DEPTH_MAX },
		{ "jobs", options->jobs, MAX_JOBS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value > rows[i].max)
			return command_usage(&command_bench, err,
					     "--%s %u is above %u",
					     rows[i].name, rows[i].value,
					     rows[i].max);
	return 0;
}

static uint64_t a_seed(const struct options *options)
{
	uint32_t seed = 1;

	if (options->seed_given)
		return options->seed;
	/* Small enough to be given again by hand; any number will do. */
	(void)getrandom(&seed, sizeof(seed), GRND_NONBLOCK);
	return seed;
}

static unsigned int or_default(unsigned int given, unsigned int otherwise)
{
	return given ? given : otherwise;
}

static void show_progress(void *data, const struct bench_progress *progress)
{
	struct page *page = data;
	char from[32] = "";

	if (progress->node >= 0)
		(void)snprintf(from, sizeof(from), " from node %lld",
			       (long long)progress->node);
	progress_tell(&page->progress, "%u of %u: %s%s: %llu IOPS",
		      progress->done, progress->total,
		      progress->drive ? progress->drive : "all drives", from,
		      (unsigned long long)progress->iops);
}

static int measure(struct page *page, struct err *err)
{
	const struct options *options = &page->ctx->options;
	struct arena *arena = page->ctx->arena;
	size_t n = page->load.drives.n;
	struct bench_matrix_drive *drives =
		arena_array(arena, n, sizeof(*drives));
	struct bench_matrix_config config = {
		.session = bench_session_defaults,
		.drives = drives,
		.nr_drives = n,
		.places = page->load.places.items,
		.nr_places = page->load.places.n,
		.passes = or_default(options->passes, PASSES),
		.together = options->together,
		.progress = show_progress,
		.data = page,
	};
	int r;

	for (size_t i = 0; i < n; i++) {
		drives[i].drive = page->load.drives.items[i].drive;
		drives[i].node = page->load.drives.items[i].node;
	}
	config.session.seed = a_seed(options);
	config.session.stop = interrupt_flag();
	config.session.jobs = or_default(options->jobs, config.session.jobs);
	config.session.depth = or_default(options->depth, config.session.depth);
	if (options->time)
		config.session.measure_ms = options->time * 1000;
	progress_init(&page->progress);
	r = bench_matrix_run(arena, &config, &page->matrix, err);
	progress_done(&page->progress);
	return r;
}

static const struct bench_method *any_method(const struct page *page)
{
	VEC_EACH(&page->matrix.cells, const struct bench_cell, it)
		if (!it->skipped)
			return &it->method;
	return NULL;
}

static void put_method(struct page *page)
{
	const struct bench_matrix *matrix = &page->matrix;
	const struct bench_method *method = any_method(page);

	if (!method)
		return;
	strbuf_printf(
		&page->out,
		"random reads of %u bytes, QD %u a job, %u pass%s of %u.%u s%s, seed %llu\n",
		method->block_bytes, method->depth, matrix->passes,
		matrix->passes == 1 ? "" : "es", matrix->measure_ms / 1000,
		matrix->measure_ms % 1000 / 100,
		matrix->together ? ", all drives at once" : "",
		(unsigned long long)matrix->seed);
	strbuf_printf(&page->out, "%s, %s\n", method->engine,
		      method->ring_restricted ?
			      "the kernel refuses all but reads" :
			      "read-only by its descriptor alone");
	if (method->fallback)
		strbuf_printf(&page->out, "%s\n", method->fallback);
	if (method->memory_why)
		strbuf_printf(&page->out, "%s\n", method->memory_why);
	strbuf_putc(&page->out, '\n');
}

static void put_total(struct page *page)
{
	uint64_t least = UINT64_MAX, most = 0;

	VEC_EACH(&page->matrix.total_iops, const uint64_t, it) {
		least = *it < least ? *it : least;
		most = *it > most ? *it : most;
	}
	if (page->matrix.total_iops.n)
		strbuf_printf(&page->out, "all drives: %llu to %llu IOPS\n",
			      (unsigned long long)least,
			      (unsigned long long)most);
}

static struct table rows_table(struct page *page)
{
	VEC_EACH(&page->matrix.cells, const struct bench_cell, it)
		*vec_add(page->ctx->arena, &page->rows) =
			(struct bench_row){ &page->matrix, it };
	return (struct table){
		.columns = bench_columns,
		.rows = page->rows.items,
		.n = page->rows.n,
		.size = sizeof(struct bench_row),
	};
}

static void put_page(struct page *page, const struct table *table)
{
	const struct table_view view = { .color = page->ctx->color,
					 .width = page->ctx->width };

	if (table->n == 0) {
		strbuf_puts(&page->out, page->ctx->facts->ctrls.n ?
						"no drive to read\n" :
						"no NVMe controllers\n");
		return;
	}
	put_method(page);
	table_put(&page->out, table, &view);
	strbuf_putc(&page->out, '\n');
	cross_node_put(&page->nodes, &page->out);
	put_total(page);
}

static void put_json(struct page *page)
{
	struct json_writer json;

	json_writer_init(&json, &page->out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", BENCH_SCHEMA);
	bench_labels_to_json(page->ctx->facts, &page->load, &json);
	bench_matrix_to_json(&page->matrix, &json);
	cross_nodes_to_json(&page->nodes, &json);
	json_end(&json);
}

static void show(struct page *page)
{
	const struct table table = rows_table(page);

	strbuf_init(&page->out, page->ctx->arena);
	switch (page->ctx->format) {
	case OUT_TABLE:
		put_page(page, &table);
		break;
	case OUT_JSON:
		put_json(page);
		break;
	case OUT_RAW:
		table_put_raw(&page->out, &table);
		break;
	}
	out_write(&page->out);
}

static int prepare(struct page *page, int argc, char **argv, struct err *err)
{
	struct context *ctx = page->ctx;
	struct drives drives = { 0 };
	struct load_request request = {
		.drives = &drives,
		.in_use = ctx->options.in_use,
		.node = ctx->options.node_given ? (int64_t)ctx->options.node :
						  BINDING_NO_NODE,
	};
	int r = context_facts(ctx, err);

	if (r == 0)
		r = drives_resolve(ctx->facts, ctx->root, ctx->arena, argc,
				   argv, &drives, err);
	if (r < 0)
		return r;
	drives_tell(&drives);
	request.facts = ctx->facts;
	return load_open(ctx->arena, &request, &page->load, err);
}

static uint64_t errors_of(const struct page *page)
{
	uint64_t errors = 0;

	VEC_EACH(&page->matrix.cells, const struct bench_cell, it)
		errors += it->summary.errors;
	return errors;
}

static int bench(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct page page = { .ctx = ctx };
	int r = check_options(&ctx->options, err);

	if (r)
		return r;
	if (ctx->options.result && argc > 0)
		return command_usage(&command_bench, err,
				     "--result judges all drives of its file");
	if (ctx->options.result)
		return bench_saved(ctx, err);
	if (ctx->options.against)
		return command_usage(
			&command_bench, err,
			"--against without --result: both are saved results");
	if (ctx->options.facts)
		return command_usage(
			&command_bench, err,
			"--facts without --result: a saved host cannot be read");
	r = prepare(&page, argc, argv, err);
	if (r == 0 && page.load.drives.n)
		r = measure(&page, err);
	load_close(&page.load);
	if (r < 0)
		return EXIT_FAILED;
	cross_node_judge(ctx->arena, ctx->facts, &page.matrix, &page.nodes);
	show(&page);
	if (errors_of(&page)) {
		(void)err_set(err, -EIO, "%llu reads failed",
			      (unsigned long long)errors_of(&page));
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

static const struct opt opts[] = {
	{ .name = "together",
	  OPT_TO(FLAG, together),
	  .help = "all drives at once, each from its own node" },
	{ .name = "node",
	  OPT_TO(NUMBER, node),
	  .arg = "N",
	  .given = offsetof(struct options, node_given),
	  .help = "only from this node" },
	{ .name = "time",
	  OPT_TO(NUMBER, time),
	  .arg = "SECONDS",
	  .help = "of each slice (default 2)" },
	{ .name = "passes",
	  OPT_TO(NUMBER, passes),
	  .arg = "N",
	  .help = "slices of each cell (default 4)" },
	{ .name = "jobs",
	  OPT_TO(NUMBER, jobs),
	  .arg = "N",
	  .help = "at most, one on a CPU (default 16)" },
	{ .name = "depth",
	  OPT_TO(NUMBER, depth),
	  .arg = "N",
	  .help = "reads in flight for each job (default 32)" },
	{ .name = "seed",
	  OPT_TO(NUMBER, seed),
	  .arg = "N",
	  .given = offsetof(struct options, seed_given),
	  .help = "of offsets and order, to repeat a run" },
	{ .name = "in-use",
	  OPT_TO(FLAG, in_use),
	  .help = "also drives that somebody uses: reads compete with theirs" },
	{ .name = "result",
	  OPT_TO(TEXT, result),
	  .arg = "FILE",
	  .help = "judge what --format json wrote before instead of measuring" },
	{ .name = "against",
	  OPT_TO(TEXT, against),
	  .arg = "FILE",
	  .help = "compare the --result with this older one, if they compare" },
	OPT_FACTS,
	OPT_FORMAT,
	OPT_END,
};

const struct command command_bench = {
	.name = "bench",
	.args = "[DRIVE...]",
	.summary = "random reads on each drive from each node",
	.opts = opts,
	.run = bench,
	.details =
		"Reads only: the drive is opened read-only, and where the kernel can, it also\n"
		"refuses everything but reads on the rings used.  IOPS is the median of the\n"
		"slices, LEAST and MOST their spread; OF LOCAL compares with the drive's own\n"
		"node.  Without a DRIVE: the largest disk of each drive that nobody uses.",
};

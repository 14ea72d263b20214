/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "cmd/bench_mode.h"
#include "cmd/command_list.h"

#define KIB 1024U
#define MIB (1024U * KIB)
#define LONG_ENOUGH_MS 30000U

/* Shapes that people know figures of. */
struct bench_scenario {
	const char *name;
	uint32_t from_bytes; /* of each I/O, and doubled up to */
	uint32_t to_bytes;
	uint32_t depth;
	uint32_t jobs;
	uint32_t write_ppt;
	bool sequential;
};

static const struct bench_scenario scenarios[] = {
	{ "max-iops", 4 * KIB, 4 * KIB, 256, 16, 0, false },
	{ "latency", 4 * KIB, 4 * KIB, 1, 1, 0, false },
	{ "mixed-read-shape", 4 * KIB, 4 * KIB, 32, 4, 300, false },
	{ "db-8k", 8 * KIB, 8 * KIB, 16, 4, 300, false },
	{ "sequential", 64 * KIB, MIB, 32, 1, 0, true },
};

#define NR_SCENARIOS (sizeof(scenarios) / sizeof(scenarios[0]))

#define LEAST_PASSES 3U

/* What --dir asks for; what writes needs several passes to settle. */
static int check_file(const struct bench_page *page, int argc, struct err *err)
{
	const struct options *options = &page->ctx->options;

	if (options->size && !options->dir)
		return command_usage(&command_bench, err,
				     "--size goes with --dir");
	if (options->dir && argc > 0)
		return command_usage(
			&command_bench, err,
			"--dir chooses the drive: it is the one below the folder");
	if (options->dir && page->scenario->write_ppt && options->passes &&
	    options->passes < LEAST_PASSES)
		return command_usage(&command_bench, err,
				     "--passes %u: at least %u with writes",
				     options->passes, LEAST_PASSES);
	return 0;
}

static int operands(struct bench_page *page, int *argc, char ***argv,
		    struct err *err)
{
	const char *names[NR_SCENARIOS];
	const char *asked = *argc > 0 ? (*argv)[0] : "";
	const char *near;

	for (size_t i = 0; i < NR_SCENARIOS; i++) {
		names[i] = scenarios[i].name;
		if (text_equal(names[i], asked))
			page->scenario = &scenarios[i];
	}
	if (page->scenario) {
		(*argc)--;
		(*argv)++;
		return check_file(page, *argc, err);
	}
	near = nearest_name(asked, names, NR_SCENARIOS);
	if (near)
		return command_usage(
			&command_bench, err,
			"unknown scenario \"%s\" (did you mean \"%s\"?)", asked,
			near);
	return command_usage(
		&command_bench, err,
		"say which scenario: max-iops, latency, mixed-read-shape, db-8k or sequential");
}

static uint32_t or_default(unsigned int given, uint32_t otherwise)
{
	return given ? given : otherwise;
}

static void want(struct bench_page *page, size_t drive, uint32_t block_bytes)
{
	const struct options *options = &page->ctx->options;
	const struct bench_scenario *scenario = page->scenario;
	const struct bench_want want = {
		.drive = drive,
		.shape = {
			.block_bytes = block_bytes,
			.depth = or_default(options->depth, scenario->depth),
			.sequential = scenario->sequential,
			.write_ppt = options->dir ? scenario->write_ppt : 0,
		},
		.jobs = or_default(options->jobs, scenario->jobs),
		.label = arena_printf(page->ctx->arena, "%s %uk",
				      scenario->name, block_bytes / KIB),
	};

	bench_page_want(page, &want);
}

static int cells(struct bench_page *page, struct err *err)
{
	const struct bench_scenario *scenario = page->scenario;

	(void)err;
	for (size_t i = 0; i < page->load.drives.n; i++)
		for (uint32_t bytes = scenario->from_bytes;
		     bytes <= scenario->to_bytes; bytes *= 2)
			want(page, i, bytes);
	return 0;
}

static uint64_t measured_ms(const struct bench_matrix *matrix)
{
	return (uint64_t)matrix->passes * matrix->measure_ms;
}

static void put(const struct bench_page *page, struct strbuf *out)
{
	const struct bench_scenario *scenario = page->scenario;
	uint64_t ms = measured_ms(&page->matrix);

	if (scenario->write_ppt && !page->ctx->options.dir)
		strbuf_printf(
			out,
			"%s has %u writes in 100: a drive is only read, so this is the shape of its reads (--dir DIR writes, too, into a file)\n",
			scenario->name, scenario->write_ppt / 10);
	if (ms < LONG_ENOUGH_MS)
		strbuf_printf(
			out,
			"short: each cell ran for %llu s, not 30: caches and the tail do not show\n",
			(unsigned long long)ms / 1000);
}

static void json(const struct bench_page *page, struct json_writer *writer)
{
	json_put_text(writer, "scenario", page->scenario->name);
	json_put_bool(writer, "reads_only",
		      !page->ctx->options.dir || !page->scenario->write_ppt);
	json_put_bool(writer, "short",
		      measured_ms(&page->matrix) < LONG_ENOUGH_MS);
}

/* Of the writes alone: the worst slice. */
static void get_write_p99(const void *data, struct cell *cell)
{
	const struct bench_cell *it = ((const struct bench_row *)data)->cell;
	uint64_t worst = 0;

	VEC_EACH(&it->slices, const struct bench_slice, slice)
		if (slice->writes && slice->writes->count &&
		    histogram_quantile(slice->writes, 990000) > worst)
			worst = histogram_quantile(slice->writes, 990000);
	if (worst == 0) {
		cell_none(cell);
		return;
	}
	cell->kind = CELL_NUMBER;
	cell->number = (int64_t)worst;
	bench_time_text(worst, &cell->text);
}

static const struct column columns[] = {
	BENCH_DRIVE,
	BENCH_LABEL("SCENARIO"),
	BENCH_NODE,
	BENCH_JOBS,
	BENCH_QD,
	BENCH_IOPS,
	BENCH_RANGE,
	BENCH_MBS,
	BENCH_MEAN,
	BENCH_P50,
	BENCH_P95,
	BENCH_P99,
	BENCH_P999,
	{ "write_p99_ns", "P99 WRITES", get_write_p99,
	  COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	BENCH_SHARES,
	BENCH_REMARK,
	BENCH_COLUMNS_END,
};

static const char *const own[] = { "dir", "size", NULL };

const struct bench_mode bench_mode_scenario = {
	.name = "scenario",
	.own = own,
	.columns = columns,
	.usual = { .passes = 6, .seconds = 5, .jobs = 16, .depth = 32 },
	.operands = operands,
	.cells = cells,
	.put = put,
	.json = json,
};

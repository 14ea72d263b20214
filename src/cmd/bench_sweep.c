/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/parse.h"
#include "bench/curve.h"
#include "cmd/bench_curves.h"
#include "cmd/bench_mode.h"

#define DEEPEST 256U

static bool is_over_cores(const struct options *options)
{
	return options->per_core_qd || options->total_qd;
}

static void want_depths(struct bench_page *page, size_t drive)
{
	for (uint32_t depth = 1; depth <= DEEPEST; depth *= 2) {
		const struct bench_want want = {
			.drive = drive,
			.shape.depth = depth,
			.label = arena_printf(page->ctx->arena, "QD %u", depth),
		};

		bench_page_want(page, &want);
	}
}

static void want_cores(struct bench_page *page, size_t drive, uint32_t cores)
{
	const struct options *options = &page->ctx->options;
	uint32_t depth = options->per_core_qd ? options->per_core_qd :
						options->total_qd / cores;
	const struct bench_want want = {
		.drive = drive,
		.shape.depth = depth,
		.jobs = cores,
		.label = arena_printf(page->ctx->arena, "%u CPU%s", cores,
				      cores == 1 ? "" : "s"),
	};

	/* More CPUs than I/Os to share out among them say nothing. */
	if (depth > 0)
		bench_page_want(page, &want);
}

/* 1, 2, 4 ... and all of them. */
static void want_scaling(struct bench_page *page, size_t drive)
{
	const struct bench_place *place = bench_page_place(page, drive);
	uint32_t most = place->skip ? 1 : cpuset_count(&place->binding.cpus);
	uint32_t asked = page->ctx->options.jobs;

	if (asked && asked < most)
		most = asked;
	for (uint32_t cores = 1; cores < most; cores *= 2)
		want_cores(page, drive, cores);
	want_cores(page, drive, most);
}

static int cells(struct bench_page *page, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < page->load.drives.n; i++)
		if (is_over_cores(&page->ctx->options))
			want_scaling(page, i);
		else
			want_depths(page, i);
	return 0;
}

static void mark(struct bench_page *page)
{
	struct bench_matrix *matrix = &page->matrix;
	struct curves curves;

	curves_find(page->ctx->arena, matrix, &curves);
	VEC_EACH(&curves.items, const struct curve, it)
		VEC_EACH(&matrix->cells, struct bench_cell, cell)
			if (!it->over_jobs && !it->knee.beyond &&
			    !cell->skipped && cell->node == it->node &&
			    text_equal(matrix->drives.items[cell->drive],
				       it->drive) &&
			    cell->method.jobs * cell->method.depth ==
				    it->knee.depth)
				cell->at_knee = true;
}

static void get_knee(const void *data, struct cell *cell)
{
	if (((const struct bench_row *)data)->cell->at_knee)
		cell_text(cell, "knee");
	else
		cell_none(cell);
}

static void put(const struct bench_page *page, struct strbuf *out)
{
	struct curves curves;

	curves_find(page->ctx->arena, &page->matrix, &curves);
	curves_to_text(&curves, out);
}

static void json(const struct bench_page *page, struct json_writer *writer)
{
	struct curves curves;

	curves_find(page->ctx->arena, &page->matrix, &curves);
	bench_curves_to_json(&curves, writer);
}

static void get_identity(const void *data, struct cell *cell)
{
	const struct bench_row *row = data;
	const struct bench_cell *it = row->cell;

	cell_none(cell);
	if (it->skipped)
		return;
	switch (knee_flight(&(struct knee_point){
		it->method.jobs * it->method.depth, it->summary.iops,
		it->summary.mean_ns })) {
	case KNEE_FLIGHT_IMPOSSIBLE:
		cell_text(cell, "no: more than were asked for");
		cell->tone = TONE_BAD;
		break;
	case KNEE_FLIGHT_SHORT:
		cell_text(cell, "no: fewer, the CPUs are the limit");
		cell->tone = TONE_WARN;
		break;
	case KNEE_FLIGHT_HOLDS:
		cell_text(cell, "yes");
		break;
	case KNEE_FLIGHT_UNKNOWN:
		break;
	}
}

static const struct column columns[] = {
	BENCH_DRIVE,
	BENCH_LABEL("AT"),
	BENCH_NODE,
	BENCH_JOBS,
	BENCH_QD,
	BENCH_IOPS,
	BENCH_RANGE,
	BENCH_MEAN,
	BENCH_P99,
	{ "iops_is_qd_over_latency", "IOPS=QD/LAT", get_identity, 0, 0 },
	{ "knee", "", get_knee, COLUMN_SPARSE, 0 },
	BENCH_SHARES,
	BENCH_REMARK,
	BENCH_COLUMNS_END,
};

static const char *const own[] = { "per-core-qd", "total-qd", NULL };

const struct bench_mode bench_mode_sweep = {
	.name = "sweep",
	.columns = columns,
	.usual = { .passes = 6, .seconds = 2, .jobs = 1, .depth = 32 },
	.own = own,
	.cells = cells,
	.mark = mark,
	.put = put,
	.json = json,
};

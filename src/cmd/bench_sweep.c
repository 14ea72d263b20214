/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/knee.h"
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

static struct knee_point point_of(const struct bench_cell *cell)
{
	return (struct knee_point){
		.depth = cell->method.jobs * cell->method.depth,
		.iops = cell->summary.iops,
		.mean_ns = cell->summary.mean_ns,
	};
}

static bool find_knee(const struct bench_page *page, size_t drive,
		      struct knee *ret)
{
	VEC(struct knee_point) points = { 0 };

	VEC_EACH(&page->matrix.cells, const struct bench_cell, it)
		if (it->drive == drive && !it->skipped)
			*vec_add(page->ctx->arena, &points) = point_of(it);
	return knee_find(points.items, points.n, ret);
}

static bool find_scaling(const struct bench_page *page, size_t drive,
			 struct scaling *ret)
{
	VEC(struct scaling_point) points = { 0 };

	VEC_EACH(&page->matrix.cells, const struct bench_cell, it)
		if (it->drive == drive && !it->skipped)
			*vec_add(page->ctx->arena, &points) =
				(struct scaling_point){ it->method.jobs,
							it->summary.iops };
	return scaling_find(points.items, points.n, ret);
}

static void put(const struct bench_page *page, struct strbuf *out)
{
	for (size_t i = 0; i < page->matrix.drives.n; i++) {
		struct scaling scaling;
		struct knee knee;
		bool over_cores = is_over_cores(&page->ctx->options);
		bool found = over_cores ? find_scaling(page, i, &scaling) :
					  find_knee(page, i, &knee);

		if (!found)
			continue;
		strbuf_printf(out, "%s: ", page->matrix.drives.items[i]);
		if (over_cores)
			scaling_to_text(&scaling, out);
		else
			knee_to_text(&knee, out);
		strbuf_putc(out, '\n');
	}
}

static void knee_to_json(const struct knee *knee, struct json_writer *writer)
{
	json_put_uint(writer, "free_depth", knee->free_depth);
	json_put_uint(writer, "depth", knee->depth);
	json_put_uint(writer, "iops", knee->iops);
	json_put_uint(writer, "mean_ns", knee->mean_ns);
	json_put_bool(writer, "beyond", knee->beyond);
}

static void scaling_to_json(const struct scaling *scaling,
			    struct json_writer *writer)
{
	json_put_uint(writer, "from_cpus", scaling->from_cpus);
	json_put_uint(writer, "to_cpus", scaling->to_cpus);
	json_put_int(writer, "kept_ppt", scaling->kept_ppt);
	json_put_bool(writer, "flat", scaling->flat);
}

static void json(const struct bench_page *page, struct json_writer *writer)
{
	bool over_cores = is_over_cores(&page->ctx->options);

	json_begin_array(writer, over_cores ? "scaling" : "knees");
	for (size_t i = 0; i < page->matrix.drives.n; i++) {
		struct scaling scaling;
		struct knee knee;
		bool found = over_cores ? find_scaling(page, i, &scaling) :
					  find_knee(page, i, &knee);

		if (!found)
			continue;
		json_begin_object(writer, NULL);
		json_put_text(writer, "drive", page->matrix.drives.items[i]);
		if (over_cores)
			scaling_to_json(&scaling, writer);
		else
			knee_to_json(&knee, writer);
		json_end(writer);
	}
	json_end(writer);
}

/* The knee's own row, so that it is found among the others. */
static void get_knee(const void *data, struct cell *cell)
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
	{ "iops_is_qd_over_latency", "IOPS=QD/LAT", get_knee, 0, 0 },
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
	.put = put,
	.json = json,
};

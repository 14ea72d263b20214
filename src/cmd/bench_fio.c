/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_fio.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "bench/crosscheck.h"
#include "bench/order.h"
#include "bench/stats.h"
#include "cmd/command_list.h"
#include "cmd/interrupt.h"
#include "cmd/progress.h"
#include "write/exec.h"
#include "json/fio_read.h"

struct words {
	VEC(const char *) items;
};

int bench_fio_check(const struct bench_page *page, struct err *err)
{
	const struct options *options = &page->ctx->options;

	if (!options->engine)
		return 0;
	if (!text_equal(options->engine, "fio"))
		return command_usage(
			&command_bench, err,
			"--engine \"%s\": nvmetune's own needs no option, and fio is the only other",
			options->engine);
	if (!page->mode->cells || options->together || options->dir)
		return command_usage(
			&command_bench, err,
			"--engine fio reads one cell after the other of a drive");
	return 0;
}

static bool is_for_fio(const struct bench_cell *cell)
{
	return !cell->skipped && !cell->method.gap_ns;
}

#define ADD(words, arena, ...) \
	(*vec_add(arena, &(words)->items) = arena_printf(arena, __VA_ARGS__))

static void add_shape(struct arena *arena, const struct bench_cell *cell,
		      struct words *words)
{
	const struct bench_method *method = &cell->method;

	ADD(words, arena, "--rw=%s", method->sequential ? "read" : "randread");
	ADD(words, arena, "--bs=%u", method->block_bytes);
	ADD(words, arena, "--iodepth=%u", method->depth);
	ADD(words, arena, "--numjobs=%u", method->jobs);
	ADD(words, arena, "--ioengine=%s",
	    strncmp(method->engine, "io_uring", 8) ? "libaio" : "io_uring");
}

static void add_place(struct arena *arena, const struct bench_cell *cell,
		      struct words *words)
{
	struct strbuf cpus;

	strbuf_init(&cpus, arena);
	cpuset_to_text(&cell->cpus, &cpus);
	ADD(words, arena, "--cpus_allowed=%s", cpus.text);
	ADD(words, arena, "--cpus_allowed_policy=split");
	if (cell->method.memory_bound && cell->node >= 0)
		ADD(words, arena, "--numa_mem_policy=bind:%lld",
		    (long long)cell->node);
}

/* --readonly and allow_file_create=0: fio would make a file of a name that is
 * no drive any more. */
static struct words words_of(const struct bench_page *page,
			     const struct bench_cell *cell)
{
	struct arena *arena = page->ctx->arena;
	const struct bench_matrix *matrix = &page->matrix;
	struct words words = { 0 };

	ADD(&words, arena, "fio");
	ADD(&words, arena, "--name=nvmetune");
	ADD(&words, arena, "--filename=/dev/%s",
	    matrix->drives.items[cell->drive]);
	ADD(&words, arena, "--readonly");
	ADD(&words, arena, "--allow_file_create=0");
	ADD(&words, arena, "--direct=1");
	add_shape(arena, cell, &words);
	add_place(arena, cell, &words);
	ADD(&words, arena, "--thread");
	ADD(&words, arena, "--norandommap");
	ADD(&words, arena, "--randseed=%llu", (unsigned long long)matrix->seed);
	ADD(&words, arena, "--time_based");
	ADD(&words, arena, "--ramp_time=%ums", matrix->settle_ms);
	ADD(&words, arena, "--runtime=%ums", matrix->measure_ms);
	ADD(&words, arena, "--group_reporting");
	ADD(&words, arena, "--lat_percentiles=1");
	ADD(&words, arena, "--clat_percentiles=0");
	ADD(&words, arena, "--output-format=json+");
	return words;
}

static const char *command_text(struct arena *arena, const struct words *words)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	VEC_EACH(&words->items, const char *, it)
		strbuf_printf(&out, "%s%s", out.len ? " " : "", *it);
	return out.text;
}

static int read_slice(struct bench_page *page, struct bench_cell *cell,
		      struct err *err)
{
	struct arena *arena = page->ctx->arena;
	struct words words = words_of(page, cell);
	struct bench_slice slice;
	char *text;
	int r;

	*vec_add(arena, &words.items) = NULL;
	r = exec_fio(page->ctx->root, arena, words.items.items,
		     interrupt_flag(), &text, err);
	if (r == 0)
		r = fio_slice_from_json(arena, text, strlen(text), &slice, err);
	if (r < 0)
		return r;
	slice.sequence = (uint32_t)cell->check->slices.n;
	*vec_add(arena, &cell->check->slices) = slice;
	return 0;
}

struct cells {
	VEC(struct bench_cell *) items;
};

static struct cells cells_of(struct bench_page *page)
{
	struct arena *arena = page->ctx->arena;
	struct cells cells = { 0 };

	VEC_EACH(&page->matrix.cells, struct bench_cell, it) {
		struct words words;

		if (!is_for_fio(it))
			continue;
		words = words_of(page, it);
		it->check = ARENA_NEW(arena, struct bench_check);
		it->check->command = command_text(arena, &words);
		*vec_add(arena, &cells.items) = it;
	}
	return cells;
}

static int read_cells(struct bench_page *page, const struct cells *cells,
		      struct progress *progress, struct err *err)
{
	size_t n = cells->items.n * page->matrix.passes;
	size_t *order = arena_array(page->ctx->arena, n, sizeof(*order));
	int r = 0;

	order_latin(page->ctx->arena, page->matrix.seed, cells->items.n,
		    page->matrix.passes, order);
	for (size_t i = 0; i < n && r == 0; i++) {
		struct bench_cell *cell = cells->items.items[order[i]];

		progress_tell(progress, "%zu of %zu: fio reads %s", i + 1, n,
			      page->matrix.drives.items[cell->drive]);
		r = read_slice(page, cell, err);
	}
	return r;
}

int bench_fio_run(struct bench_page *page, struct err *err)
{
	struct cells cells;
	struct progress progress;
	int r;

	if (!page->ctx->options.engine)
		return 0;
	cells = cells_of(page);
	if (cells.items.n == 0)
		return 0;
	progress_init(&progress);
	r = read_cells(page, &cells, &progress, err);
	progress_done(&progress);
	if (r < 0)
		return r;
	VEC_EACH(&cells.items, struct bench_cell *, it)
		(*it)->check->summary = stats_summary(
			page->ctx->arena, (*it)->check->slices.items,
			(*it)->check->slices.n, &(*it)->method);
	return 0;
}

static void put_command(const struct bench_page *page, struct strbuf *out)
{
	size_t n = 0;

	VEC_EACH(&page->matrix.cells, const struct bench_cell, it) {
		if (!it->check)
			continue;
		if (n++ == 0)
			strbuf_printf(out, "\n%s\n", it->check->command);
	}
	if (n > 1)
		strbuf_printf(
			out,
			"and alike for the rest of %zu cells: --format json has each\n",
			n);
}

static void put_ratio(const char *before, int64_t ppt, struct strbuf *out)
{
	strbuf_puts(out, before);
	bench_ratio_text(ppt, out);
}

static void put_order(const struct crosscheck *check, struct strbuf *out)
{
	if (check->pairs == 0) {
		strbuf_puts(
			out,
			"no two cells are apart in both, so that there is no order to compare\n");
		return;
	}
	strbuf_printf(
		out,
		"of %u pairs of cells that are apart in both, %u have one order%s\n",
		check->pairs, check->agreeing,
		check->pairs == check->agreeing ?
			"" :
			": they do not agree, and neither is to be trusted");
}

void bench_fio_put(const struct bench_page *page, struct strbuf *out)
{
	struct crosscheck check;

	if (!crosscheck_judge(page->ctx->arena, &page->matrix, &check))
		return;
	put_command(page, out);
	put_ratio("nvmetune reads ", check.median_ppt, out);
	put_ratio(" times what fio does (", check.least_ppt, out);
	put_ratio(" to ", check.most_ppt, out);
	strbuf_puts(out, ")");
	if (check.cpu_ppt >= 0) {
		put_ratio(", and its threads take ", check.cpu_ppt, out);
		strbuf_puts(out, " of fio's CPU time for each");
	}
	strbuf_putc(out, '\n');
	put_order(&check, out);
}

void bench_fio_to_json(const struct bench_page *page, struct json_writer *json)
{
	struct crosscheck check;

	if (!crosscheck_judge(page->ctx->arena, &page->matrix, &check))
		return;
	json_begin_object(json, "crosscheck");
	json_put_text(json, "engine", "fio");
	json_put_uint(json, "cells", check.cells);
	json_put_int(json, "iops_least_ppt", check.least_ppt);
	json_put_int(json, "iops_median_ppt", check.median_ppt);
	json_put_int(json, "iops_most_ppt", check.most_ppt);
	if (check.cpu_ppt >= 0)
		json_put_int(json, "cpu_ppt", check.cpu_ppt);
	json_put_uint(json, "pairs", check.pairs);
	json_put_uint(json, "agreeing", check.agreeing);
	json_end(json);
}

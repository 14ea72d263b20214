/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "cmd/bench_mode.h"
#include "cmd/bench_page.h"

#define NS_PER_S UINT64_C(1000000000)
#define SHARE_PERCENT 70U

/*
 * In a closed loop a slow read holds back those behind it, which then never
 * wait.  Here reads start when they are due, whatever became of the others, and
 * their latency counts from then: what a user of so many reads a second sees.
 */

static struct bench_want closed_loop(size_t drive)
{
	return (struct bench_want){ .drive = drive, .label = "closed loop" };
}

static void want_rate(struct bench_page *page, size_t drive, uint64_t iops,
		      const char *label)
{
	struct bench_want want = { .drive = drive, .label = label };
	uint32_t jobs = bench_page_jobs(page, drive);

	want.shape.gap_ns = jobs * NS_PER_S / iops;
	want.shape.poisson = true;
	bench_page_want(page, &want);
}

/* What each drive can at most, from one pass in a closed loop. */
static int want_share(struct bench_page *page, struct err *err)
{
	struct bench_matrix pilot;
	int r;

	for (size_t i = 0; i < page->load.drives.n; i++) {
		const struct bench_want want = closed_loop(i);

		bench_page_want(page, &want);
	}
	r = bench_page_measure(page, 1, &pilot, err);
	if (r < 0)
		return r;
	VEC_EACH(&pilot.cells, const struct bench_cell, it) {
		if (!it->skipped && !it->summary.iops)
			return err_set(err, -EIO, "%s: every read failed: %s",
				       pilot.drives.items[it->drive],
				       strerror(it->summary.first_error));
		/* Skipped it is here, too, and says why. */
		want_rate(page, it->drive,
			  it->summary.iops * SHARE_PERCENT / 100 + 1, "70 %");
	}
	return 0;
}

static int cells(struct bench_page *page, struct err *err)
{
	unsigned int rate = page->ctx->options.rate;

	if (page->load.drives.n == 0)
		return 0;
	if (!rate)
		return want_share(page, err);
	for (size_t i = 0; i < page->load.drives.n; i++)
		want_rate(page, i, rate,
			  arena_printf(page->ctx->arena, "%u/s", rate));
	return 0;
}

static uint64_t asked(const struct bench_cell *cell)
{
	return cell->method.gap_ns ?
		       cell->method.jobs * NS_PER_S / cell->method.gap_ns :
		       0;
}

static void get_asked(const void *data, struct cell *cell)
{
	const struct bench_row *row = data;

	if (asked(row->cell))
		bench_put_number(data, cell, asked(row->cell));
	else
		cell_none(cell);
}

/* Of 1000 I/Os, those that had to wait for a free place in the queue. */
static void get_late(const void *data, struct cell *cell)
{
	const struct bench_cell *it = ((const struct bench_row *)data)->cell;
	uint64_t late = 0;

	cell_none(cell);
	if (it->skipped || !it->method.gap_ns || !it->summary.ios)
		return;
	VEC_EACH(&it->slices, const struct bench_slice, slice)
		late += slice->late;
	cell->kind = CELL_NUMBER;
	cell->number = (int64_t)(late * 1000 / it->summary.ios);
	bench_percent_text(cell->number, &cell->text);
}

static void put(const struct bench_page *page, struct strbuf *out)
{
	(void)page;
	strbuf_puts(
		out,
		"latencies of an open loop count from the moment when a read was due; LATE had to wait to begin\n");
}

static const struct column columns[] = {
	BENCH_DRIVE,	   BENCH_LABEL("RATE"),
	BENCH_NODE,	   BENCH_JOBS,
	BENCH_QD,	   { "asked", "ASKED", get_asked, COLUMN_RIGHT, 0 },
	BENCH_IOPS,	   BENCH_RANGE,
	BENCH_MEAN,	   BENCH_P50,
	BENCH_P95,	   BENCH_P99,
	BENCH_P999,	   { "late_ppt", "LATE", get_late, COLUMN_RIGHT, 0 },
	BENCH_SHARES,	   BENCH_REMARK,
	BENCH_COLUMNS_END,
};

static const char *const own[] = { "rate", NULL };

const struct bench_mode bench_mode_rate = {
	.name = "rate",
	.columns = columns,
	.usual = { .passes = 6, .seconds = 2, .jobs = 16, .depth = 32 },
	.own = own,
	.cells = cells,
	.put = put,
};

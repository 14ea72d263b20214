/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm_columns.h"

#include <string.h>

#include "cmd/bench_columns.h"
#include "core/bench_result.h"

static const struct bench_summary *side(const void *row, int which)
{
	return &((const struct bench_pair *)row)->arms[which].summary;
}

static void get_drive(const void *row, struct cell *cell)
{
	cell_text(cell, ((const struct bench_pair *)row)->drive);
	cell->tone = TONE_STRONG;
}

static void get_node(const void *row, struct cell *cell)
{
	int64_t node = ((const struct bench_pair *)row)->node;

	if (node >= 0)
		cell_num(cell, num_known(node));
	else
		cell_none(cell);
}

static void put_iops(const void *row, int which, struct cell *cell)
{
	const struct bench_summary *it = side(row, which);

	cell_num_as(cell, num_known((int64_t)it->iops), "%llu (%llu..%llu)",
		    (unsigned long long)it->iops,
		    (unsigned long long)it->iops_min,
		    (unsigned long long)it->iops_max);
}

static void get_before(const void *row, struct cell *cell)
{
	put_iops(row, BENCH_BEFORE, cell);
}

static void get_after(const void *row, struct cell *cell)
{
	put_iops(row, BENCH_AFTER, cell);
}

static void get_ratio(const void *row, struct cell *cell)
{
	int64_t ppt = ((const struct bench_pair *)row)->iops_ppt;

	if (ppt < 0)
		return;
	cell->kind = CELL_NUMBER;
	cell->number = ppt;
	bench_ratio_text(ppt, &cell->text);
	cell->tone = TONE_STRONG;
}

static void put_times(uint64_t before, uint64_t after, struct cell *cell)
{
	struct strbuf *out = &cell->text;

	cell->kind = CELL_NUMBER;
	cell->number = (int64_t)after;
	bench_time_text(before, out);
	strbuf_puts(out, " -> ");
	bench_time_text(after, out);
}

static void get_mean(const void *row, struct cell *cell)
{
	put_times(side(row, BENCH_BEFORE)->mean_ns,
		  side(row, BENCH_AFTER)->mean_ns, cell);
}

static void get_p99(const void *row, struct cell *cell)
{
	put_times(side(row, BENCH_BEFORE)->p99_ns,
		  side(row, BENCH_AFTER)->p99_ns, cell);
}

static void get_remark(const void *row, struct cell *cell)
{
	uint64_t errors = side(row, BENCH_BEFORE)->errors +
			  side(row, BENCH_AFTER)->errors;
	int code = side(row, BENCH_AFTER)->first_error;

	if (errors == 0) {
		cell_none(cell);
		return;
	}
	cell_printf(cell, "%llu reads failed: %s", (unsigned long long)errors,
		    strerror(code ? code :
				    side(row, BENCH_BEFORE)->first_error));
	cell->tone = TONE_BAD;
}

const struct column confirm_columns[] = {
	{ "drive", "DRIVE", get_drive, COLUMN_KEY, 0 },
	{ "node", "NODE", get_node, COLUMN_RIGHT, 0 },
	{ "iops_before", "IOPS BEFORE", get_before, COLUMN_RIGHT, 0 },
	{ "iops_after", "IOPS AFTER", get_after, COLUMN_RIGHT, 0 },
	{ "iops_ppt", "RATIO", get_ratio, COLUMN_RIGHT, 0 },
	{ "mean_ns", "MEAN", get_mean, COLUMN_RIGHT, 0 },
	{ "p99_ns", "P99", get_p99, COLUMN_RIGHT, 0 },
	{ "remark", "", get_remark, COLUMN_SPARSE, 0 },
	{ .name = NULL },
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_columns.h"

#include <string.h>

void bench_time_text(uint64_t ns, struct strbuf *out)
{
	static const struct {
		uint64_t ns;
		const char *unit;
	} units[] = {
		{ 1000000000, "s" },
		{ 1000000, "ms" },
		{ 1000, "us" },
		{ 1, "ns" },
	};
	size_t i = 0;

	while (units[i].ns > 1 && ns < units[i].ns)
		i++;
	if (ns < units[i].ns * 10 && units[i].ns > 1)
		strbuf_printf(out, "%llu.%llu %s",
			      (unsigned long long)(ns / units[i].ns),
			      (unsigned long long)(ns % units[i].ns * 10 /
						   units[i].ns),
			      units[i].unit);
	else
		strbuf_printf(out, "%llu %s",
			      (unsigned long long)(ns / units[i].ns),
			      units[i].unit);
}

void bench_ratio_text(int64_t ppt, struct strbuf *out)
{
	strbuf_printf(out, "%lld.%02lld", (long long)((ppt + 5) / 1000),
		      (long long)((ppt + 5) % 1000 / 10));
}

static const struct bench_cell *cell_of(const void *data)
{
	return ((const struct bench_row *)data)->cell;
}

static void get_drive(const void *data, struct cell *cell)
{
	const struct bench_row *row = data;

	cell_text(cell, row->matrix->drives.items[row->cell->drive]);
	cell->tone = TONE_STRONG;
}

static void get_node(const void *data, struct cell *cell)
{
	int64_t node = cell_of(data)->node;

	if (node >= 0)
		cell_num(cell, num_known(node));
	else
		cell_none(cell);
}

/* Without a local cell nobody knows which is remote. */
static void get_near(const void *data, struct cell *cell)
{
	const struct bench_cell *it = cell_of(data);

	if (it->local)
		cell_text(cell, "local");
	else if (it->of_local_ppt >= 0)
		cell_text(cell, "remote");
	else if (it->skipped)
		cell_none(cell);
}

/* A measured number; a cell that was skipped has none. */
static void put_number(const void *data, struct cell *cell, uint64_t number)
{
	if (cell_of(data)->skipped)
		cell_none(cell);
	else
		cell_num(cell, num_known((int64_t)number));
}

static void put_time(const void *data, struct cell *cell, uint64_t ns)
{
	if (cell_of(data)->skipped) {
		cell_none(cell);
		return;
	}
	cell->kind = CELL_NUMBER;
	cell->number = (int64_t)ns;
	bench_time_text(ns, &cell->text);
}

static void get_iops(const void *data, struct cell *cell)
{
	put_number(data, cell, cell_of(data)->summary.iops);
}

static void get_iops_min(const void *data, struct cell *cell)
{
	put_number(data, cell, cell_of(data)->summary.iops_min);
}

static void get_iops_max(const void *data, struct cell *cell)
{
	put_number(data, cell, cell_of(data)->summary.iops_max);
}

static void get_mean(const void *data, struct cell *cell)
{
	put_time(data, cell, cell_of(data)->summary.mean_ns);
}

static void get_p99(const void *data, struct cell *cell)
{
	put_time(data, cell, cell_of(data)->summary.p99_ns);
}

static void get_of_local(const void *data, struct cell *cell)
{
	int64_t ppt = cell_of(data)->of_local_ppt;

	if (ppt < 0 || cell_of(data)->local) {
		cell_none(cell);
		return;
	}
	cell->kind = CELL_NUMBER;
	cell->number = ppt;
	bench_ratio_text(ppt, &cell->text);
}

static void get_jobs(const void *data, struct cell *cell)
{
	put_number(data, cell, cell_of(data)->method.jobs);
}

static void get_remark(const void *data, struct cell *cell)
{
	const struct bench_cell *it = cell_of(data);

	if (it->skipped) {
		cell_text(cell, it->skipped);
		cell->tone = TONE_FAINT;
	} else if (it->summary.errors) {
		cell_printf(cell, "%llu reads failed: %s",
			    (unsigned long long)it->summary.errors,
			    strerror(it->summary.first_error));
		cell->tone = TONE_BAD;
	} else if (it->summary.cpu_bound) {
		cell_text(cell, "limited by the CPUs");
		cell->tone = TONE_WARN;
	} else {
		cell_none(cell);
	}
}

const struct column bench_columns[] = {
	{ "drive", "DRIVE", get_drive, COLUMN_KEY, 0 },
	{ "node", "NODE", get_node, COLUMN_KEY | COLUMN_RIGHT, 0 },
	{ "near", "IS", get_near, COLUMN_SPARSE, 0 },
	{ "jobs", "JOBS", get_jobs, COLUMN_RIGHT, 0 },
	{ "iops", "IOPS", get_iops, COLUMN_RIGHT, 0 },
	{ "iops_min", "LEAST", get_iops_min, COLUMN_RIGHT, 0 },
	{ "iops_max", "MOST", get_iops_max, COLUMN_RIGHT, 0 },
	{ "mean_ns", "MEAN", get_mean, COLUMN_RIGHT, 0 },
	{ "p99_ns", "P99", get_p99, COLUMN_RIGHT, 0 },
	{ "of_local_ppt", "OF LOCAL", get_of_local,
	  COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "remark", "", get_remark, COLUMN_SPARSE, 0 },
	{ .name = NULL },
};

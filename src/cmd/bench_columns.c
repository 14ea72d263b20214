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

void bench_percent_text(int64_t ppt, struct strbuf *out)
{
	strbuf_printf(out, "%lld.%lld %%", (long long)(ppt / 10),
		      (long long)(ppt % 10));
}

static const struct bench_cell *cell_of(const void *data)
{
	return ((const struct bench_row *)data)->cell;
}

void bench_get_drive(const void *data, struct cell *cell)
{
	const struct bench_row *row = data;

	cell_text(cell, row->matrix->drives.items[row->cell->drive]);
	cell->tone = TONE_STRONG;
}

void bench_get_label(const void *data, struct cell *cell)
{
	cell_text(cell, cell_of(data)->label);
}

void bench_get_node(const void *data, struct cell *cell)
{
	int64_t node = cell_of(data)->node;

	if (node >= 0)
		cell_num(cell, num_known(node));
	else
		cell_none(cell);
}

/* Without a local cell nobody knows which is remote. */
void bench_get_near(const void *data, struct cell *cell)
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
void bench_put_number(const void *data, struct cell *cell, uint64_t number)
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

void bench_get_iops(const void *data, struct cell *cell)
{
	bench_put_number(data, cell, cell_of(data)->summary.iops);
}

void bench_get_iops_min(const void *data, struct cell *cell)
{
	bench_put_number(data, cell, cell_of(data)->summary.iops_min);
}

void bench_get_iops_max(const void *data, struct cell *cell)
{
	bench_put_number(data, cell, cell_of(data)->summary.iops_max);
}

void bench_get_iops_low(const void *data, struct cell *cell)
{
	bench_put_number(data, cell, cell_of(data)->summary.iops_low);
}

void bench_get_iops_high(const void *data, struct cell *cell)
{
	bench_put_number(data, cell, cell_of(data)->summary.iops_high);
}

static void put_percent(const void *data, struct cell *cell, int64_t ppt)
{
	if (cell_of(data)->skipped || ppt < 0) {
		cell_none(cell);
		return;
	}
	cell->kind = CELL_NUMBER;
	cell->number = ppt;
	bench_percent_text(ppt, &cell->text);
}

void bench_get_spread(const void *data, struct cell *cell)
{
	put_percent(data, cell, cell_of(data)->summary.spread_ppt);
}

void bench_get_of_link(const void *data, struct cell *cell)
{
	put_percent(data, cell, cell_of(data)->of_link_ppt);
}

void bench_get_of_ceiling(const void *data, struct cell *cell)
{
	put_percent(data, cell, cell_of(data)->of_ceiling_ppt);
}

void bench_get_mbs(const void *data, struct cell *cell)
{
	const struct bench_cell *it = cell_of(data);

	bench_put_number(data, cell,
			 it->summary.iops * it->method.block_bytes / 1000000);
}

void bench_get_mean(const void *data, struct cell *cell)
{
	put_time(data, cell, cell_of(data)->summary.mean_ns);
}

static void put_quantile(const void *data, struct cell *cell, uint32_t ppm)
{
	const struct bench_cell *it = cell_of(data);

	put_time(data, cell,
		 it->skipped ? 0 :
			       histogram_quantile(it->summary.latency, ppm));
}

void bench_get_p50(const void *data, struct cell *cell)
{
	put_quantile(data, cell, 500000);
}

void bench_get_p95(const void *data, struct cell *cell)
{
	put_quantile(data, cell, 950000);
}

void bench_get_p999(const void *data, struct cell *cell)
{
	put_quantile(data, cell, 999000);
}

void bench_get_p99(const void *data, struct cell *cell)
{
	put_time(data, cell, cell_of(data)->summary.p99_ns);
}

void bench_get_of_local(const void *data, struct cell *cell)
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

void bench_get_jobs(const void *data, struct cell *cell)
{
	bench_put_number(data, cell, cell_of(data)->method.jobs);
}

void bench_get_depth(const void *data, struct cell *cell)
{
	bench_put_number(data, cell, cell_of(data)->method.depth);
}

void bench_get_cores(const void *data, struct cell *cell)
{
	const struct num milli = cell_of(data)->summary.cores_milli;

	if (cell_of(data)->skipped || !milli.known) {
		cell_none(cell);
		return;
	}
	cell->kind = CELL_NUMBER;
	cell->number = milli.value;
	bench_ratio_text(milli.value, &cell->text);
}

void bench_get_fio(const void *data, struct cell *cell)
{
	const struct bench_check *check = cell_of(data)->check;

	if (check)
		cell_num(cell, num_known((int64_t)check->summary.iops));
	else
		cell_none(cell);
}

void bench_get_of_fio(const void *data, struct cell *cell)
{
	const struct bench_cell *it = cell_of(data);

	if (!it->check || !it->check->summary.iops) {
		cell_none(cell);
		return;
	}
	cell->kind = CELL_NUMBER;
	cell->number =
		(int64_t)(it->summary.iops * 1000 / it->check->summary.iops);
	bench_ratio_text(cell->number, &cell->text);
}

static const char *begin_remark(struct cell *cell, enum tone tone)
{
	cell->kind = CELL_TEXT;
	cell->tone = tone > cell->tone ? tone : cell->tone;
	return cell->text.len ? "; " : "";
}

static const char *why_disturbed(const struct bench_cell *cell)
{
	VEC_EACH(&cell->slices, const struct bench_slice, it)
		if (it->void_why)
			return it->void_why;
	return "";
}

#define MANY_ZEROS_PPT 100
#define LITTLE_OFF_PPT 20
#define MANY_MERGES 100 /* one in so many */

/* What must hold of any measurement of what was asked for. */
static void remark_identities(const struct bench_cell *it, struct cell *cell)
{
	const struct bench_summary *summary = &it->summary;
	int64_t off = summary->little_ppt - 1000;
	int64_t merges = num_or(summary->merges, 0);

	if (off < 0)
		off = -off;
	if (summary->little_ppt >= 0 && off > LITTLE_OFF_PPT)
		strbuf_printf(
			&cell->text,
			"%srate x latency is %lld.%lld %% off what was in flight",
			begin_remark(cell, TONE_WARN), (long long)off / 10,
			(long long)off % 10);
	if (!it->method.sequential && merges > 0 &&
	    (uint64_t)merges > summary->ios / MANY_MERGES)
		strbuf_printf(&cell->text,
			      "%s%lld I/Os were merged into others",
			      begin_remark(cell, TONE_WARN), (long long)merges);
}

void bench_get_remark(const void *data, struct cell *cell)
{
	const struct bench_cell *it = cell_of(data);
	const struct bench_summary *summary = &it->summary;

	cell_none(cell);
	if (it->skipped) {
		cell_text(cell, it->skipped);
		cell->tone = TONE_FAINT;
		return;
	}
	if (summary->errors)
		strbuf_printf(&cell->text, "%s%llu I/Os failed: %s",
			      begin_remark(cell, TONE_BAD),
			      (unsigned long long)summary->errors,
			      strerror(summary->first_error));
	else if (summary->cpu_bound && !it->method.gap_ns)
		strbuf_printf(&cell->text, "%slimited by the CPUs",
			      begin_remark(cell, TONE_WARN));
	if (summary->disturbed)
		strbuf_printf(&cell->text, "%s%u of %zu slices disturbed: %s",
			      begin_remark(cell, TONE_WARN), summary->disturbed,
			      it->slices.n, why_disturbed(it));
	if (summary->zero_ppt.known &&
	    summary->zero_ppt.value >= MANY_ZEROS_PPT)
		strbuf_printf(&cell->text, "%s%lld %% of the blocks hold zeros",
			      begin_remark(cell, TONE_WARN),
			      (long long)summary->zero_ppt.value / 10);
	remark_identities(it, cell);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "cmd/calibrate.h"
#include "cmd/provisional.h"
#include "cmd/table.h"

static const struct boot *boot_of(const void *row)
{
	return row;
}

static void get_time(const void *row, struct cell *cell)
{
	cell_text(cell, boot_of(row)->time);
}

static void get_set(const void *row, struct cell *cell)
{
	cell_text(cell,
		  boot_of(row)->which == BENCH_BEFORE ? "before" : "with it");
	cell->tone = TONE_STRONG;
}

static void put_metric(const void *row, enum bench_metric metric,
		       struct cell *cell)
{
	double value = boot_of(row)->metrics[metric];

	if (isnan(value)) {
		cell_none(cell);
		return;
	}
	cell->kind = CELL_NUMBER;
	cell->number = llround(value);
	calibrated_value_text(metric, value, &cell->text);
}

static void get_iops(const void *row, struct cell *cell)
{
	put_metric(row, BENCH_METRIC_IOPS, cell);
}

static void get_cpu(const void *row, struct cell *cell)
{
	put_metric(row, BENCH_METRIC_CPU, cell);
}

static void get_p99(const void *row, struct cell *cell)
{
	put_metric(row, BENCH_METRIC_P99, cell);
}

static void get_rate(const void *row, struct cell *cell)
{
	put_metric(row, BENCH_METRIC_RATE, cell);
}

static void get_duration(const void *row, struct cell *cell)
{
	put_metric(row, BENCH_METRIC_TIME, cell);
}

static void get_boot(const void *row, struct cell *cell)
{
	cell_text(cell, boot_of(row)->boot_id);
}

const struct column boot_columns[] = {
	{ "time", "MEASURED", get_time, COLUMN_KEY, 0 },
	{ "set", "SET", get_set, 0, 0 },
	{ "iops", "IOPS", get_iops, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "cpu", "CPU PER I/O", get_cpu, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "p99", "P99", get_p99, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "rate", "THROUGHPUT", get_rate, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "duration", "TIME", get_duration, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "boot_id", "BOOT", get_boot, 0, 0 },
	{ .name = NULL },
};

void provisional_put(const struct context *ctx,
		     const struct provisional *provisional, struct strbuf *out)
{
	const struct boots *boots = &provisional->boots;
	const struct table_view view = { .color = ctx->color,
					 .width = ctx->width,
					 .indent = 2 };
	const struct table table = {
		.columns = boot_columns,
		.rows = boots->items.items,
		.n = boots->items.n,
		.size = sizeof(struct boot),
	};
	struct boots_result result;

	strbuf_puts(out, "over boots");
	VEC_EACH(&provisional->changes, const struct provisional_change, it) {
		strbuf_puts(out, "  ");
		out_tone(out, TONE_STRONG, ctx->color, it->id);
		strbuf_puts(out, " = ");
		out_tone(out, TONE_PLAIN, ctx->color, it->want);
	}
	strbuf_puts(out, ", by ");
	out_tone(out, TONE_PLAIN, ctx->color,
		 boots->items.n ? boots->items.items[0].load : "nothing yet");
	strbuf_putc(out, '\n');
	table_put(out, &table, &view);
	boots_judge(ctx->arena, boots, &result);
	boots_to_text(boots, &result, out);
	strbuf_putc(out, '\n');
}

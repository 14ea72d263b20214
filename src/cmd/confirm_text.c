/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What confirm found, for the page. */

#include <math.h>

#include "cmd/bench_columns.h"
#include "cmd/confirm.h"
#include "cmd/confirm_words.h"
#include "cmd/forecast.h"
#include "cmd/table.h"

struct row {
	const struct confirm_unit *unit;
	const struct decide_rule *rule;
};

static const struct confirm_unit *unit_of(const void *row)
{
	return ((const struct row *)row)->unit;
}

static const struct decide_result *decision_of(const void *row)
{
	return &unit_of(row)->trial.decision;
}

static void get_key(const void *row, struct cell *cell)
{
	cell_text(cell, unit_of(row)->key);
	cell->tone = TONE_STRONG;
}

static void get_verdict(const void *row, struct cell *cell)
{
	const struct confirm_unit *unit = unit_of(row);
	const char *verdict = confirm_verdict_text(unit, cell->text.arena);

	if (!verdict) {
		cell_none(cell);
		return;
	}
	cell_text(cell, verdict);
	if (unit->verdict == DECIDE_CONFIRMED)
		cell->tone = TONE_GOOD;
	else if (unit->verdict == DECIDE_REJECTED)
		cell->tone = TONE_BAD;
	else if (unit->tried)
		cell->tone = TONE_WARN;
}

static bool is_kept_anyway(const struct confirm_unit *unit)
{
	return unit->required && unit->verdict != DECIDE_CONFIRMED;
}

static void get_kept(const void *row, struct cell *cell)
{
	cell_text(cell, !unit_of(row)->kept	     ? "put back" :
			is_kept_anyway(unit_of(row)) ? "kept, required" :
						       "kept");
}

static void get_metric(const void *row, struct cell *cell)
{
	if (unit_of(row)->measured)
		cell_text(cell, bench_metric_text(unit_of(row)->trial.metric));
	else
		cell_none(cell);
}

static void put_value(enum bench_metric metric, double value,
		      struct strbuf *out)
{
	switch (metric) {
	case BENCH_METRIC_IOPS:
		strbuf_printf(out, "%.0f", value);
		break;
	case BENCH_METRIC_CPU:
	case BENCH_METRIC_P99:
	case BENCH_METRIC_MEAN:
		bench_time_text((uint64_t)(value + 0.5), out);
		break;
	case BENCH_METRIC_RATE:
		strbuf_printf(out, "%.4g", value);
		break;
	case BENCH_METRIC_TIME:
		strbuf_printf(out, "%.4g s", value);
		break;
	}
}

static void get_arm(const void *row, int which, struct cell *cell)
{
	const struct bench_trial *trial = &unit_of(row)->trial;
	double value = trial->arms[which].metrics[trial->metric];

	if (!unit_of(row)->measured || isnan(value)) {
		cell_none(cell);
		return;
	}
	cell->kind = CELL_TEXT;
	put_value(trial->metric, value, &cell->text);
}

static void get_before(const void *row, struct cell *cell)
{
	get_arm(row, BENCH_BEFORE, cell);
}

static void get_after(const void *row, struct cell *cell)
{
	get_arm(row, BENCH_AFTER, cell);
}

static double percent(double log_ratio)
{
	return expm1(log_ratio) * 100;
}

static void put_range(const struct decide_range *range, struct cell *cell)
{
	if (isnan(range->estimate)) {
		cell_none(cell);
		return;
	}
	if (isnan(range->lower))
		cell_printf(cell, "%+.1f %%", percent(range->estimate));
	else
		cell_printf(cell, "%+.1f %% (%+.1f..%+.1f)",
			    percent(range->estimate), percent(range->lower),
			    percent(range->upper));
}

static void get_effect(const void *row, struct cell *cell)
{
	if (unit_of(row)->measured)
		put_range(&decision_of(row)->effect, cell);
	else
		cell_none(cell);
}

static void get_p99(const void *row, struct cell *cell)
{
	if (unit_of(row)->measured && !isnan(decision_of(row)->p99.estimate))
		cell_printf(cell, "%+.1f %%",
			    percent(decision_of(row)->p99.estimate));
	else
		cell_none(cell);
}

static void get_cpu(const void *row, struct cell *cell)
{
	if (unit_of(row)->measured && !isnan(decision_of(row)->cpu.estimate))
		cell_printf(cell, "%+.1f %%",
			    percent(decision_of(row)->cpu.estimate));
	else
		cell_none(cell);
}

static void get_blocks(const void *row, struct cell *cell)
{
	if (unit_of(row)->measured)
		cell_num(cell, num_known(decision_of(row)->blocks));
	else
		cell_none(cell);
}

static void get_why(const void *row, struct cell *cell)
{
	const struct row *it = row;
	const char *why = confirm_why(it->unit, it->rule, cell->text.arena);

	if (why)
		cell_text(cell, why);
	else
		cell_none(cell);
}

static const struct column columns[] = {
	{ "key", "KEY", get_key, COLUMN_KEY, 0 },
	{ "verdict", "VERDICT", get_verdict, 0, 0 },
	{ "kept", "", get_kept, 0, 0 },
	{ "metric", "BY", get_metric, COLUMN_SPARSE, 0 },
	{ "before", "BEFORE", get_before, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "after", "AFTER", get_after, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "effect", "BETTER BY", get_effect, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "p99", "P99", get_p99, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "cpu", "CPU/IO", get_cpu, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "blocks", "BLOCKS", get_blocks, COLUMN_RIGHT | COLUMN_SPARSE, 0 },
	{ "why", "", get_why, COLUMN_SPARSE | COLUMN_TEXT, 0 },
	{ .name = NULL },
};

static void add_rows(const struct confirm *confirm,
		     const struct confirm_unit *units, size_t n,
		     struct row *rows)
{
	for (size_t i = 0; i < n; i++)
		rows[i] = (struct row){ &units[i], &confirm->rule };
}

void confirm_put(const struct confirm *confirm, struct strbuf *out)
{
	const struct table_view view = { .color = confirm->ctx->color,
					 .indent = 2,
					 .width = confirm->ctx->width };
	const size_t n = confirm->units.n, groups = confirm->groups.n;
	struct row *rows = arena_array(out->arena, n + groups, sizeof(*rows));
	const struct table table = { .columns = columns,
				     .rows = rows,
				     .n = n + groups,
				     .size = sizeof(*rows) };

	if (confirm->forecast) {
		forecast_put(confirm, out);
		return;
	}
	if (confirm->method)
		strbuf_printf(
			out,
			"measured  %s; a change must bring %.1f %%; seed %u\n",
			confirm->method, confirm->rule.min_effect * 100,
			confirm->seed);
	else
		strbuf_puts(
			out,
			"measured  nothing: no value changes whose effect could be seen\n");
	add_rows(confirm, confirm->units.items, n, rows);
	add_rows(confirm, confirm->groups.items, groups, rows + n);
	table_put(out, &table, &view);
}

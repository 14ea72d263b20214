/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A forecast for people and for programs. */
#include "base/duration.h"
#include "base/parse.h"
#include "cmd/confirm_words.h"
#include "cmd/forecast.h"

struct row {
	const struct confirm *confirm;
	const struct confirm_unit *unit;
	const struct calibrated *by; /* NULL: not measured */
};

static const struct row *row_of(const void *row)
{
	return row;
}

static void get_key(const void *row, struct cell *cell)
{
	cell_text(cell, row_of(row)->unit->key);
	cell->tone = TONE_STRONG;
}

/* Cells of a calibration, for the metric that would decide. */
static void borrow(const void *row, size_t column, struct cell *cell)
{
	const struct calibrated *by = row_of(row)->by;

	if (by)
		calibrated_columns[column].get(by, cell);
	else
		cell_none(cell);
}

static void get_metric(const void *row, struct cell *cell)
{
	borrow(row, CALIBRATED_METRIC, cell);
	cell->tone = TONE_PLAIN;
}

static void get_before(const void *row, struct cell *cell)
{
	borrow(row, CALIBRATED_MEDIAN, cell);
}

static void get_noise(const void *row, struct cell *cell)
{
	borrow(row, CALIBRATED_BLOCK, cell);
}

static void get_shows(const void *row, struct cell *cell)
{
	borrow(row, CALIBRATED_SHOWS, cell);
}

static void get_takes(const void *row, struct cell *cell)
{
	borrow(row, CALIBRATED_TAKES, cell);
}

static const char *why_not(const struct row *row, struct arena *arena)
{
	const char *why = confirm_why(row->unit, &row->confirm->rule, arena);

	if (row->by || why)
		return why;
	return "too few blocks count to tell: the host is too busy now";
}

static void get_why(const void *row, struct cell *cell)
{
	const char *why = why_not(row_of(row), cell->text.arena);

	if (why)
		cell_text(cell, why);
	else
		cell_none(cell);
}

static const struct column columns[] = {
	{ "key", "KEY", get_key, COLUMN_KEY, 0 },
	{ "metric", "BY", get_metric, 0, 0 },
	{ "before", "BEFORE", get_before, COLUMN_RIGHT, 0 },
	{ "block_ppm", "NOISE", get_noise, COLUMN_RIGHT, 0 },
	{ "shows", "WOULD SHOW", get_shows, 0, 0 },
	{ "takes", "TO SHOW", get_takes, 0, 0 },
	{ "why", "", get_why, COLUMN_SPARSE | COLUMN_TEXT, 0 },
	{ .name = NULL },
};

static void put_time(const struct forecast *forecast, struct strbuf *out)
{
	struct strbuf least, most;

	strbuf_init(&least, out->arena);
	strbuf_init(&most, out->arena);
	duration_to_text(forecast->least_ms, &least);
	duration_to_text(forecast->most_ms, &most);
	strbuf_printf(out, "takes     %s", least.text);
	if (!text_equal(least.text, most.text))
		strbuf_printf(out, " to %s", most.text);
	strbuf_puts(out, ", all of it\n");
}

void forecast_put(const struct confirm *confirm, struct strbuf *out)
{
	const struct table_view view = { .color = confirm->ctx->color,
					 .indent = 2,
					 .width = confirm->ctx->width };
	struct row *rows =
		arena_array(out->arena, confirm->units.n, sizeof(*rows));
	const struct table table = { .columns = columns,
				     .rows = rows,
				     .n = confirm->units.n,
				     .size = sizeof(*rows) };
	struct row *row = rows;

	VEC_EACH(&confirm->units, const struct confirm_unit, unit)
		*row++ = (struct row){ confirm, unit,
				       forecast_of(confirm, unit) };
	VEC_EACH(&confirm->forecast->looks, const struct forecast_look, it)
		strbuf_printf(out, "measured  %zu blocks of 4 %s; seed %llu\n",
			      it->trial.blocks.n, it->method,
			      (unsigned long long)it->trial.seed);
	put_time(confirm->forecast, out);
	table_put(out, &table, &view);
}

static void put_key(const struct confirm *confirm,
		    const struct confirm_unit *unit, struct json_writer *json)
{
	const struct row row = { confirm, unit, forecast_of(confirm, unit) };

	json_begin_object(json, NULL);
	json_put_text(json, "key", unit->key);
	if (row.by)
		calibrated_to_json(row.by, json);
	json_put_text(json, "why", why_not(&row, confirm->ctx->arena));
	json_end(json);
}

void forecast_to_json(const struct confirm *confirm, struct json_writer *json)
{
	const struct forecast *forecast = confirm->forecast;

	json_begin_object(json, "forecast");
	json_put_uint(json, "least_ms", forecast->least_ms);
	json_put_uint(json, "most_ms", forecast->most_ms);
	json_begin_array(json, "looks");
	VEC_EACH(&forecast->looks, const struct forecast_look, it) {
		json_begin_object(json, NULL);
		json_put_text(json, "method", it->method);
		json_put_uint(json, "blocks", it->trial.blocks.n);
		json_begin_array(json, "metrics");
		VEC_EACH(&it->metrics, const struct calibrated, metric) {
			json_begin_object(json, NULL);
			calibrated_to_json(metric, json);
			json_end(json);
		}
		json_end(json);
		json_end(json);
	}
	json_end(json);
	json_begin_array(json, "keys");
	VEC_EACH(&confirm->units, const struct confirm_unit, unit)
		put_key(confirm, unit, json);
	json_end(json);
	json_end(json);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a calibration found, for people and for programs. */
#include <math.h>

#include "base/duration.h"
#include "cmd/bench_columns.h"
#include "cmd/calibrate.h"

static const struct calibrated *row_of(const void *row)
{
	return row;
}

static void get_metric(const void *row, struct cell *cell)
{
	cell_text(cell, bench_metric_text(row_of(row)->metric));
	cell->data = bench_metric_name(row_of(row)->metric);
	cell->tone = TONE_STRONG;
}

void calibrated_value_text(enum bench_metric metric, double value,
			   struct strbuf *out)
{
	switch (metric) {
	case BENCH_METRIC_CPU:
	case BENCH_METRIC_P99:
	case BENCH_METRIC_MEAN:
		bench_time_text((uint64_t)value, out);
		break;
	case BENCH_METRIC_IOPS:
		strbuf_printf(out, "%.0f", value);
		break;
	case BENCH_METRIC_RATE:
		strbuf_printf(out, "%.6g", value);
		break;
	case BENCH_METRIC_TIME:
		strbuf_printf(out, "%.4g s", value);
		break;
	}
}

static void get_median(const void *row, struct cell *cell)
{
	const struct calibrated *it = row_of(row);

	cell->kind = CELL_NUMBER;
	cell->number = (int64_t)it->median;
	calibrated_value_text(it->metric, it->median, &cell->text);
	if (it->unit && it->unit[0])
		strbuf_printf(&cell->text, " %s", it->unit);
}

static void put_share(struct cell *cell, double share)
{
	cell->kind = CELL_NUMBER;
	cell->number = llround(share * 1e6);
	strbuf_printf(&cell->text, "%.1f %%", share * 100);
}

static void get_slice(const void *row, struct cell *cell)
{
	put_share(cell, row_of(row)->noise.slice);
}

static void get_block(const void *row, struct cell *cell)
{
	put_share(cell, row_of(row)->noise.block);
}

static void get_lag1(const void *row, struct cell *cell)
{
	double lag1 = row_of(row)->noise.lag1;

	if (isnan(lag1))
		cell_none(cell);
	else
		cell_printf(cell, "%.2f", lag1);
}

static void get_shows(const void *row, struct cell *cell)
{
	const struct predict *predict = &row_of(row)->predict;

	for (size_t i = 0; i < predict->n; i++)
		cell_printf(cell, "%s%u%s %.1f %%", i ? ", " : "",
			    predict->rows[i].blocks, i ? "" : " blocks",
			    expm1(predict->rows[i].mde) * 100);
}

static void get_takes(const void *row, struct cell *cell)
{
	const struct calibrated *it = row_of(row);
	const struct predict *predict = &it->predict;
	uint32_t last = predict->rows[predict->n - 1].blocks;

	cell_printf(cell, "%.1f %%: ", it->least * 100);
	if (predict->blocks_needed == 0) {
		cell_printf(cell, "more than %d blocks", DECIDE_MOST_BLOCKS);
		return;
	}
	cell_printf(cell, "%u blocks", predict->blocks_needed);
	if (predict->blocks_needed > last) {
		cell_printf(cell, ", and the last look is at %u", last);
		return;
	}
	strbuf_puts(&cell->text, ", ");
	duration_to_text(predict->needed_ms, &cell->text);
}

/* clang-format off */
const struct column calibrated_columns[] = {
	[CALIBRATED_METRIC] = { "metric", "METRIC", get_metric, COLUMN_KEY, 0 },
	[CALIBRATED_MEDIAN] = { "median", "MEDIAN", get_median, COLUMN_RIGHT, 0 },
	[CALIBRATED_SLICE] = { "slice_ppm", "SLICES", get_slice, COLUMN_RIGHT, 0 },
	[CALIBRATED_BLOCK] = { "block_ppm", "BLOCKS", get_block, COLUMN_RIGHT, 0 },
	[CALIBRATED_LAG1] = { "lag1", "LAG-1", get_lag1, COLUMN_RIGHT, 0 },
	[CALIBRATED_SHOWS] = { "shows", "WOULD SHOW", get_shows, 0, 0 },
	[CALIBRATED_TAKES] = { "takes", "TO SHOW", get_takes, 0, 0 },
	{ .name = NULL },
};
/* clang-format on */

static struct table table_of(const struct calibration *calibration)
{
	return (struct table){
		.columns = calibrated_columns,
		.rows = calibration->metrics.items,
		.n = calibration->metrics.n,
		.size = sizeof(struct calibrated),
	};
}

void calibration_put(const struct calibration *calibration, struct strbuf *out)
{
	const struct bench_trial *trial = &calibration->trial;
	const struct table_view view = { .color = calibration->ctx->color,
					 .width = calibration->ctx->width };
	const struct table table = table_of(calibration);

	strbuf_printf(out, "%zu blocks of 4 %s, seed %llu\n", trial->blocks.n,
		      meter_text(calibration->meter),
		      (unsigned long long)trial->seed);
	if (trial->decision.voided)
		strbuf_printf(out, "%u of them were disturbed\n",
			      trial->decision.voided);
	if (table.n)
		strbuf_putc(out, '\n');
	table_put(out, &table, &view);
	strbuf_puts(out, "\nthe host against itself: ");
	decide_to_text(&trial->decision, &calibration->rule,
		       bench_metric_text(trial->metric), out);
	strbuf_putc(out, '\n');
}

static void put_looks(struct json_writer *json, const struct predict *predict)
{
	json_begin_array(json, "looks");
	for (size_t i = 0; i < predict->n; i++) {
		const struct predict_row *row = &predict->rows[i];

		json_row(json);
		json_begin_object(json, NULL);
		json_put_uint(json, "blocks", row->blocks);
		json_put_int(json, "detectable_ppm", decide_ppm(row->mde));
		json_put_uint(json, "time_ms", row->time_ms);
		json_end(json);
	}
	json_end(json);
}

void calibrated_to_json(const struct calibrated *it, struct json_writer *json)
{
	json_put_text(json, "metric", bench_metric_name(it->metric));
	json_put_text(json, "unit", it->unit);
	json_put_real(json, "median", it->median, 6);
	json_put_uint(json, "slices", it->noise.slices);
	json_put_int(json, "slice_ppm", llround(it->noise.slice * 1e6));
	json_put_int(json, "block_ppm", llround(it->noise.block * 1e6));
	json_put_real(json, "lag1", it->noise.lag1, 3);
	put_looks(json, &it->predict);
	json_put_int(json, "min_effect_ppm", llround(it->least * 1e6));
	if (it->predict.blocks_needed) {
		json_put_uint(json, "blocks_needed", it->predict.blocks_needed);
		json_put_uint(json, "needed_ms", it->predict.needed_ms);
	}
}

/* Of itself, or of the block that it is in. */
static const char *why_void(const struct bench_trial *trial,
			    const struct bench_trial_slice *slice)
{
	if (slice->disturbed || slice->block >= trial->blocks.n)
		return slice->disturbed;
	return trial->blocks.items[slice->block].void_why;
}

static void put_slices(struct json_writer *json,
		       const struct bench_trial *trial)
{
	json_begin_array(json, "slices");
	VEC_EACH(&trial->slices, const struct bench_trial_slice, it) {
		if (it->block == BENCH_TRIAL_PILOT)
			continue;
		json_row(json);
		json_begin_object(json, NULL);
		json_put_uint(json, "block", it->block);
		json_put_text(json, "side",
			      it->which == BENCH_BEFORE ? "a" : "b");
		json_put_text(json, "disturbed", why_void(trial, it));
		for (int i = 0; i < BENCH_METRICS; i++)
			if (!isnan(it->metrics[i]))
				json_put_real(
					json,
					bench_metric_name((enum bench_metric)i),
					it->metrics[i], 6);
		json_end(json);
	}
	json_end(json);
}

void calibration_to_json(const struct calibration *calibration,
			 struct json_writer *json)
{
	const struct bench_trial *trial = &calibration->trial;

	json_put_text(json, "load", meter_text(calibration->meter));
	json_put_uint(json, "seed", trial->seed);
	json_put_uint(json, "slice_ms", calibration->meter->slice_ms);
	json_put_uint(json, "blocks", trial->blocks.n);
	json_put_uint(json, "disturbed", trial->decision.voided);
	json_begin_array(json, "metrics");
	VEC_EACH(&calibration->metrics, const struct calibrated, it) {
		json_begin_object(json, NULL);
		calibrated_to_json(it, json);
		json_end(json);
	}
	json_end(json);
	json_begin_object(json, "self_test");
	json_put_text(json, "metric", bench_metric_name(trial->metric));
	json_put_text(json, "verdict",
		      decide_verdict_name(trial->decision.verdict));
	json_put_text(json, "reason",
		      decide_reason_name(trial->decision.reason));
	json_put_int(json, "estimate_ppm",
		     decide_ppm(trial->decision.effect.estimate));
	json_end(json);
	put_slices(json, trial);
}

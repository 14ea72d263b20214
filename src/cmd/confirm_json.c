/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What confirm found, as JSON: for apply, and kept beside the journal. */

#include "cmd/bench_labels.h"
#include "cmd/confirm.h"
#include "cmd/confirm_words.h"
#include "cmd/forecast.h"
#include "json/bench_json.h"

#define DECIMALS 3

static void put_ppm(struct json_writer *json, const char *key, double log_ratio)
{
	int64_t ppm = decide_ppm(log_ratio);

	if (ppm != INT64_MIN)
		json_put_int(json, key, ppm);
}

static void put_range(struct json_writer *json, const char *key,
		      const struct decide_range *range)
{
	if (decide_ppm(range->estimate) == INT64_MIN)
		return;
	json_row(json);
	json_begin_object(json, key);
	put_ppm(json, "estimate", range->estimate);
	put_ppm(json, "lower", range->lower);
	put_ppm(json, "upper", range->upper);
	json_end(json);
}

static void put_decision(struct json_writer *json,
			 const struct decide_result *decision)
{
	json_put_uint(json, "blocks", decision->blocks);
	json_put_uint(json, "void_blocks", decision->voided);
	json_put_real(json, "alpha", decision->alpha, 4);
	put_range(json, "effect_ppm", &decision->effect);
	put_range(json, "p99_ppm", &decision->p99);
	put_range(json, "cpu_ppm", &decision->cpu);
	put_range(json, "worst_drive_ppm", &decision->cell);
	put_ppm(json, "detectable_ppm", decision->mde);
	if (decision->blocks_needed)
		json_put_uint(json, "blocks_needed", decision->blocks_needed);
}

static void put_metrics(struct json_writer *json, const double *metrics)
{
	for (int i = 0; i < BENCH_METRICS; i++)
		if (metrics[i] > 0)
			json_put_real(json,
				      bench_metric_name((enum bench_metric)i),
				      metrics[i], DECIMALS);
}

static void put_arm(struct json_writer *json, const char *key,
		    const struct bench_trial_arm *arm, bool histogram)
{
	json_begin_object(json, key);
	if (arm->ios)
		json_put_uint(json, "ios", arm->ios);
	json_put_uint(json, "errors", arm->errors);
	if (arm->first_error)
		json_put_int(json, "first_error", arm->first_error);
	put_metrics(json, arm->metrics);
	if (histogram && arm->latency && arm->latency->count)
		bench_histogram_to_json(arm->latency, "latency_ns", json);
	json_end(json);
}

static void put_cell(struct json_writer *json,
		     const struct bench_trial_cell *cell)
{
	json_row(json);
	json_begin_object(json, NULL);
	bench_slice_to_json(&cell->slice, json);
	if (cell->max_ns) {
		json_put_uint(json, "mean_ns", cell->mean_ns);
		json_put_uint(json, "p50_ns", cell->p50_ns);
		json_put_uint(json, "p99_ns", cell->p99_ns);
		json_put_uint(json, "p999_ns", cell->p999_ns);
		json_put_uint(json, "max_ns", cell->max_ns);
	}
	json_end(json);
}

static void put_slice(struct json_writer *json, const struct bench_trial *trial,
		      const struct bench_trial_slice *slice)
{
	json_begin_object(json, NULL);
	if (slice->block == BENCH_TRIAL_PILOT)
		json_put_bool(json, "pilot", true);
	else
		json_put_uint(json, "block", slice->block);
	json_put_text(json, "arm",
		      slice->which == BENCH_BEFORE ? "before" : "after");
	json_put_text(json, "disturbed", slice->disturbed);
	put_metrics(json, slice->metrics);
	json_begin_array(json, "drives");
	for (size_t i = 0; i < trial->nr_cells; i++)
		put_cell(json, &slice->cells[i]);
	json_end(json);
	json_end(json);
}

static void put_blocks(struct json_writer *json,
		       const struct bench_trial *trial)
{
	json_begin_array(json, "effects");
	VEC_EACH(&trial->blocks, const struct bench_trial_block, it) {
		json_row(json);
		json_begin_object(json, NULL);
		json_put_text(json, "void", it->void_why);
		put_ppm(json, "effect_ppm", it->effects.effect);
		put_ppm(json, "p99_ppm", it->effects.p99);
		put_ppm(json, "cpu_ppm", it->effects.cpu);
		json_end(json);
	}
	json_end(json);
	json_begin_array(json, "slices");
	VEC_EACH(&trial->slices, const struct bench_trial_slice, it)
		put_slice(json, trial, it);
	json_end(json);
}

static void put_trial(struct json_writer *json, const struct bench_trial *trial,
		      bool slices)
{
	json_put_text(json, "metric", bench_metric_name(trial->metric));
	json_put_text(json, "metric_why", trial->metric_why);
	put_decision(json, &trial->decision);
	put_arm(json, "before", &trial->arms[BENCH_BEFORE], slices);
	put_arm(json, "after", &trial->arms[BENCH_AFTER], slices);
	if (slices)
		put_blocks(json, trial);
}

static const char *evidence_name(enum evidence evidence)
{
	static const char *const names[] = {
		[EVIDENCE_LOAD] = "load",
		[EVIDENCE_IDLE_WAKE] = "idle-wake",
		[EVIDENCE_NONE] = "none",
	};

	return names[evidence];
}

static const char *mechanism_name(enum decide_mechanism mechanism)
{
	static const char *const names[] = {
		[DECIDE_UNSEEN] = "unknown",
		[DECIDE_MOVED] = "moved",
		[DECIDE_UNSURE] = "unsure",
		[DECIDE_UNMOVED] = "unmoved",
	};

	return names[mechanism];
}

static void put_unit(const struct confirm *confirm,
		     const struct confirm_unit *unit, bool slices,
		     struct json_writer *json)
{
	struct arena *arena = confirm->ctx->arena;

	json_begin_object(json, NULL);
	json_put_text(json, "key", unit->key);
	json_put_text(json, "evidence", evidence_name(unit->evidence));
	json_begin_array(json, "drives");
	VEC_EACH(&unit->drives.names, const char *, it)
		json_put_text(json, NULL, *it);
	json_end(json);
	json_put_text(json, "verdict", confirm_verdict_text(unit, arena));
	json_put_text(json, "why", confirm_why(unit, &confirm->rule, arena));
	json_put_bool(json, "required", unit->required);
	json_put_bool(json, "kept", unit->kept);
	if (unit->mechanism_text) {
		json_put_text(json, "mechanism",
			      mechanism_name(unit->mechanism.state));
		json_put_text(json, "mechanism_why", unit->mechanism_text);
	}
	if (unit->measured)
		put_trial(json, &unit->trial, slices);
	json_end(json);
}

static void put_rule(struct json_writer *json, const struct decide_rule *rule)
{
	json_begin_object(json, "rule");
	json_put_real(json, "min_effect", rule->min_effect, 4);
	json_put_real(json, "alpha", rule->alpha, 4);
	json_begin_array(json, "looks");
	for (uint32_t look = 0; (look = decide_next(rule, look)) != 0;)
		json_put_uint(json, NULL, look);
	json_end(json);
	json_put_real(json, "p99_limit", rule->p99_limit, 2);
	json_put_real(json, "cpu_limit", rule->cpu_limit, 2);
	json_put_real(json, "drive_limit", rule->cell_limit, 2);
	json_end(json);
}

void confirm_to_json(const struct confirm *confirm, bool slices,
		     struct json_writer *json)
{
	json_put_text(json, "mode", confirm->together ? "all" : "each");
	if (confirm->trial_id)
		json_put_uint(json, "trial", confirm->trial_id);
	json_put_uint(json, "seed", confirm->seed);
	json_put_text(json, "method", confirm->method);
	bench_labels_to_json(confirm->ctx->facts, &confirm->load, json);
	put_rule(json, &confirm->rule);
	json_begin_array(json, "keys");
	VEC_EACH(&confirm->units, const struct confirm_unit, it)
		put_unit(confirm, it, slices, json);
	json_end(json);
	json_begin_array(json, "together");
	VEC_EACH(&confirm->groups, const struct confirm_unit, it)
		put_unit(confirm, it, slices, json);
	json_end(json);
	if (confirm->forecast)
		forecast_to_json(confirm, json);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/forecast.h"

#include "cmd/confirm_meter.h"
#include "cmd/confirm_units.h"

/* Enough slices for their noise, in a time that one waits. */
#define BLOCKS 4U

/* By a command everything is measured alike, and so is a set as a whole. */
static bool is_one_look(const struct confirm *confirm)
{
	return confirm->together || confirm->command.is_workload;
}

static const struct forecast_look *look_of(const struct confirm *confirm,
					   const struct confirm_unit *unit)
{
	if (confirm_can_measure(unit))
		VEC_EACH(&confirm->forecast->looks, const struct forecast_look,
			 it)
			if (it->evidence == unit->evidence ||
			    is_one_look(confirm))
				return it;
	return NULL;
}

const struct calibrated *forecast_of(const struct confirm *confirm,
				     const struct confirm_unit *unit)
{
	const struct forecast_look *look = look_of(confirm, unit);

	if (look)
		VEC_EACH(&look->metrics, const struct calibrated, it)
			if (it->metric == look->trial.metric)
				return it;
	return NULL;
}

/* All drives of the units of this evidence, as one unit. */
static struct confirm_unit all_of(const struct confirm *confirm,
				  enum evidence evidence)
{
	struct confirm_unit all = { .key = "all",
				    .live = true,
				    .evidence = evidence };

	VEC_EACH(&confirm->units, const struct confirm_unit, unit) {
		if (!confirm_can_measure(unit) || unit->evidence != evidence)
			continue;
		/* What is host-wide works on all drives. */
		if (unit->drives.names.n == 0) {
			all.drives.names.n = 0;
			return all;
		}
		VEC_EACH(&unit->drives.names, const char *, it)
			*vec_add(confirm->ctx->arena, &all.drives.names) = *it;
	}
	return all;
}

static int look(struct confirm *confirm, enum evidence evidence,
		struct forecast_look *ret, struct err *err)
{
	const struct confirm_unit all = all_of(confirm, evidence);
	struct confirm_meter meter = { .meter = NULL };
	struct bench_trial_config config = { .pilot = 0 };
	struct calibration calibration = {
		.ctx = confirm->ctx,
		.seed = confirm->seed,
		.rule = confirm->rule,
	};
	int r = confirm_meter_open(confirm, &all, &meter, &config, err);

	calibration.meter = meter.meter;
	calibration.pilot = config.pilot;
	calibration.metric = config.metric;
	calibration.heat = meter.heat;
	if (r == 0)
		r = calibration_run(&calibration, BLOCKS, err);
	if (r == 0) {
		ret->evidence = evidence;
		ret->method = confirm->method;
		ret->trial = calibration.trial;
		ret->metrics.items = calibration.metrics.items;
		ret->metrics.n = calibration.metrics.n;
	}
	confirm_meter_close(&meter);
	return r;
}

static bool has_evidence(const struct confirm *confirm, enum evidence evidence)
{
	VEC_EACH(&confirm->units, const struct confirm_unit, unit)
		if (confirm_can_measure(unit) && unit->evidence == evidence)
			return true;
	return false;
}

static void find_time(const struct confirm *confirm, struct forecast *forecast)
{
	const struct budget_work work = confirm_work(confirm);
	struct decide_rule first = confirm->rule;

	for (size_t i = 1; i < DECIDE_LOOKS; i++)
		first.looks[i] = 0;
	forecast->least_ms = budget_time_ms(&first, &work);
	forecast->most_ms = budget_time_ms(&confirm->rule, &work);
}

int forecast_run(struct confirm *confirm, struct forecast *ret, struct err *err)
{
	static const enum evidence ways[] = { EVIDENCE_LOAD,
					      EVIDENCE_IDLE_WAKE };

	*ret = (struct forecast){ .least_ms = 0 };
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		int r;

		if (!has_evidence(confirm, ways[i]))
			continue;
		r = look(confirm, ways[i],
			 vec_add(confirm->ctx->arena, &ret->looks), err);
		if (r < 0)
			return r;
		if (is_one_look(confirm))
			break;
	}
	find_time(confirm, ret);
	return 0;
}

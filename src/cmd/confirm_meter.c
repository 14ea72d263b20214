/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm_meter.h"

#include <errno.h>

#include "cmd/confirm_pace.h"
#include "cmd/confirm_units.h"

#define PILOT_MS 3000U
#define NS_PER_MS UINT64_C(1000000)

static bool is_paced(const struct confirm_unit *unit)
{
	return unit->evidence == EVIDENCE_IDLE_WAKE;
}

uint32_t confirm_slice_ms(const struct confirm *confirm,
			  const struct confirm_unit *unit)
{
	const struct confirm_pace pace = confirm_pace_of(confirm, unit);

	return pace.settle_ms + pace.measure_ms;
}

uint32_t confirm_pilot(const struct confirm *confirm,
		       const struct confirm_unit *unit)
{
	const uint32_t ms = confirm_pace_of(confirm, unit).measure_ms;

	if (is_paced(unit) || confirm->ctx->options.workload ||
	    confirm->shape.has_metric)
		return 0;
	return (PILOT_MS + ms - 1) / ms;
}

/* The drives of the unit alone. */
static struct load load_of(const struct confirm *confirm,
			   const struct confirm_unit *unit)
{
	struct load load = { .places = { 0 } };

	VEC_EACH(&confirm->load.places, const struct bench_place, it)
		*vec_add(confirm->ctx->arena, &load.places) = *it;
	VEC_EACH(&confirm->load.drives, const struct load_drive, it)
		if (confirm_unit_has(confirm, unit, it))
			*vec_add(confirm->ctx->arena, &load.drives) = *it;
	return load;
}

static int open_reads(struct confirm *confirm, const struct confirm_unit *unit,
		      struct confirm_meter *ret, struct err *err)
{
	const struct load load = load_of(confirm, unit);
	const struct confirm_pace pace = confirm_pace_of(confirm, unit);
	const struct bench_shape shape = {
		.block_bytes = confirm->shape.block_bytes,
		.depth = is_paced(unit) ? 1 : 0,
		.gap_ns = pace.gap_ms * NS_PER_MS,
	};
	struct options options = confirm->ctx->options;
	const struct meter_request request = {
		.options = &options,
		.load = &load,
		.shape = &shape,
		.root = confirm->ctx->root,
		.seed = confirm->seed,
		.settle_ms = pace.settle_ms,
		.measure_ms = pace.measure_ms,
	};
	int r;

	if (load.drives.n == 0)
		return err_set(err, -ENODEV,
			       "%s: none of its drives can be read here",
			       unit->key);
	heat_init(&ret->heat, confirm->ctx->arena, confirm->ctx->root, &load);
	if (is_paced(unit))
		options.jobs = 1;
	ret->arena = arena_new();
	r = meter_open(ret->arena, &request, &ret->reads, err);
	ret->pace = confirm_pace_text(ret->arena, &pace);
	return r;
}

int confirm_meter_open(struct confirm *confirm, const struct confirm_unit *unit,
		       struct confirm_meter *ret,
		       struct bench_trial_config *config, struct err *err)
{
	int r = 0;

	ret->meter = &confirm->command;
	ret->reads = (struct meter){ 0 };
	ret->heat = (struct heat){ 0 };
	ret->arena = NULL;
	ret->pace = "";
	if (confirm->command.is_workload) {
		config->measure = NULL;
	} else {
		ret->meter = &ret->reads;
		r = open_reads(confirm, unit, ret, err);
		config->figure = NULL;
	}
	if (r < 0)
		return r;
	config->pilot = confirm_pilot(confirm, unit);
	config->metric = confirm->shape.has_metric && !is_paced(unit) ?
				 confirm->shape.metric :
				 BENCH_METRIC_MEAN;
	meter_configure(ret->meter, config);
	confirm->method = arena_printf(confirm->ctx->arena, "%s%s",
				       meter_text(ret->meter), ret->pace);
	return 0;
}

void confirm_meter_close(struct confirm_meter *meter)
{
	meter_close(&meter->reads);
	arena_free(meter->arena);
	meter->arena = NULL;
}

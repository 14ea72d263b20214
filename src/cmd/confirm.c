/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm.h"

#include <sys/random.h>

#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/confirm_meter.h"
#include "cmd/confirm_units.h"
#include "cmd/forecast.h"

/* Those of a kind are measured together in the end, where there are several. */
static uint32_t count_gates(const struct confirm *confirm)
{
	uint32_t load = 0, wake = 0;

	if (confirm->together)
		return 0;
	VEC_EACH(&confirm->units, const struct confirm_unit, unit) {
		load += confirm_can_measure(unit) &&
			unit->evidence == EVIDENCE_LOAD;
		wake += confirm_can_measure(unit) &&
			unit->evidence == EVIDENCE_IDLE_WAKE;
	}
	return (load > 1) + (wake > 1);
}

struct budget_work confirm_work(const struct confirm *confirm)
{
	struct budget_work work = { .slice_ms = confirm->command.slice_ms,
				    .gates = count_gates(confirm) };

	VEC_EACH(&confirm->units, const struct confirm_unit, unit) {
		uint32_t slice_ms = confirm_slice_ms(confirm, unit);

		if (!confirm_can_measure(unit))
			continue;
		work.comparisons++;
		if (confirm->command.is_workload)
			continue;
		if (slice_ms > work.slice_ms)
			work.slice_ms = slice_ms;
		if (confirm_pilot(confirm, unit) > work.pilot)
			work.pilot = confirm_pilot(confirm, unit);
	}
	if (confirm->together && work.comparisons)
		work.comparisons = 1;
	return work;
}

static int fit_budget(struct confirm *confirm, struct err *err)
{
	const struct context *ctx = confirm->ctx;
	const struct budget_work work = confirm_work(confirm);
	struct confirm_terms terms;

	confirm->slice_ms = work.slice_ms;
	if (confirm_terms_read(&command_apply, &ctx->options, &terms, err))
		return err->code;
	return confirm_terms_fit(ctx->arena, &terms, &work, &confirm->rule,
				 err);
}

/* The command of --workload runs once before anything is changed: whether it
 * works, and by what it is measured. */
static int open_command(struct confirm *confirm, struct err *err)
{
	const struct meter_request request = {
		.options = &confirm->ctx->options,
		.load = &confirm->load,
		.seed = confirm->seed,
	};

	return meter_open(confirm->ctx->arena, &request, &confirm->command,
			  err);
}

static int open_drives(struct confirm *confirm, struct err *err)
{
	const struct context *ctx = confirm->ctx;
	const struct drives drives = confirm_drives(confirm);
	const struct load_request request = {
		.facts = ctx->facts,
		.drives = &drives,
		.in_use = ctx->options.in_use,
		.node = BINDING_NO_NODE,
		.block_bytes = confirm->shape.block_bytes,
	};

	return load_open(ctx->arena, &request, &confirm->load, err);
}

static int open_load(struct confirm *confirm, struct err *err)
{
	int r;

	if (confirm_is_idle(confirm))
		return 0;
	if (confirm->ctx->options.workload)
		return open_command(confirm, err);
	r = open_drives(confirm, err);
	confirm_spare_users(confirm);
	return r;
}

/* One that is wrong by now is as good as none. */
static void find_previous(struct context *ctx, struct confirm *confirm)
{
	struct err ignored = { 0 };

	confirm->previous = context_previous(ctx);
	if (confirm->previous &&
	    context_plan_for(ctx, confirm->previous, &confirm->previous_plan,
			     &ignored) < 0)
		confirm->previous = NULL;
}

int confirm_open(struct context *ctx, struct confirm *ret, struct err *err)
{
	uint32_t seed = 1;
	int r;

	*ret = (struct confirm){ .ctx = ctx, .profile = ctx->profile };
	if (confirm_shape_read(&command_apply, &ctx->options, &ret->shape, err))
		return err->code;
	ret->together = text_equal(ctx->options.confirm, "all");
	/* Any number will do, and it is recorded. */
	(void)getrandom(&seed, sizeof(seed), GRND_NONBLOCK);
	ret->seed = ctx->options.seed_given ? ctx->options.seed : seed;
	find_previous(ctx, ret);
	confirm_find_units(ret);
	r = open_load(ret, err);
	VEC_EACH(&ret->units, struct confirm_unit, unit)
		unit->kept = !confirm_can_measure(unit);
	return r < 0 || confirm_is_idle(ret) ? r : fit_budget(ret, err);
}

void confirm_close(struct confirm *confirm)
{
	meter_close(&confirm->command);
	load_close(&confirm->load);
}

bool confirm_is_idle(const struct confirm *confirm)
{
	VEC_EACH(&confirm->units, const struct confirm_unit, unit)
		if (confirm_can_measure(unit))
			return false;
	return true;
}

bool confirm_has_rejected(const struct confirm *confirm)
{
	VEC_EACH(&confirm->units, const struct confirm_unit, unit)
		if (!unit->kept)
			return true;
	return false;
}

static bool is_kept(const struct confirm_unit *unit, const void *data)
{
	(void)data;
	return unit->kept;
}

const struct profile *confirm_rest(const struct confirm *confirm)
{
	return confirm_has_rejected(confirm) ?
		       confirm_profile_with(confirm, false, is_kept, NULL) :
		       confirm->profile;
}

int confirm_look(struct confirm *confirm, struct err *err)
{
	struct forecast *forecast =
		ARENA_NEW(confirm->ctx->arena, struct forecast);
	int r = forecast_run(confirm, forecast, err);

	confirm->forecast = r == 0 ? forecast : NULL;
	return r;
}

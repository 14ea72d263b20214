/* SPDX-License-Identifier: GPL-2.0-or-later */

/* apply --dry-run --confirm: what the host does as it is, and how much that
 * varies. */

#include <math.h>

#include "cmd/confirm_meter.h"
#include "cmd/confirm_units.h"

#define LOOK_BLOCKS 3U

static int measure(void *data, struct bench_slice *cells, struct err *err)
{
	struct confirm_meter *meter = data;

	return meter_measure(meter->meter, cells, err);
}

static int figure(void *data, double *ret, struct err *err)
{
	struct confirm_meter *meter = data;

	return meter_figure(meter->meter, ret, err);
}

/* All that can be measured, as one; under load where any of it is. */
static struct confirm_unit everything(const struct confirm *confirm)
{
	struct confirm_unit all = { .key = "all",
				    .live = true,
				    .evidence = EVIDENCE_IDLE_WAKE };

	VEC_EACH(&confirm->units, const struct confirm_unit, unit)
		if (confirm_can_measure(unit) && unit->evidence < all.evidence)
			all.evidence = unit->evidence;
	return all;
}

int confirm_look(struct confirm *confirm, struct err *err)
{
	const struct confirm_unit all = everything(confirm);
	struct decide_rule rule = confirm->rule;
	struct confirm_meter meter;
	struct bench_trial_config config = {
		.seed = confirm->seed,
		.rule = &rule,
		.measure = measure,
		.figure = figure,
		.data = &meter,
	};
	int r = confirm_meter_open(confirm, &all, &meter, &config, err);

	rule.looks[0] = LOOK_BLOCKS;
	for (size_t i = 1; i < DECIDE_LOOKS; i++)
		rule.looks[i] = 0;
	progress_init(&confirm->progress);
	if (r == 0)
		r = bench_trial_run(confirm->ctx->arena, &config,
				    &confirm->look, err);
	progress_done(&confirm->progress);
	confirm_meter_close(&meter);
	confirm->looked = r == 0;
	return r;
}

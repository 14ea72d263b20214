/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/confirm.h"
#include "cmd/heat.h"

/* The load that shows a unit's effect: reads of its drives, paced ones for
 * what only shows when they wake, or the command of --workload. */
struct confirm_meter {
	struct meter *meter;
	struct meter reads;  /* where it is no command */
	struct heat heat;    /* of the drives that are read */
	const char *pace;    /* of the reads, in words behind the method */
	struct arena *arena; /* latencies of all slices: let go of at the end */
};

/*
 * Also settles what of config follows from it: whether measure or figure is
 * called, cells, pilot and metric.  confirm_meter_close() is to be called also
 * on failure.
 */
int confirm_meter_open(struct confirm *confirm, const struct confirm_unit *unit,
		       struct confirm_meter *ret,
		       struct bench_trial_config *config, struct err *err);
void confirm_meter_close(struct confirm_meter *meter);

/* What a slice of reads takes, settling included. */
uint32_t confirm_slice_ms(const struct confirm *confirm,
			  const struct confirm_unit *unit);

/* Slices before the first block. */
uint32_t confirm_pilot(const struct confirm *confirm,
		       const struct confirm_unit *unit);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

/*
 * How long a drive has to be left alone until it is in its deepest idle state,
 * in ms: as its table of transitions has it now, from its first state on.
 * 0: it has none, and stays awake.  Unknown: the table is, or the transitions
 * are off, which tells nothing of when they are on.
 */
struct num idle_time_ms(const struct ctrl *ctrl);

/* Reads that are to find a drive asleep: so far apart. */
struct idle_gap {
	uint32_t ms;
	bool unknown; /* of this drive; ms is a guess then */
	bool cut;     /* what it enters later is not reached */
};

/* From the shortest that makes sense to the longest that anybody waits for. */
#define IDLE_GAP_LEAST_MS 150U
#define IDLE_GAP_MOST_MS 3000U

struct idle_gap idle_gap_of(const struct ctrl *ctrl);

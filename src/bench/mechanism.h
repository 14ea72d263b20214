/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/trial.h"
#include "core/knob.h"

/*
 * Whether the interrupts of the drives did what a change makes them do, told
 * from the blocks of a trial that count.  Pure.
 */

/* They must move by so much, or it is what another rate brings with it. */
#define MECHANISM_LEAST 0.01

struct mechanism {
	enum decide_mechanism state;
	/* The cell that says so; with several, one that has not moved. */
	size_t cell;
	enum interrupt_change change; /* what it was to do; ANY: no cell */
	/* Of it, on average: interrupts for each I/O, or the share of them
	 * that the CPUs took.  NAN: not known. */
	double arms[BENCH_ARMS];
};

/*
 * shifts are what is expected of each cell.  A cell of which too few blocks
 * are known, or whose interrupts were where they belong already, tells
 * nothing: DECIDE_UNSEEN.  alpha is that of the look.
 */
struct mechanism mechanism_look(struct arena *arena,
				const struct bench_trial *trial,
				const struct interrupt_shift *shifts,
				double alpha);

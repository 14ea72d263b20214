/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bench/decide.h"

/*
 * What a measurement could show, from slices of a host that nobody touched:
 * its noise, the smallest effect that each look would see, and how long that
 * takes.  Pure.
 */

/* Fewer slices say nothing about noise. */
#define PREDICT_SLICES 8

struct predict_noise {
	size_t slices;
	double slice; /* of one slice: standard deviation of its logarithm */
	double lag1;  /* how alike neighbours are, -1..1; NAN: no noise */
	/*
	 * Of the effect of a block of four neighbours, ABBA, which should be
	 * none: what drifts slowly cancels in it, so that it may be less
	 * than a slice's noise.
	 */
	double block;
};

/*
 * values are the metric of n slices in the order in which they were
 * measured, all under the same conditions.  -ERANGE: fewer than
 * PREDICT_SLICES, or one is not above 0.
 */
int predict_noise(const double *values, size_t n, struct predict_noise *ret);

struct predict_row {
	uint32_t blocks;
	double mde; /* smallest effect seen with the rule's power, logarithm */
	uint64_t time_ms;
};

struct predict {
	struct predict_row rows[DECIDE_LOOKS];
	size_t n;
	/* Blocks that show the rule's least gain, with their time; 0 both:
	 * more than DECIDE_MOST_BLOCKS. */
	uint32_t blocks_needed;
	uint64_t needed_ms;
};

/* slice_ms is what one slice takes with its settling. */
void predict(const struct decide_rule *rule, const struct predict_noise *noise,
	     uint32_t slice_ms, struct predict *ret);

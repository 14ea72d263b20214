/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bench/decide.h"

/*
 * How noisy a host is while nothing is changed, and so how small an effect
 * could be seen on it: pure.
 */

/* Of slices of one metric, in the order of time; all ratios. */
struct noise {
	size_t slices; /* that were known and above 0 */
	double mean;   /* NAN: of none */
	double cv;     /* standard deviation for mean; NAN below 2 */
	/*
	 * How much a slice is like the one before it, -1..1: near 1 the host
	 * drifts, and blocks in turns are what helps.  NAN below 3.
	 */
	double lag1;
	size_t blocks; /* whose four slices were all known */
	/* Of the effect that a block shows where there is none, a logarithm:
	 * what detectable effects follow from.  NAN below 2. */
	double block_sd;
};

/*
 * Of blocks times four values, NAN for unknown; arms[] has 0 and 1 as
 * order_blocks() gave them.
 */
void noise_find(struct arena *arena, const double *values, const int *arms,
		size_t blocks, struct noise *ret);

/* The smallest effect, a logarithm, that so many blocks show at the alpha
 * and with the power of rule; NAN: unknown. */
double noise_detectable(const struct noise *noise,
			const struct decide_rule *rule, uint32_t blocks);

/* The first look of rule that would show its least gain; 0: none would. */
uint32_t noise_needed(const struct noise *noise,
		      const struct decide_rule *rule);

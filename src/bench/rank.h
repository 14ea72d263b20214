/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

/*
 * Wilcoxon's signed-rank statistics of a small sample: what the middle of it
 * is, and between which values it lies for sure.  Pure, exact and free of
 * assumptions about the shape of the noise but that it is symmetric: one
 * burst spoils a mean, and hardly moves this.
 *
 * A Walsh average is the mean of two of the values, or of one with itself;
 * of n values there are n (n + 1) / 2, here called N.
 */

struct arena;

struct rank_interval {
	double estimate; /* Hodges-Lehmann: the median of the Walsh averages */
	double lower;	 /* the c-th least and the c-th greatest of them; */
	double upper;	 /* NAN both when c is 0 */
};

/* N, for n values. */
size_t rank_pairs(size_t n);

/*
 * The c of a two-sided interval that misses the middle of the distribution
 * in at most alpha of all samples of n, from the exact distribution of the
 * sum of ranks.  0: n is too small for any, as 2 of 2^n outcomes are more
 * than alpha.  alpha is within 0..1, n within 0..1000.
 */
size_t rank_index(struct arena *arena, size_t n, double alpha);

/*
 * Estimate and interval of n finite values; c as rank_index() gave it for
 * the same n, or 0: the estimate alone.  Of no values all are NAN.
 */
struct rank_interval rank_interval(struct arena *arena, const double *values,
				   size_t n, size_t c);

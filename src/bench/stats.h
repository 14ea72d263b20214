/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/bench_result.h"

/* Pure: numbers in, numbers out. */

struct arena;

/* Of an even count the mean of the two in the middle; 0 of nothing. */
uint64_t stats_median(struct arena *arena, const uint64_t *values, size_t n);

/*
 * Where the median of all such slices lies: between the narrowest pair of
 * values that holds it with 950 for 1000, or between the least and the most,
 * where n is too small for that (below 6).  Of the values alone, whatever
 * their distribution.  Returns the confidence in parts per thousand; 0 of
 * nothing.
 */
int64_t stats_median_range(struct arena *arena, const uint64_t *values,
			   size_t n, uint64_t *ret_low, uint64_t *ret_high);

/* part for 1000 of whole, rounded; -1 when whole is 0. */
int64_t stats_ppt(uint64_t part, uint64_t whole);

/* method says how many I/Os were to be in flight. */
struct bench_summary stats_summary(struct arena *arena,
				   const struct bench_slice *slices, size_t n,
				   const struct bench_method *method);

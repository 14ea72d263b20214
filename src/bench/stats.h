/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/bench_result.h"

/* Pure: numbers in, numbers out. */

struct arena;

/* Of an even count the mean of the two in the middle; 0 of nothing. */
uint64_t stats_median(struct arena *arena, const uint64_t *values, size_t n);

/* part for 1000 of whole, rounded; -1 when whole is 0. */
int64_t stats_ppt(uint64_t part, uint64_t whole);

/* method says how many I/Os were to be in flight. */
struct bench_summary stats_summary(struct arena *arena,
				   const struct bench_slice *slices, size_t n,
				   const struct bench_method *method);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>

/*
 * Latencies in log-linear buckets: 64 to an octave, so a reported value is
 * at most 1.6 % above the true one.  0 ns .. 2^40 ns (18 minutes); larger
 * values count in the last bucket.  Mergeable by addition.  Plain counters:
 * one writer a histogram.
 */

#define HISTOGRAM_SUB_BITS 6U
#define HISTOGRAM_TOP_BITS 40U
#define HISTOGRAM_BUCKETS \
	((HISTOGRAM_TOP_BITS - HISTOGRAM_SUB_BITS + 1U) << HISTOGRAM_SUB_BITS)

struct histogram {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t min_ns; /* meaningful when count > 0 */
	uint64_t max_ns;
	uint64_t buckets[HISTOGRAM_BUCKETS];
};

static inline uint32_t histogram_bucket(uint64_t ns)
{
	uint32_t shift;

	if (ns < (1U << HISTOGRAM_SUB_BITS))
		return (uint32_t)ns;
	if (ns >> HISTOGRAM_TOP_BITS)
		return HISTOGRAM_BUCKETS - 1;
	shift = 63U - HISTOGRAM_SUB_BITS - (uint32_t)__builtin_clzll(ns);
	/* The shifted value's top bit adds the one octave that is missing. */
	return (shift << HISTOGRAM_SUB_BITS) + (uint32_t)(ns >> shift);
}

/* The hot path of the load engine: no branch but for min and max. */
static inline void histogram_add(struct histogram *h, uint64_t ns)
{
	h->buckets[histogram_bucket(ns)]++;
	h->sum_ns += ns;
	if (h->count++ == 0 || ns < h->min_ns)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
}

/* The largest value, in nanoseconds, that counts in a bucket. */
uint64_t histogram_bucket_top(uint32_t bucket);

void histogram_merge(struct histogram *into, const struct histogram *from);

/*
 * The upper edge of the bucket that holds the given quantile, in parts per
 * million (990000 is p99), never above the largest value seen; 0 when empty.
 */
uint64_t histogram_quantile(const struct histogram *h, uint32_t ppm);
uint64_t histogram_mean(const struct histogram *h); /* 0 when empty */

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/histogram.h"

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	if (from->count == 0)
		return;
	if (into->count == 0 || from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	into->count += from->count;
	into->sum_ns += from->sum_ns;
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
}

uint64_t histogram_bucket_top(uint32_t bucket)
{
	uint32_t octave = bucket >> HISTOGRAM_SUB_BITS;
	uint64_t sub = bucket & ((1U << HISTOGRAM_SUB_BITS) - 1U);

	if (octave == 0)
		return bucket;
	return (((1ULL << HISTOGRAM_SUB_BITS) + sub + 1) << (octave - 1)) - 1;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t histogram_quantile(const struct histogram *h, uint32_t ppm)
{
	uint64_t rank, seen = 0;

	if (h->count == 0)
		return 0;
	rank = h->count / 1000000 * ppm +
	       (h->count % 1000000 * ppm + 999999) / 1000000;
	if (rank == 0)
		rank = 1;
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += h->buckets[i];
		if (seen >= rank && i < HISTOGRAM_BUCKETS - 1)
			return min_u64(histogram_bucket_top(i), h->max_ns);
	}
	return h->max_ns;
}

uint64_t histogram_mean(const struct histogram *h)
{
	return h->count ? h->sum_ns / h->count : 0;
}

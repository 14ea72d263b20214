/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/limit.h"

#define NS_PER_S UINT64_C(1000000000)

uint64_t bench_limit_gap_ns(const struct bench_limit *limit,
			    const struct bench_shape *shape, uint32_t jobs)
{
	uint64_t gap_ns = shape->gap_ns, rate;

	if (!limit)
		return gap_ns;
	rate = limit->most_bytes / shape->block_bytes;
	if (rate > limit->most_iops)
		rate = limit->most_iops;
	if (rate == 0)
		rate = 1;
	return jobs * NS_PER_S / rate > gap_ns ? jobs * NS_PER_S / rate :
						 gap_ns;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <errno.h>
#include <stdint.h>
#include <time.h>

#include "bench/random.h"
#include "bench/ring.h"

/*
 * What both engines do for each I/O: where to read next, when it started,
 * how long it took.  Inline, as every instruction here is paid per I/O.
 */

struct bench_lane {
	struct random random;
	uint64_t nr_blocks;
	uint64_t next_block; /* sequential */
	uint32_t block_bytes;
	uint32_t depth;
	uint32_t in_flight; /* submitted or ready to be */
	uint32_t wait;	    /* for so many completions a turn */
	bool plain;	    /* random reads in a closed loop */
	uint64_t *start_ns; /* per slot */
	char *buffers;	    /* depth blocks, page aligned */
	size_t map_bytes;   /* of buffers and start_ns together */
};

int bench_lane_init(struct bench_lane *lane,
		    const struct bench_ring_config *config);
void bench_lane_done(struct bench_lane *lane);

static inline uint64_t bench_now_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

static inline void *bench_lane_buffer(const struct bench_lane *lane,
				      uint32_t slot)
{
	return lane->buffers + (size_t)slot * lane->block_bytes;
}

static inline uint64_t bench_lane_offset(struct bench_lane *lane)
{
	return random_below(&lane->random, lane->nr_blocks) * lane->block_bytes;
}

static inline uint64_t bench_lane_next(struct bench_lane *lane)
{
	uint64_t block = lane->next_block++;

	if (lane->next_block == lane->nr_blocks)
		lane->next_block = 0;
	return block * lane->block_bytes;
}

static inline uint64_t bench_lane_any(struct bench_lane *lane)
{
	return lane->plain ? bench_lane_offset(lane) : bench_lane_next(lane);
}

static inline void bench_lane_count(const struct bench_lane *lane,
				    struct bench_counters *counters,
				    uint32_t slot, int64_t result,
				    uint64_t now_ns)
{
	if (__builtin_expect(result == (int64_t)lane->block_bytes, 1)) {
		histogram_add(&counters->latency,
			      now_ns - lane->start_ns[slot]);
		return;
	}
	if (counters->errors++ == 0)
		counters->first_error = result < 0 ? (int)-result : EIO;
}

/*
 * The stamp for a batch that is about to be submitted.  Counting a few
 * completions takes less time than a look at the clock: then the moment at
 * which they were seen will do.
 */
static inline uint64_t bench_submit_stamp(uint64_t seen_ns, uint32_t batch)
{
	return batch > 2 ? bench_now_ns() : seen_ns;
}

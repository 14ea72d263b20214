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
 *
 * A plain lane is random reads in a closed loop, for which the engines have a
 * turn of their own that asks nothing else.
 */

struct bench_lane {
	struct random random;
	uint64_t nr_blocks;
	uint64_t next_block; /* sequential */
	uint32_t block_bytes;
	uint32_t depth;
	uint32_t in_flight; /* submitted or ready to be */
	uint32_t wait;	    /* for so many completions a turn */
	uint32_t write_ppt;
	bool plain;
	bool sequential;
	uint64_t *start_ns; /* per slot */
	bool *writes;	    /* per slot: the I/O in it is one */
	char *buffers;	    /* depth blocks, page aligned */
	size_t map_bytes;   /* of buffers and what is per slot together */

	/* A closed loop, see bench_lane_account(). */
	uint64_t held_ns;
	uint64_t held_at_ns;

	/* An open loop: when the next I/O should start. */
	uint64_t gap_ns; /* 0: a closed loop */
	bool poisson;
	uint64_t due_ns;
	uint32_t *idle; /* slots without an I/O */
	uint32_t nr_idle;
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

/* Of any shape: the offset, and whether the slot's I/O is a write. */
static inline uint64_t bench_lane_next(struct bench_lane *lane, uint32_t slot)
{
	uint64_t block;

	if (lane->write_ppt)
		lane->writes[slot] = random_below(&lane->random, 1000) <
				     lane->write_ppt;
	if (!lane->sequential)
		return bench_lane_offset(lane);
	block = lane->next_block++;
	if (lane->next_block == lane->nr_blocks)
		lane->next_block = 0;
	return block * lane->block_bytes;
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

/* Of any shape: what was written counts apart, too. */
static inline void bench_lane_count_any(const struct bench_lane *lane,
					struct bench_counters *counters,
					uint32_t slot, int64_t result,
					uint64_t now_ns)
{
	bench_lane_count(lane, counters, slot, result, now_ns);
	if (lane->writes[slot] && result == (int64_t)lane->block_bytes)
		histogram_add(&counters->writes, now_ns - lane->start_ns[slot]);
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

/*
 * I/Os in flight, summed over time, turn by turn: all slots until completions
 * were seen, the others until these were made ready again.  Latencies have no
 * part in it, so that Little's law can be held against it.
 */
static inline void bench_lane_account(struct bench_lane *lane, uint32_t n,
				      uint64_t seen_ns, uint64_t stamp_ns)
{
	lane->held_ns += lane->depth * (stamp_ns - lane->held_at_ns) -
			 n * (stamp_ns - seen_ns);
	lane->held_at_ns = stamp_ns;
}

/* Open loop: begin with all slots idle, somewhere within the first gap. */
void bench_lane_pace(struct bench_lane *lane, uint64_t now_ns);

/* A slot for an I/O that is due, or false: none is, or no slot is idle. */
bool bench_lane_due(struct bench_lane *lane, struct bench_counters *counters,
		    uint64_t now_ns, uint32_t *ret_slot);

/*
 * How long a thread may sleep until the next I/O is due: at most a tenth of a
 * second, so that it follows its gate, and shorter than is left, as it wakes
 * up late.  0: look again at once.
 */
uint64_t bench_lane_rest_ns(const struct bench_lane *lane, uint64_t now_ns);

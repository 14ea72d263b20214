/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/histogram.h"

/*
 * One worker's I/O engine: reads of one shape on one open device, of which a
 * fixed number is always in flight.
 *
 * Each I/O is timed from the moment before its submission to the moment after
 * its completion was seen; in an open loop from when it should have started,
 * or what waits behind a slow one would not be seen to wait.
 *
 * A ring belongs to the thread that opened it: every call must come from
 * that thread, after it was bound to its node, so that rings and buffers
 * lie there.
 */

/*
 * The best set of flags that the kernel takes as a whole; taking flags away
 * one by one would end far below what the kernel can do.
 */
enum bench_rung {
	BENCH_RUNG_DEFER,  /* single issuer, deferred + cooperative task work */
	BENCH_RUNG_SINGLE, /* single issuer, cooperative task work */
	BENCH_RUNG_COOP,   /* cooperative task work */
	BENCH_RUNG_PLAIN,  /* io_uring without flags */
	BENCH_RUNG_AIO,	   /* Linux AIO */
};

#define BENCH_DEPTH_MAX 1024U
#define BENCH_BLOCK_MAX (16U << 20)

/* What a worker does: the same for all workers of a group. */
struct bench_shape {
	uint32_t block_bytes; /* of each I/O; 0: as the drive says */
	uint32_t depth;	      /* of each job; 0: as the session says */
	/*
	 * Natural batching (0): wait for one completion, take all there are,
	 * submit as many again.  Else wait for so many, which costs latency
	 * and saves system calls.
	 */
	uint32_t batch;
	uint32_t write_ppt; /* writes for 1000 I/Os, into a file of ours */
	bool sequential;    /* each job from a place of its own onwards */
	uint64_t gap_ns;    /* between two intended starts of one job; 0: a
			       closed loop */
	bool poisson;	    /* gaps are exponential with that mean */
	bool poll;	    /* completions are polled for, not interrupts */
};

struct bench_ring_config {
	int fd;			  /* stays the caller's */
	uint64_t size_bytes;	  /* of the device: at least one block */
	struct bench_shape shape; /* no member is a default any more */
	uint64_t seed;
	uint64_t stream;       /* tells workers with one seed apart */
	enum bench_rung first; /* the rung to begin with */
	bool nop; /* requests that do nothing: there is no fd; not by AIO */
};

struct bench_ring_info {
	enum bench_rung rung;
	bool restricted; /* the kernel refuses all but reads on this ring */
	bool fixed_buffers;
	bool fixed_files;
	bool polled;
	struct err fallback; /* why io_uring is not used; code 0: it is */
};

struct bench_counters {
	uint64_t errors; /* completions that were no whole block */
	int first_error; /* positive errno */
	uint64_t late;	 /* open loop: began over 100 us after it should have */
	struct histogram latency; /* of the others */
	struct histogram writes;  /* of these, of those that were writes */
};

struct bench_ring;

int bench_ring_open(struct bench_ring **ret,
		    const struct bench_ring_config *config, struct err *err);

/* With reads in flight, as they are after a drain that failed, io_uring lets
 * go of them; AIO waits for them in the kernel. */
void bench_ring_close(struct bench_ring *ring);

const struct bench_ring_info *bench_ring_info(const struct bench_ring *ring);

/* The io_uring file, for those who want to try it, or -1. */
int bench_ring_fd(const struct bench_ring *ring);

/*
 * Fill an idle ring: depth I/Os are ready to go at the first turn; of an open
 * loop the first falls due somewhere within a gap.
 */
void bench_ring_fill(struct bench_ring *ring);

/* Open loop: what should have started already is forgotten, so that a new
 * stretch of time does not inherit a backlog. */
void bench_ring_catch_up(struct bench_ring *ring);

/*
 * I/Os in flight summed over time until now, in I/O nanoseconds, counted
 * turn by turn without their latencies, of a ring that runs; less what those
 * still in flight have waited: so between two calls it grows by what the
 * latencies of those that completed must add up to.  0 for an open loop.
 */
uint64_t bench_ring_held_ns(const struct bench_ring *ring, uint64_t now_ns);

/*
 * One turn: submit what is ready, wait for a completion, count all there
 * are and make as many ready again.  In an open loop: submit what is due,
 * count what is there, and sleep at most a tenth of a second.  Also returns,
 * with 0, when a signal came first.  A failed I/O is counted, not returned: a
 * negative errno means that the engine itself cannot go on.
 */
int bench_ring_turn(struct bench_ring *ring, struct bench_counters *counters);

/*
 * Read n random blocks of an idle ring, uncounted, and say how many held only
 * zeros: a drive knows those that were never written and does not ask its
 * flash. Failed reads are not among them.  Not for a shape that writes.
 */
int bench_ring_sample(struct bench_ring *ring, uint32_t n, uint32_t *ret_zero);

/* Let everything in flight complete, uncounted. */
int bench_ring_drain(struct bench_ring *ring);

const char *bench_rung_text(enum bench_rung rung);

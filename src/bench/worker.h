/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "bench/ring.h"

/*
 * A thread that lives as long as its session: bound to a CPU and its node's
 * memory before it allocates anything, with a ring of its own.  It counts
 * each epoch apart, in one of two places by turns, so that the session reads
 * one while the worker fills the other.
 */

struct bench_gate;
struct bench_worker;
struct binding;

/* What a worker did in one epoch. */
struct bench_epoch {
	uint32_t number;
	uint64_t begin_ns; /* CLOCK_MONOTONIC */
	uint64_t end_ns;
	uint64_t cpu_ns;
	uint64_t user_ns;  /* of these, outside the kernel */
	uint64_t switches; /* voluntary: it waited */
	uint64_t involuntary_switches;
	uint64_t held_ns; /* as bench_ring_held_ns() */
	struct bench_counters counters;
};

/* binding is borrowed until the worker is ready.  Before its first I/O it
 * reads sample blocks to see how many hold only zeros. */
int bench_worker_start(struct bench_worker **ret, const struct binding *binding,
		       struct bench_gate *gate,
		       const struct bench_ring_config *config, uint32_t sample,
		       struct err *err);

/*
 * 0 when the worker is ready to run, 1 when it is not yet; a negative errno
 * with the reason when it failed, then or at any time later.
 */
int bench_worker_state(struct bench_worker *worker, struct err *err);

/* Once it is ready. */
const struct bench_ring_info *
bench_worker_ring(const struct bench_worker *worker);
/* Of its sample, once it has left its first epoch. */
uint32_t bench_worker_zero_blocks(const struct bench_worker *worker);
/* NULL, or why only its CPU is bound and not its memory. */
const char *bench_worker_memory_why(const struct bench_worker *worker);

/* The worker has left every epoch before that of word. */
bool bench_worker_has_seen(const struct bench_worker *worker, uint32_t word);

/*
 * What it did in an epoch that it has left, good until the gate has moved on
 * twice more; NULL when it never entered that epoch, being stuck in a read.
 */
const struct bench_epoch *bench_worker_epoch(const struct bench_worker *worker,
					     uint32_t number);

/*
 * After the gate said BENCH_STOP; the worker is gone for the caller then.
 * false when its thread does not end before the deadline (CLOCK_MONOTONIC),
 * as it sits in the kernel behind a drive that does not answer: it is left
 * to itself and releases what it holds when it ends.
 */
bool bench_worker_join(struct bench_worker *worker, uint64_t deadline_ns);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/limit.h"
#include "bench/ring.h"
#include "core/bench_result.h"

/*
 * All workers of one measurement.  A group is one drive seen from one place:
 * a worker per CPU, up to jobs.  Groups are added once and live as long as
 * the session; what runs, and which stretch of it counts, is decided slice by
 * slice.
 *
 * Everything here is called by one thread.  Results belong to the arena.
 */

struct arena;
struct bench_session;
struct binding;
struct err;
struct facts;
struct ns;
struct sysroot;

struct bench_drive {
	const char *name;
	int fd; /* open for direct I/O; stays the caller's */
	/* It is no drive but a file of ours, open for writing too: only into
	 * such a one a shape may write. */
	bool writable;
	uint64_t size_bytes;
	/* Of each I/O, where a shape names none: max(4096, logical block). */
	uint32_t block_bytes;
	uint32_t logical_bytes; /* every I/O is a multiple; 0: not known */
	/* What is known of it, so that others on it and the CPUs of its
	 * interrupts can be seen; NULL: nothing. */
	const struct facts *facts;
	const struct ns *ns;
	const struct bench_limit *limit; /* NULL: nobody else uses it */
};

struct bench_session_config {
	uint32_t jobs;	    /* at most, for one group */
	uint32_t depth;	    /* of each job, where a shape names none */
	uint64_t seed;	    /* of the offsets */
	uint32_t idle_ms;   /* once, before the first load: what runs anyhow */
	uint32_t warm_ms;   /* once, when a group runs for the first time */
	uint32_t settle_ms; /* begins each slice and does not count */
	uint32_t measure_ms;
	uint32_t hang_ms; /* a worker silent for longer is given up */
	enum bench_rung first;
	const volatile sig_atomic_t *stop; /* set to end early; NULL: never */
	const struct sysroot *root; /* to see the host by; NULL: unseen */
};

/* 16 jobs of 32 reads; 0.5 s idle, 1 s, 0.5 s and 2 s; given up after 10 s. */
extern const struct bench_session_config bench_session_defaults;

int bench_session_new(struct bench_session **ret, struct arena *arena,
		      const struct bench_session_config *config,
		      struct err *err);

/*
 * Stops and joins all workers.  One that sits in the kernel behind a drive
 * that does not answer is left behind, and lets go of its memory when it ends.
 */
void bench_session_free(struct bench_session *session);
void bench_session_freep(struct bench_session **session);

#define _cleanup_bench_session_ __attribute__((cleanup(bench_session_freep)))

/*
 * Add a drive seen from a place, read in one shape, and start its workers,
 * idle; drive and binding are borrowed for as long as the session, shape
 * (NULL: all defaults, plain random reads) only for the call.  *ret_group is
 * the index that the calls below want.  -EPERM: the shape writes, and that is
 * no file of ours.
 */
int bench_session_add(struct bench_session *session,
		      const struct bench_drive *drive,
		      const struct binding *binding,
		      const struct bench_shape *shape, size_t *ret_group,
		      struct err *err);

struct bench_method bench_session_method(const struct bench_session *session,
					 size_t group);

/* Let groups run, uncounted, until they are paused.  Those that never ran
 * before are given time to warm up: drive, caches, clocks of CPUs. */
int bench_session_run(struct bench_session *session, const size_t *groups,
		      size_t n, struct err *err);
int bench_session_pause(struct bench_session *session, const size_t *groups,
			size_t n, struct err *err);

/*
 * Settle and measure groups that run: one slice each into slices[].  They
 * go on running.  Failed reads are counted in the slice; an error is -EINTR
 * (stop was set), -ETIMEDOUT (a worker is stuck, or a drive completed
 * nothing at all), -EOPNOTSUPP (polled, and there is no poll queue), what a
 * drive's limit says or what ended an engine.
 */
int bench_session_measure(struct bench_session *session, const size_t *groups,
			  size_t n, struct bench_slice *slices,
			  struct err *err);

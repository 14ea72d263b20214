/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpuset.h"
#include "base/histogram.h"
#include "base/vec.h"
#include "core/facts.h"

/*
 * What a measurement found, as plain data: every slice with its raw counts
 * and latencies, so that a saved result can be judged again, and summaries
 * of them.  bench/ fills it in, cmd/ and json/ show it.
 *
 * Times are nanoseconds, rates I/Os per second, ratios parts per thousand.
 */

/* Where bench_slice.run_ns comes from, the best first. */
enum bench_cpu_source {
	BENCH_CPU_NONE,
	BENCH_CPU_SCHEDSTAT, /* all tasks, to the nanosecond */
	BENCH_CPU_STAT,	     /* all tasks and interrupts, in ticks of 10 ms */
	BENCH_CPU_THREADS,   /* the workers alone: kworkers are missing */
};

/* As JSON has it: "none", "schedstat", "stat", "threads". */
const char *bench_cpu_source_name(enum bench_cpu_source source);

/* One measured stretch of time on one drive from one node. */
struct bench_slice {
	uint32_t sequence;   /* the how-manieth slice of the session, from 0 */
	uint64_t start_ns;   /* since the session began */
	uint64_t elapsed_ns; /* mean over the workers */
	uint64_t ios;	     /* completed without an error */
	uint64_t errors;
	int first_error; /* positive errno, 0: none */
	uint64_t iops;
	uint64_t cpu_ns;  /* of the workers alone: not what kworkers did */
	uint64_t user_ns; /* of these, outside the kernel */
	uint64_t switches;
	uint64_t involuntary_switches;
	/*
	 * I/Os in flight on average, in thousandths, from the summed latency
	 * (Little's law); well below jobs x depth the submitters are the
	 * limit and not the drive.
	 */
	uint64_t in_flight_milli;
	/* The same, counted over time without latencies; 0: not measured, of
	 * an open loop. */
	uint64_t held_milli;
	uint64_t late; /* open loop: began over 100 us after it should have */
	struct histogram *latency;
	struct histogram *writes; /* of these, the writes; NULL: only reads */

	/*
	 * What the host did meanwhile.  What could not be seen is unknown.
	 *
	 * run_ns is what all tasks ran on the CPUs involved: those of the
	 * workers, of the drive's interrupts and of its queues' kworkers.
	 * What ran there before the load began is taken off.  Of drives that
	 * are measured together each has a part by its I/Os.
	 */
	uint64_t run_ns;
	enum bench_cpu_source cpu_source;
	uint64_t sleep_ppt;   /* of the workers' time: they did not run */
	struct num steal_ppt; /* of the time of these CPUs */
	/* Of the time of the workers' CPUs, what other programs ran outside the
	 * kernel: they are not there for our I/Os, as kworkers are. */
	struct num others_ppt;
	struct num offline; /* 1: one of these CPUs went away */
	/* Of 1000 blocks, looked at once before the load, those that held only
	 * zeros: a drive has most such without asking its flash. */
	struct num zero_ppt;
	struct num merges;	/* requests that were merged into others */
	struct num foreign_ios; /* what others did on the drive */
	/* What the drive's vectors raised, the admin queue's too; false: they
	 * could not be counted. */
	bool has_interrupts;
	struct cpu_counts interrupts;
	/* Why it must not be used, in words, by what does not depend on the
	 * figures that are compared; NULL: it counts. */
	const char *void_why;
};

struct bench_summary {
	uint64_t ios;
	uint64_t errors;
	int first_error;
	uint64_t iops; /* median of the slices */
	uint64_t iops_min;
	uint64_t iops_max;
	/* The true median lies between these with confidence_ppt. */
	uint64_t iops_low;
	uint64_t iops_high;
	int64_t confidence_ppt;
	int64_t spread_ppt; /* most less least for 1000 of the median */
	uint64_t mean_ns;   /* of the merged latencies */
	uint64_t p50_ns;
	uint64_t p99_ns;
	uint64_t p999_ns;
	uint64_t max_ns;
	const struct histogram *latency; /* merged from the slices */
	const struct histogram *writes;	 /* likewise; NULL: only reads */
	bool cpu_bound; /* less than 0.9 of the wanted I/Os were in flight */
	/*
	 * I/Os in flight by rate and latency (Little's law) for 1000 that were
	 * counted; -1: they were not.  More than 20 off, rate and latency are
	 * not of one another.
	 */
	int64_t little_ppt;
	struct num zero_ppt; /* as of its slices */
	struct num merges;   /* of all slices, where each could see them */
	/* CPUs that 100 000 I/Os a second keep busy, in thousandths, by run_ns.
	 */
	struct num cores_milli;
	uint32_t disturbed; /* slices that have a void_why */
};

/* How the I/O was done; two results compare only if these are equal. */
struct bench_method {
	const char *engine;   /* "io_uring (...)" or "aio", static */
	const char *fallback; /* why no better engine; NULL */
	bool ring_restricted; /* the kernel refuses anything but reads */
	bool fixed_buffers;
	bool fixed_files;
	bool memory_bound;
	const char *memory_why; /* why not; NULL */
	uint32_t jobs;
	uint32_t depth;
	uint32_t block_bytes;
	uint32_t batch; /* completions waited for; 0: natural */
	uint32_t write_ppt;
	bool sequential;
	bool polled;	 /* IOPOLL: no interrupts */
	uint64_t gap_ns; /* open loop: between two starts of a job; else 0 */
	bool poisson;
	/* Others use the drive: at most so many a second; 0: nobody does. */
	uint32_t most_iops;
};

/* The same cell by another engine, which is a program of its own. */
struct bench_check {
	const char *command; /* as a shell would take it */
	struct bench_summary summary;
	VEC(struct bench_slice) slices;
};

/* A drive seen from a node, in one shape of I/O. */
struct bench_cell {
	size_t drive;	   /* index into bench_matrix.drives */
	const char *label; /* "QD 8"; NULL: drive and node tell the cell */
	int64_t node;
	struct cpuset cpus;
	const char *skipped; /* the reason, or NULL: it was measured */
	bool local;	     /* node is the drive's own */
	struct bench_method method;
	struct bench_summary summary;
	/* Median here for 1000 of the local cell; -1: there is none. */
	int64_t of_local_ppt;
	int64_t of_link_ppt;	/* bytes for 1000 that the link carries */
	int64_t of_ceiling_ppt; /* for 1000 that rings alone can; -1: unknown */
	bool at_knee;		/* of a sweep over depth: deeper mostly waits */
	struct bench_check *check; /* NULL: there is none */
	VEC(struct bench_slice) slices;
};

struct bench_matrix {
	uint64_t seed; /* gives the order of the slices again */
	uint32_t passes;
	uint32_t settle_ms;
	uint32_t measure_ms;
	bool together; /* all drives at once, each from its local node */
	VEC(const char *) drives;
	VEC(struct bench_cell) cells;
	VEC(uint64_t) total_iops; /* together: all drives, pass by pass */
};

enum {
	BENCH_BEFORE,
	BENCH_AFTER,
	BENCH_ARMS
};

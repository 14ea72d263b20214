/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/cpuset.h"
#include "base/vec.h"
#include "core/facts.h"

/*
 * What the kernel counts on CPUs and disks, and what happened between two
 * looks at it.  Taken at the borders of slices: it tells what a measurement
 * cost, whoever did the work, and whether somebody else was there.
 */

struct arena;
struct sysroot;

/* One CPU so far; times in nanoseconds. */
struct counters_cpu {
	bool online;
	struct num run;	  /* tasks ran: field 7 of its line in schedstat */
	struct num busy;  /* not idle, in ticks: interrupts are in it */
	struct num user;  /* of busy, what programs ran outside the kernel */
	struct num steal; /* taken by the hypervisor, in ticks */
};

struct counters_look {
	uint64_t at_ns;		       /* CLOCK_MONOTONIC */
	VEC(struct counters_cpu) cpus; /* by number */
};

/* Into look, which may hold an earlier one; its memory is the arena's. */
void counters_read(const struct sysroot *root, struct arena *arena,
		   struct counters_look *look);

/* Between two looks on a set of CPUs, added up. */
struct counters_span {
	uint64_t elapsed_ns;
	struct num run_ns; /* unknown also where nothing ran at all: the
			      kernel does not count it, then */
	struct num busy_ns;
	struct num user_ns;
	struct num steal_ns;
	struct num offline; /* 1: one of them is gone */
};

struct counters_span counters_between(const struct counters_look *before,
				      const struct counters_look *after,
				      const struct cpuset *cpus);

/* One disk so far, Documentation/block/stat.rst; known is all or nothing. */
struct counters_disk {
	bool known;
	uint64_t at_ns; /* CLOCK_MONOTONIC */
	uint64_t reads;
	uint64_t read_sectors; /* of 512 bytes */
	uint64_t read_ms;      /* of all of them, added up */
	uint64_t others;       /* writes, discards and flushes */
	uint64_t other_ms;
	uint64_t merges;
	uint64_t write_sectors;
};

/* disk is a kernel name, nvme0n1. */
struct counters_disk counters_read_disk(const struct sysroot *root,
					const char *disk);

/* The differences; known is false where a counter was set back. */
struct counters_disk counters_disk_between(const struct counters_disk *before,
					   const struct counters_disk *after);

/*
 * The I/Os that others did on a disk between two looks, while we did ios of
 * block_bytes, of them so many writes, at this rate per second.  Reads of
 * others are those of their bytes that are not ours, in our block size, as
 * the kernel splits and merges; writes are counted.  The looks need not
 * agree with the borders of our count: rates are compared, and what ours can
 * be in the time between looks and borders is nobody else's.  Unknown where
 * the disk does not count (iostats is 0).
 */
struct counters_ours {
	uint64_t ios;
	uint64_t writes;
	uint64_t elapsed_ns; /* in which we did them */
	uint64_t skew_ns;    /* between looks and borders, both ends together */
	uint32_t block_bytes;
};

struct num counters_foreign(const struct counters_disk *span, uint64_t span_ns,
			    const struct counters_ours *ours);

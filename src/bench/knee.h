/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a sweep says: over the depth, where more reads in flight only wait;
 * over the CPUs, whether more of them bring more.  Pure.
 */

struct strbuf;

/* One depth of a sweep. */
struct knee_point {
	uint32_t depth; /* reads in flight that were asked for: jobs x depth */
	uint64_t iops;
	uint64_t mean_ns; /* latency */
};

/*
 * Two depths.  Up to the lower one a read takes at most a tenth longer than
 * at the least depth: more in flight is nearly free.  The upper one has the
 * greatest IOPS / latency: up to it IOPS rose by as large a factor as the
 * latency, beyond it reads mostly wait for each other.
 */
struct knee {
	uint32_t free_depth;
	uint32_t depth;
	uint64_t iops; /* at depth */
	uint64_t mean_ns;
	bool beyond; /* depth is the deepest of the sweep: it did not bend */
};

/*
 * False: fewer than three points, depths that do not rise, or a figure that
 * is 0.
 */
bool knee_find(const struct knee_point *points, size_t n, struct knee *ret);

/* "knee 32..64: ...", a sentence without a period. */
void knee_to_text(const struct knee *knee, struct strbuf *out);

/*
 * IOPS x mean latency is what was in flight on average (Little's law).
 * Returns that for 1000 that were asked for; -1: a figure is 0.  Within
 * 980..1020 the identity IOPS = depth / latency holds; below, the
 * submitters were the limit; above, the figures cannot all be right.
 */
int64_t knee_in_flight_ppt(const struct knee_point *point);

enum knee_flight {
	KNEE_FLIGHT_UNKNOWN,
	KNEE_FLIGHT_HOLDS,
	KNEE_FLIGHT_SHORT,
	KNEE_FLIGHT_IMPOSSIBLE,
};

enum knee_flight knee_flight(const struct knee_point *point);

/* One count of CPUs of a sweep. */
struct scaling_point {
	uint32_t cpus;
	uint64_t iops;
};

/* From the fewest CPUs to the most. */
struct scaling {
	uint32_t from_cpus;
	uint32_t to_cpus;
	/* IOPS for 1000 that the fewest CPUs' would make of the most. */
	int64_t kept_ppt;
	bool flat; /* less than a tenth more in all: something else limits */
};

/* False: fewer than two points, counts that do not rise, or no IOPS. */
bool scaling_find(const struct scaling_point *points, size_t n,
		  struct scaling *ret);

/* "scales 71 % from 1 to 4 CPUs", "flat from 1 to 4 CPUs: the drive ..." */
void scaling_to_text(const struct scaling *scaling, struct strbuf *out);

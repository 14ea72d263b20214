/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>

#include "bench/ring.h"

/*
 * How gently a drive is read that others use: at a rate that leaves it to
 * them, and only for as long as they do not suffer.
 */

struct err;

struct bench_limit {
	uint32_t most_iops;  /* of all jobs on the drive together */
	uint64_t most_bytes; /* likewise, a second */
	/* Asked ten times a second while the drive is read; a negative errno
	 * with a sentence ends the measurement.  May be NULL. */
	int (*look)(void *data, struct err *err);
	void *data;
};

/*
 * The time between two starts of one of so many jobs, at least: what the shape
 * asks for, or what the limit (NULL: none) leaves.
 */
uint64_t bench_limit_gap_ns(const struct bench_limit *limit,
			    const struct bench_shape *shape, uint32_t jobs);

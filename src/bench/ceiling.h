/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>

/*
 * What a ring can do at all on one CPU: requests that do nothing, in the very
 * loop that measures a drive.  A drive's figure near it is one of the CPU.
 */

struct arena;
struct err;

struct bench_ceiling {
	uint64_t per_second; /* the best tenth of the time: others only take */
	const char *engine;  /* static, as in struct bench_method */
};

/*
 * Measures for so many milliseconds on that CPU, in a thread of its own.
 * -EOPNOTSUPP: there is no io_uring here, and AIO knows no such request;
 * otherwise why the thread could not be bound or the ring not be had.
 */
int bench_ceiling(struct arena *arena, unsigned int cpu, uint32_t ms,
		  struct bench_ceiling *ret, struct err *err);

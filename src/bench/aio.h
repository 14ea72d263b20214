/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/ring.h"

/*
 * The Linux AIO engine behind bench/ring.h, for kernels and containers
 * without io_uring.  Raw system calls: the library would add nothing.
 */

struct aio;
struct bench_lane;
struct err;

int aio_open(struct aio **ret, const struct bench_ring_config *config,
	     struct err *err);
void aio_close(struct aio *aio);
struct bench_lane *aio_lane(struct aio *aio);
void aio_fill(struct aio *aio);
int aio_turn(struct aio *aio, struct bench_counters *counters);
int aio_drain(struct aio *aio);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/ring.h"

/*
 * The io_uring engine behind bench/ring.h.  liburing maps the rings
 * (uring_setup.c); the loop (uring.c) indexes them itself.
 */

struct bench_lane;
struct err;
struct uring;

/*
 * -ENOSYS, -EPERM, -EACCES or -ENOMEM: no io_uring here, another engine may
 * do; err says why.  Anything else is a failure of its own.
 */
int uring_open(struct uring **ret, const struct bench_ring_config *config,
	       struct bench_ring_info *info, struct err *err);
void uring_close(struct uring *uring);
struct bench_lane *uring_lane(struct uring *uring);
int uring_fd(const struct uring *uring);
void uring_fill(struct uring *uring);
int uring_turn(struct uring *uring, struct bench_counters *counters);
int uring_drain(struct uring *uring);

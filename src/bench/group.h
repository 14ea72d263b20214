/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "bench/session.h"

/* Inside a session: a drive seen from one place, and the workers that read
 * it in one shape. */

struct bench_gate;
struct bench_worker;

struct bench_group {
	const struct bench_drive *drive;
	const struct bench_session_config *config; /* of the session */
	struct bench_shape shape;		   /* without defaults */
	struct bench_gate *gate;		   /* NULL: it never started */
	uint32_t word;				   /* what its gate shows */
	bool warm;
	struct cpuset cpus; /* of its workers */
	uint32_t sample;    /* blocks that each worker looks at, for zeros */
	VEC(struct bench_worker *) workers;
	struct bench_method method;
};

/*
 * Workers on the place's CPUs, idle and all of one kind; stream tells the
 * first one's offsets from those of others.  group_end() is wanted also on
 * failure.
 */
int group_start(struct bench_group *group, struct arena *arena,
		const struct bench_session_config *config,
		const struct bench_drive *drive, const struct binding *place,
		const struct bench_shape *shape, uint64_t stream,
		struct err *err);

/*
 * Until all workers have left the epochs before the present one, in *left_ns,
 * which is what is left afterwards; -ETIMEDOUT: one is stuck.
 */
int group_wait(const struct bench_group *group, uint64_t *left_ns,
	       struct err *err);

/* What the workers did in the epoch before the present one. */
int group_collect(const struct bench_group *group, struct arena *arena,
		  struct bench_slice *slice, struct err *err);

/* Its gate said BENCH_STOP: workers that do not end in time are left behind. */
void group_end(struct bench_group *group, uint64_t end_ns);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bench/session.h"
#include "core/bench_result.h"
#include "core/binding.h"

/*
 * All drives read at once, each from its place, without a pause while the
 * host is changed below them: what measures the slices of a trial.
 */

struct arena;
struct err;

struct bench_seat {
	struct bench_drive drive;
	struct binding binding;
};

struct bench_team {
	struct bench_session *session;
	size_t n;
	size_t *groups;
	uint32_t *jobs;		      /* workers of each seat */
	struct bench_method *methods; /* likewise */
};

/*
 * Everything is borrowed until bench_team_close(), which has to be called also
 * on failure.  shape NULL: plain random reads.
 */
int bench_team_open(struct bench_team *team, struct arena *arena,
		    const struct bench_session_config *config,
		    const struct bench_shape *shape,
		    const struct bench_seat *seats, size_t n, struct err *err);
void bench_team_close(struct bench_team *team);

/* One slice of each seat; data is the team. */
int bench_team_measure(void *data, struct bench_slice *slices, struct err *err);

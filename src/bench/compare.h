/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bench/cells.h"
#include "bench/session.h"
#include "core/bench_result.h"

/*
 * Before and after, interleaved: the host drifts by more than most tunables
 * are worth, so one run before and one after say nothing.  All drives are
 * read at once, each from its place, and go on while the arms are switched.
 */

struct arena;
struct err;

struct bench_compare_drive {
	struct bench_drive drive;
	struct binding binding;
};

struct bench_compare_config {
	struct bench_session_config session;
	const struct bench_compare_drive *drives;
	size_t nr_drives;
	uint32_t blocks; /* of four slices, ABBA or BAAB */
	/*
	 * Makes the host as it was before (BENCH_BEFORE) or as it is wanted
	 * (BENCH_AFTER).  Called at the start of every slice, also when the
	 * arm stays, so that switching costs both alike; an error ends the
	 * measurement.  Whoever passes it restores, whatever happens here.
	 */
	int (*arm)(void *data, int which, struct err *err);
	void *data;
	void (*progress)(void *data, const struct bench_progress *progress);
	void *progress_data;
};

int bench_compare_run(struct arena *arena,
		      const struct bench_compare_config *config,
		      struct bench_compare *ret, struct err *err);

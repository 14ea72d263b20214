/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <signal.h>
#include <stddef.h>

#include "bench/workload.h"

/*
 * --workload CMD: runs the user's own command, by /bin/sh -c and with the
 * caller's environment, as a load.
 *
 * Standard input is empty, what it prints is read, stderr is the caller's.  It
 * is a process group of its own, and nothing of that is left when a run ends:
 * neither what it started in the background, nor after the time is over, nor
 * after a signal to nvmetune, whose death is the command's as well: see
 * cmd/leash.h.
 */

struct workload {
	const char *command;
	uint32_t limit_ms; /* a run that takes longer has failed */
	const volatile sig_atomic_t *stop; /* set: end early; NULL: never */
	struct workload_metric metric;	   /* zeroed before the first run */
};

/*
 * 0: *ret is how it was, and its output is the arena's.  -EINTR: stop was set
 * and it is ended.  Another errno: it could not be started, or is lost.
 */
int workload_start_and_wait(struct arena *arena,
			    const struct workload *workload,
			    struct workload_run *ret, struct err *err);

/* One run and what it is worth: either error, see workload_judge(). */
int workload_measure(struct arena *arena, struct workload *workload,
		     struct workload_run *ret_run, double *ret,
		     struct err *err);

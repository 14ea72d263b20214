/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "base/cpuset.h"
#include "bench/counters.h"
#include "core/bench_result.h"

/*
 * The host beside a session: which CPUs and disks each group concerns, what
 * ran there before the load began, and what happened during a slice.
 */

struct arena;
struct bench_drive;
struct sysroot;
struct host_watch;

/* root NULL: nothing of the host is seen. */
struct host_watch *host_watch_new(struct arena *arena,
				  const struct sysroot *root);

/* A group, numbered from 0 as the session's; workers are its CPUs. */
void host_watch_add(struct host_watch *watch, const struct bench_drive *drive,
		    const struct cpuset *workers);

/* Around a time without load, which later slices are compared with. */
void host_watch_idle_begin(struct host_watch *watch);
void host_watch_idle_end(struct host_watch *watch);

/* Around a slice of groups that run together.  switch: right before each of
 * its two borders, as workers follow one after another. */
void host_watch_switch(struct host_watch *watch);
void host_watch_begin(struct host_watch *watch, const size_t *groups, size_t n);
/*
 * Fills in what slices[], one a group, say about the host.  They have their
 * counts already; methods[] are theirs.
 */
void host_watch_end(struct host_watch *watch, const size_t *groups, size_t n,
		    const struct bench_method *methods,
		    struct bench_slice *slices);

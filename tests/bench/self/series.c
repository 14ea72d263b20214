/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * series DEVICE SLICES SLICE_MS: reads a device, changes nothing and prints
 * what each slice gave: IOPS and nanoseconds of CPU time per read.  That is
 * the noise that a verdict must not be taken in by; tests/bench/series holds
 * what it printed once.  A tenth of each slice is settled and not counted.
 */

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/parse.h"
#include "bench/session.h"
#include "core/binding.h"
#include "drive_open.h"

static struct binding anywhere(struct arena *arena)
{
	struct binding binding = { .memory_node = BINDING_NO_NODE };
	cpu_set_t mask;

	if (sched_getaffinity(0, sizeof(mask), &mask) == 0)
		for (unsigned int cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET(cpu, &mask))
				cpuset_add(arena, &binding.cpus, cpu);
	return binding;
}

static void print_head(const struct bench_session_config *config,
		       const struct bench_method *method)
{
	struct utsname host = { 0 };

	(void)uname(&host);
	printf("# Linux %s, %s, %" PRIu32 " job of %" PRIu32
	       " reads of %" PRIu32 " bytes, slices of %" PRIu32 " + %" PRIu32
	       " ms\n"
	       "# IOPS, ns of CPU time per read\n",
	       host.release, method->engine, method->jobs, method->depth,
	       method->block_bytes, config->settle_ms, config->measure_ms);
}

static int record(struct arena *arena,
		  const struct bench_session_config *config,
		  const struct bench_drive *drive, uint64_t slices,
		  struct err *err)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	struct binding binding = anywhere(arena);
	struct bench_method method;
	struct bench_slice slice;
	size_t group = 0;
	int r = bench_session_new(&session, arena, config, err);

	if (r == 0)
		r = bench_session_add(session, drive, &binding, NULL, &group,
				      err);
	if (r == 0)
		r = bench_session_run(session, &group, 1, err);
	if (r < 0)
		return r;
	method = bench_session_method(session, group);
	print_head(config, &method);
	for (uint64_t i = 0; i < slices && r == 0; i++) {
		r = bench_session_measure(session, &group, 1, &slice, err);
		if (r == 0 && slice.ios)
			printf("%" PRIu64 " %" PRIu64 "\n", slice.iops,
			       slice.cpu_ns / slice.ios);
	}
	return r;
}

int main(int argc, char **argv)
{
	struct bench_session_config config = bench_session_defaults;
	_cleanup_arena_ struct arena *arena = arena_new();
	struct bench_drive drive = { .fd = -1 };
	struct err err = { 0 };
	uint64_t slices = 0, slice_ms = 0;
	int r = -EINVAL;

	if (argc == 4 && parse_u64(argv[2], &slices) == 0 &&
	    parse_u64(argv[3], &slice_ms) == 0 && slice_ms >= 10 &&
	    slice_ms <= 10000) {
		config.jobs = 1;
		config.settle_ms = (uint32_t)slice_ms / 10;
		config.measure_ms = (uint32_t)slice_ms - config.settle_ms;
		r = drive_open(argv[1], &drive, &err);
		if (r == 0)
			r = record(arena, &config, &drive, slices, &err);
	}
	if (r == -EINVAL)
		fputs("usage: series DEVICE SLICES SLICE_MS\n", stderr);
	else if (r < 0)
		fprintf(stderr, "series: %s\n", err.text);
	return r < 0;
}

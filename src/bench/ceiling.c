/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/ceiling.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/lane.h"
#include "bench/ring.h"
#include "core/binding.h"
#include "sys/numa.h"

#define DEPTH 32
#define PARTS 10
#define TURNS 64 /* between two looks at the clock */

struct run {
	struct binding binding;
	uint64_t part_ns;
	struct bench_counters *counters;
	struct bench_ceiling result;
	struct err err;
	int r;
};

static int run_part(struct bench_ring *ring, struct run *run)
{
	uint64_t begin_ns = bench_now_ns(), end_ns, rate;
	uint64_t before = run->counters->latency.count;

	do {
		for (int i = 0; i < TURNS; i++) {
			int r = bench_ring_turn(ring, run->counters);

			if (r < 0)
				return err_errno(&run->err, r,
						 "the I/O engine stopped");
		}
		end_ns = bench_now_ns();
	} while (end_ns - begin_ns < run->part_ns);
	rate = (uint64_t)((double)(run->counters->latency.count - before) *
			  1e9 / (double)(end_ns - begin_ns));
	if (rate > run->result.per_second)
		run->result.per_second = rate;
	return 0;
}

static int run_ring(struct run *run)
{
	const struct bench_ring_config config = {
		.fd = -1,
		.nop = true,
		.size_bytes = 4096,
		.shape = { .block_bytes = 4096, .depth = DEPTH },
	};
	struct bench_ring *ring;
	int r = bench_ring_open(&ring, &config, &run->err);

	if (r < 0)
		return r;
	run->result.engine = bench_rung_text(bench_ring_info(ring)->rung);
	bench_ring_fill(ring);
	for (int i = 0; i < PARTS && r == 0; i++)
		r = run_part(ring, run);
	if (r == 0)
		r = bench_ring_drain(ring);
	if (r == 0 && run->counters->errors)
		r = err_set(&run->err, -run->counters->first_error,
			    "a request that does nothing failed");
	bench_ring_close(ring);
	return r;
}

static void *thread_main(void *data)
{
	struct run *run = data;

	run->r = numa_bind_thread(&run->binding, &run->err);
	if (run->r >= 0)
		run->r = run_ring(run);
	return NULL;
}

/* Signals stay the main thread's business, as with workers. */
static int start(pthread_t *thread, struct run *run)
{
	sigset_t all, before;
	int r;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(thread, NULL, thread_main, run);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -r;
}

int bench_ceiling(struct arena *arena, unsigned int cpu, uint32_t ms,
		  struct bench_ceiling *ret, struct err *err)
{
	struct run run = {
		.binding = { .node = BINDING_NO_NODE,
			     .memory_node = BINDING_NO_NODE },
		.part_ns = (uint64_t)ms * 1000000 / PARTS,
		.counters = ARENA_NEW(arena, struct bench_counters),
	};
	pthread_t thread;
	int r;

	cpuset_add(arena, &run.binding.cpus, cpu);
	r = start(&thread, &run);
	if (r < 0)
		return err_errno(err, r, "cannot start a thread");
	(void)pthread_join(thread, NULL);
	if (run.r < 0)
		return err_set(err, run.r, "CPU %u: %s", cpu, run.err.text);
	*ret = run.result;
	return 0;
}

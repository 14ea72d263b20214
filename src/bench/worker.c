/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "bench/gate.h"
#include "bench/lane.h"
#include "core/binding.h"
#include "sys/numa.h"

#define STACK_BYTES (256U * 1024U)

enum worker_state {
	WORKER_STARTING,
	WORKER_READY,
	WORKER_FAILED
};

struct bench_worker {
	pthread_t thread;
	const struct binding *binding;
	struct bench_gate *gate;
	struct bench_ring_config config;
	uint32_t sample; /* blocks still to look at, before the first I/O */
	uint32_t zero_blocks;

	/* Written by the thread until it says that it is ready. */
	struct bench_ring *ring;
	struct bench_epoch *epochs; /* two */
	struct err memory;	    /* why memory is not bound */

	struct err failure;    /* set before WORKER_FAILED */
	_Atomic int state;     /* enum worker_state */
	_Atomic uint32_t seen; /* the last word it acted on */
	_Atomic uint32_t refs; /* the thread's and the session's */
};

/* Where the thread stands at the border of two epochs. */
struct border {
	uint64_t now_ns;
	uint64_t cpu_ns;
	uint64_t user_ns;
	uint64_t switches;
	uint64_t involuntary_switches;
	uint64_t held_ns;
};

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000U +
	       (uint64_t)tv->tv_usec * 1000U;
}

static struct border border_now(const struct bench_worker *worker)
{
	struct border border = { .now_ns = bench_now_ns() };
	struct rusage usage;

	border.held_ns = bench_ring_held_ns(worker->ring, border.now_ns);
	if (getrusage(RUSAGE_THREAD, &usage) == 0) {
		border.user_ns = timeval_ns(&usage.ru_utime);
		border.cpu_ns = border.user_ns + timeval_ns(&usage.ru_stime);
		border.switches = (uint64_t)usage.ru_nvcsw;
		border.involuntary_switches = (uint64_t)usage.ru_nivcsw;
	}
	return border;
}

static struct bench_epoch *epoch_of(const struct bench_worker *worker,
				    uint32_t word)
{
	return &worker->epochs[bench_word_epoch(word) & 1];
}

static void epoch_begin(struct bench_worker *worker, uint32_t word)
{
	struct bench_epoch *epoch = epoch_of(worker, word);

	memset(epoch, 0, sizeof(*epoch));
	epoch->number = bench_word_epoch(word);
}

static void epoch_end(struct bench_worker *worker, uint32_t word,
		      const struct border *begin, const struct border *end)
{
	struct bench_epoch *epoch = epoch_of(worker, word);

	epoch->begin_ns = begin->now_ns;
	epoch->end_ns = end->now_ns;
	epoch->cpu_ns = end->cpu_ns - begin->cpu_ns;
	epoch->user_ns = end->user_ns - begin->user_ns;
	epoch->switches = end->switches - begin->switches;
	epoch->involuntary_switches =
		end->involuntary_switches - begin->involuntary_switches;
	epoch->held_ns = end->held_ns - begin->held_ns;
}

static void mark_seen(struct bench_worker *worker, uint32_t word)
{
	atomic_store_explicit(&worker->seen, word, memory_order_release);
}

static void mark_state(struct bench_worker *worker, enum worker_state state)
{
	atomic_store_explicit(&worker->state, (int)state, memory_order_release);
}

/*
 * The kernel adds what a task ran to its CPU's account (proc/schedstat) when
 * the task leaves the CPU (kernel/sched/stats.h, sched_info_depart()).  A
 * worker that never waits would be missing there.
 */
static void leave_cpu(void)
{
	static const struct timespec moment = { .tv_nsec = 1 };

	(void)nanosleep(&moment, NULL);
}

/* After it was seen to run: a drive that does not answer is missed then. */
static int take_sample(struct bench_worker *worker, uint32_t word)
{
	uint32_t n = worker->sample;

	if (n == 0)
		return 0;
	mark_seen(worker, word);
	worker->sample = 0;
	return bench_ring_sample(worker->ring, n, &worker->zero_blocks);
}

/* From one RUN to the first word that is none; epochs join seamlessly. */
static int run(struct bench_worker *worker, uint32_t *word)
{
	struct border begin, end;
	int r = take_sample(worker, *word);

	if (r < 0)
		return r;
	bench_ring_fill(worker->ring);
	epoch_begin(worker, *word);
	begin = border_now(worker);
	while (bench_word_phase(*word) == BENCH_RUN) {
		struct bench_counters *counters =
			&epoch_of(worker, *word)->counters;
		uint32_t next;

		mark_seen(worker, *word);
		do {
			r = bench_ring_turn(worker->ring, counters);
			if (r < 0)
				return r;
			next = bench_gate_word(worker->gate);
		} while (next == *word);
		epoch_begin(worker, next);
		leave_cpu();
		end = border_now(worker);
		bench_ring_catch_up(worker->ring);
		epoch_end(worker, *word, &begin, &end);
		begin = end;
		*word = next;
	}
	mark_seen(worker, *word);
	return bench_ring_drain(worker->ring);
}

static int prepare(struct bench_worker *worker)
{
	void *map;
	int r = numa_bind_thread(worker->binding, &worker->memory);

	if (r < 0) {
		worker->failure = worker->memory;
		return r;
	}
	map = mmap(NULL, 2 * sizeof(*worker->epochs), PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (map == MAP_FAILED)
		return err_errno(&worker->failure, -errno,
				 "cannot allocate counters");
	worker->epochs = map;
	/* An open loop sleeps between I/Os, and has to wake up in time. */
	if (worker->config.shape.gap_ns)
		(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	return bench_ring_open(&worker->ring, &worker->config,
			       &worker->failure);
}

static void worker_put(struct bench_worker *worker)
{
	if (atomic_fetch_sub(&worker->refs, 1) != 1)
		return;
	if (worker->epochs)
		(void)munmap(worker->epochs, 2 * sizeof(*worker->epochs));
	bench_gate_put(worker->gate);
	free(worker);
}

/* A worker that cannot go on still follows the gate, so that the session
 * never waits for it. */
static void *thread_main(void *data)
{
	struct bench_worker *worker = data;
	uint32_t word = 0;
	int r = prepare(worker);

	mark_state(worker, r < 0 ? WORKER_FAILED : WORKER_READY);
	while (bench_word_phase(word) != BENCH_STOP) {
		word = bench_gate_wait(worker->gate, word);
		if (r < 0 || bench_word_phase(word) != BENCH_RUN) {
			mark_seen(worker, word);
			continue;
		}
		r = run(worker, &word);
		if (r < 0) {
			(void)err_errno(&worker->failure, r,
					"the I/O engine stopped");
			mark_state(worker, WORKER_FAILED);
		}
	}
	bench_ring_close(worker->ring);
	worker_put(worker);
	return NULL;
}

/* Signals are the main thread's business, the small stack because there may
 * be thousands of workers. */
static int create_thread(struct bench_worker *worker)
{
	pthread_attr_t attr;
	sigset_t all, before;
	int r = pthread_attr_init(&attr);

	if (r)
		return -r;
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(&worker->thread, &attr, thread_main, worker);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)pthread_attr_destroy(&attr);
	return -r;
}

int bench_worker_start(struct bench_worker **ret, const struct binding *binding,
		       struct bench_gate *gate,
		       const struct bench_ring_config *config, uint32_t sample,
		       struct err *err)
{
	struct bench_worker *worker = calloc(1, sizeof(*worker));
	int r;

	if (!worker)
		return err_set(err, -ENOMEM, "out of memory");
	worker->binding = binding;
	worker->gate = bench_gate_get(gate);
	worker->config = *config;
	worker->sample = sample;
	atomic_init(&worker->state, WORKER_STARTING);
	atomic_init(&worker->seen, 0);
	atomic_init(&worker->refs, 2);
	r = create_thread(worker);
	if (r < 0) {
		atomic_store(&worker->refs, 1);
		worker_put(worker);
		return err_errno(err, r, "cannot start a worker");
	}
	*ret = worker;
	return 0;
}

int bench_worker_state(struct bench_worker *worker, struct err *err)
{
	int state = atomic_load_explicit(&worker->state, memory_order_acquire);

	if (state == WORKER_FAILED)
		return err_set(err, worker->failure.code, "%s",
			       worker->failure.text);
	return state == WORKER_STARTING;
}

const struct bench_ring_info *
bench_worker_ring(const struct bench_worker *worker)
{
	return bench_ring_info(worker->ring);
}

uint32_t bench_worker_zero_blocks(const struct bench_worker *worker)
{
	return worker->zero_blocks;
}

const char *bench_worker_memory_why(const struct bench_worker *worker)
{
	return worker->memory.code ? worker->memory.text : NULL;
}

bool bench_worker_has_seen(const struct bench_worker *worker, uint32_t word)
{
	return atomic_load_explicit(&worker->seen, memory_order_acquire) ==
	       word;
}

const struct bench_epoch *bench_worker_epoch(const struct bench_worker *worker,
					     uint32_t number)
{
	const struct bench_epoch *epoch;

	if (!worker->epochs)
		return NULL;
	epoch = &worker->epochs[number & 1];
	return epoch->number == number ? epoch : NULL;
}

bool bench_worker_join(struct bench_worker *worker, uint64_t deadline_ns)
{
	struct timespec deadline = {
		.tv_sec = (time_t)(deadline_ns / 1000000000U),
		.tv_nsec = (long)(deadline_ns % 1000000000U),
	};
	bool ended = pthread_clockjoin_np(worker->thread, NULL, CLOCK_MONOTONIC,
					  &deadline) == 0;

	if (!ended)
		(void)pthread_detach(worker->thread);
	worker_put(worker);
	return ended;
}

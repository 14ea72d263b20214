/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/session.h"

#include <errno.h>
#include <time.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/collect.h"
#include "bench/gate.h"
#include "bench/host_watch.h"
#include "bench/lane.h"
#include "bench/worker.h"
#include "core/binding.h"

#define NS_PER_MS UINT64_C(1000000)
#define SLEEP_MS 100 /* longest between two looks at the stop flag */
#define POLL_NS 200000
#define SAMPLE_BLOCKS 256

struct group {
	const struct bench_drive *drive;
	struct bench_shape shape;
	struct bench_gate *gate;
	uint32_t word; /* what its gate shows */
	bool warm;
	struct cpuset cpus; /* of its workers */
	uint32_t sample;    /* blocks that each worker looks at, for zeros */
	VEC(struct bench_worker *) workers;
};

struct bench_session {
	struct arena *arena;
	struct bench_session_config config;
	uint64_t start_ns;
	uint32_t nr_slices;
	uint64_t nr_workers;
	bool stuck; /* a worker no longer follows its gate */
	bool has_run;
	struct host_watch *watch;
	VEC(struct group) groups;
};

const struct bench_session_config bench_session_defaults = {
	.jobs = 16,
	.depth = 32,
	.idle_ms = 500,
	.warm_ms = 1000,
	.settle_ms = 500,
	.measure_ms = 2000,
	.hang_ms = 10000,
	.first = BENCH_RUNG_DEFER,
};

int bench_session_new(struct bench_session **ret, struct arena *arena,
		      const struct bench_session_config *config,
		      struct err *err)
{
	struct bench_session *session;

	if (config->jobs == 0 || config->measure_ms == 0)
		return err_set(err, -EINVAL, "nothing to measure");
	session = ARENA_NEW(arena, struct bench_session);
	session->arena = arena;
	session->config = *config;
	session->start_ns = bench_now_ns();
	session->watch = host_watch_new(arena, config->root);
	*ret = session;
	return 0;
}

static bool stopped(const struct bench_session *session)
{
	return session->config.stop && *session->config.stop;
}

/* Drives that are opened together share their limit. */
static int ask_limits(const struct bench_session *session, struct err *err)
{
	const struct bench_limit *asked = NULL;
	int r = 0;

	for (size_t i = 0; i < session->groups.n && r == 0; i++) {
		const struct bench_limit *limit =
			session->groups.items[i].drive->limit;

		if (limit && limit != asked && limit->look)
			r = limit->look(limit->data, err);
		asked = limit;
	}
	return r;
}

static int session_sleep(const struct bench_session *session, uint64_t ms,
			 struct err *err)
{
	uint64_t end_ns = bench_now_ns() + ms * NS_PER_MS;

	for (;;) {
		uint64_t now_ns = bench_now_ns();
		uint64_t left_ns = end_ns > now_ns ? end_ns - now_ns : 0;
		struct timespec ts = { 0 };
		int r;

		if (stopped(session))
			return err_set(err, -EINTR, "interrupted");
		r = session->has_run ? ask_limits(session, err) : 0;
		if (r < 0)
			return r;
		if (left_ns == 0)
			return 0;
		if (left_ns > SLEEP_MS * NS_PER_MS)
			left_ns = SLEEP_MS * NS_PER_MS;
		ts.tv_nsec = (long)left_ns;
		(void)nanosleep(&ts, NULL);
	}
}

static void poll_pause(void)
{
	struct timespec ts = { .tv_nsec = POLL_NS };

	(void)nanosleep(&ts, NULL);
}

static int wait_ready(const struct bench_session *session,
		      struct bench_worker *worker, struct err *err)
{
	uint64_t end_ns = bench_now_ns() + session->config.hang_ms * NS_PER_MS;
	int r;

	while ((r = bench_worker_state(worker, err)) > 0) {
		if (bench_now_ns() > end_ns)
			return err_set(err, -ETIMEDOUT,
				       "a worker does not get ready");
		poll_pause();
	}
	return r;
}

/* One CPU each, so that slices differ by what is tuned and not by where the
 * scheduler put a thread. */
static int add_worker(struct bench_session *session, struct group *group,
		      const struct binding *place, unsigned int cpu,
		      struct err *err)
{
	struct binding *binding = ARENA_NEW(session->arena, struct binding);
	struct bench_ring_config config = {
		.fd = group->drive->fd,
		.size_bytes = group->drive->size_bytes,
		.shape = group->shape,
		.seed = session->config.seed,
		.stream = session->nr_workers++,
		.first = session->config.first,
	};
	struct bench_worker *worker;
	int r;

	*binding = *place;
	binding->cpus = (struct cpuset){ 0 };
	cpuset_add(session->arena, &binding->cpus, cpu);
	r = bench_worker_start(&worker, binding, group->gate, &config,
			       group->sample, err);
	if (r < 0)
		return r;
	*vec_add(session->arena, &group->workers) = worker;
	return 0;
}

static bool same_method(const struct bench_worker *a,
			const struct bench_worker *b)
{
	const struct bench_ring_info *x = bench_worker_ring(a);
	const struct bench_ring_info *y = bench_worker_ring(b);

	return x->rung == y->rung && x->restricted == y->restricted &&
	       x->fixed_buffers == y->fixed_buffers &&
	       x->fixed_files == y->fixed_files;
}

static int start_workers(struct bench_session *session, struct group *group,
			 const struct binding *place, struct err *err)
{
	uint32_t jobs = cpuset_count(&place->cpus);
	struct bench_worker *first;
	int r = 0;

	if (jobs > session->config.jobs)
		jobs = session->config.jobs;
	if (jobs && !group->shape.write_ppt)
		group->sample = (SAMPLE_BLOCKS + jobs - 1) / jobs;
	CPUSET_EACH(&place->cpus, cpu) {
		if (group->workers.n == session->config.jobs)
			break;
		r = add_worker(session, group, place, (unsigned int)cpu, err);
		if (r < 0)
			return r;
		cpuset_add(session->arena, &group->cpus, (unsigned int)cpu);
	}
	if (group->workers.n == 0)
		return err_set(err, -EINVAL, "no CPU to run on");
	first = group->workers.items[0];
	for (size_t i = 0; i < group->workers.n && r == 0; i++) {
		struct bench_worker *worker = group->workers.items[i];

		r = wait_ready(session, worker, err);
		if (r == 0 && !same_method(first, worker))
			r = err_set(
				err, -EAGAIN,
				"workers got different engines: too little locked memory for all (ulimit -l)");
	}
	return r;
}

static uint32_t nr_jobs(const struct bench_session *session,
			const struct binding *place)
{
	unsigned int cpus = cpuset_count(&place->cpus);

	return cpus < session->config.jobs ? cpus : session->config.jobs;
}

static int settle_shape(const struct bench_session *session,
			struct group *group, const struct bench_shape *wanted,
			uint32_t jobs, struct err *err)
{
	struct bench_shape shape = wanted ? *wanted : (struct bench_shape){ 0 };

	if (!shape.block_bytes)
		shape.block_bytes = group->drive->block_bytes;
	if (!shape.depth)
		shape.depth = session->config.depth;
	if (shape.write_ppt && !group->drive->writable)
		return err_set(err, -EPERM, "a drive is never written to");
	shape.gap_ns = bench_limit_gap_ns(group->drive->limit, &shape, jobs);
	if (shape.gap_ns > session->config.measure_ms * NS_PER_MS)
		return err_set(
			err, -EINVAL,
			"one I/O in %llu ms is none in a slice of %u ms: measure longer",
			(unsigned long long)(shape.gap_ns / NS_PER_MS),
			session->config.measure_ms);
	group->shape = shape;
	return 0;
}

int bench_session_add(struct bench_session *session,
		      const struct bench_drive *drive,
		      const struct binding *binding,
		      const struct bench_shape *shape, size_t *ret_group,
		      struct err *err)
{
	struct group *group = vec_add(session->arena, &session->groups);
	int r;

	group->drive = drive;
	r = settle_shape(session, group, shape, nr_jobs(session, binding), err);
	if (r < 0)
		return err_context(err, "%s", drive->name);
	group->gate = bench_gate_new();
	if (!group->gate)
		return err_set(err, -ENOMEM, "out of memory");
	r = start_workers(session, group, binding, err);
	if (r < 0)
		return err_context(err, "%s", drive->name);
	host_watch_add(session->watch, drive, &group->cpus);
	*ret_group = session->groups.n - 1;
	return 0;
}

struct bench_method bench_session_method(const struct bench_session *session,
					 size_t index)
{
	const struct group *group = &session->groups.items[index];
	const struct bench_worker *worker = group->workers.items[0];
	const struct bench_ring_info *info = bench_worker_ring(worker);
	const char *why = bench_worker_memory_why(worker);

	return (struct bench_method){
		.engine = bench_rung_text(info->rung),
		.fallback = info->fallback.code ?
				    arena_strdup(session->arena,
						 info->fallback.text) :
				    NULL,
		.ring_restricted = info->restricted,
		.fixed_buffers = info->fixed_buffers,
		.fixed_files = info->fixed_files,
		.memory_bound = !why,
		.memory_why = why ? arena_strdup(session->arena, why) : NULL,
		.jobs = (uint32_t)group->workers.n,
		.depth = group->shape.depth,
		.block_bytes = group->shape.block_bytes,
		.batch = group->shape.batch,
		.write_ppt = group->shape.write_ppt,
		.polled = info->polled,
		.gap_ns = group->shape.gap_ns,
		.poisson = group->shape.poisson,
		.sequential = group->shape.sequential,
		.most_iops = group->drive->limit ?
				     group->drive->limit->most_iops :
				     0,
	};
}

/* A store per group; workers notice at their next turn. */
static void next_epoch(struct bench_session *session, const size_t *groups,
		       size_t n, enum bench_phase phase)
{
	for (size_t i = 0; i < n; i++) {
		struct group *group = &session->groups.items[groups[i]];

		group->word = bench_gate_next(group->gate, phase);
	}
}

static int wait_worker(struct bench_session *session, const struct group *group,
		       struct bench_worker *worker, uint64_t end_ns,
		       struct err *err)
{
	while (!bench_worker_has_seen(worker, group->word)) {
		if (bench_now_ns() > end_ns) {
			session->stuck = true;
			return err_set(
				err, -ETIMEDOUT,
				"%s: a read did not come back within %u ms",
				group->drive->name, session->config.hang_ms);
		}
		poll_pause();
	}
	if (bench_worker_state(worker, err) < 0)
		return err_context(err, "%s", group->drive->name);
	return 0;
}

/* Until all workers have left the epochs before the present one. */
static int wait_seen(struct bench_session *session, const size_t *groups,
		     size_t n, struct err *err)
{
	uint64_t end_ns = bench_now_ns() + session->config.hang_ms * NS_PER_MS;

	for (size_t i = 0; i < n; i++) {
		struct group *group = &session->groups.items[groups[i]];

		for (size_t j = 0; j < group->workers.n; j++) {
			int r = wait_worker(session, group,
					    group->workers.items[j], end_ns,
					    err);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

static int enter_phase(struct bench_session *session, const size_t *groups,
		       size_t n, enum bench_phase phase, struct err *err)
{
	if (session->stuck)
		return err_set(err, -ETIMEDOUT,
			       "an earlier read has still not come back");
	next_epoch(session, groups, n, phase);
	return wait_seen(session, groups, n, err);
}

/* What runs on the CPUs before any load of ours does. */
static int look_at_rest(struct bench_session *session, struct err *err)
{
	int r;

	if (session->has_run || !session->config.idle_ms)
		return 0;
	host_watch_idle_begin(session->watch);
	r = session_sleep(session, session->config.idle_ms, err);
	host_watch_idle_end(session->watch);
	return r;
}

int bench_session_run(struct bench_session *session, const size_t *groups,
		      size_t n, struct err *err)
{
	bool cold = false;
	int r = look_at_rest(session, err);

	session->has_run = true;
	if (r == 0)
		r = enter_phase(session, groups, n, BENCH_RUN, err);
	for (size_t i = 0; i < n; i++) {
		struct group *group = &session->groups.items[groups[i]];

		cold = cold || !group->warm;
		group->warm = true;
	}
	if (r < 0 || !cold)
		return r;
	return session_sleep(session, session->config.warm_ms, err);
}

int bench_session_pause(struct bench_session *session, const size_t *groups,
			size_t n, struct err *err)
{
	return enter_phase(session, groups, n, BENCH_IDLE, err);
}

static struct num zero_ppt(const struct group *group)
{
	uint64_t zero = 0;

	if (!group->sample)
		return num_unknown(0);
	for (size_t i = 0; i < group->workers.n; i++)
		zero += bench_worker_zero_blocks(group->workers.items[i]);
	return num_known(
		(int64_t)(zero * 1000 / (group->sample * group->workers.n)));
}

/* A worker that never entered the epoch was stuck in one read throughout: it
 * did no I/O in that time, and says so by what is missing. */
static void collect(const struct bench_session *session,
		    const struct group *group, uint32_t number,
		    struct bench_slice *slice)
{
	uint64_t nr_seen = 0;

	slice->latency = ARENA_NEW(session->arena, struct histogram);
	if (group->shape.write_ppt)
		slice->writes = ARENA_NEW(session->arena, struct histogram);
	for (size_t i = 0; i < group->workers.n; i++) {
		const struct bench_epoch *epoch =
			bench_worker_epoch(group->workers.items[i], number);

		if (!epoch)
			continue;
		collect_epoch(slice, epoch);
		nr_seen++;
	}
	if (nr_seen)
		slice->elapsed_ns /= nr_seen;
	slice->zero_ppt = zero_ppt(group);
}

static int measure(struct bench_session *session, const size_t *groups,
		   size_t n, uint64_t *ret_start_ns, struct err *err)
{
	int r = enter_phase(session, groups, n, BENCH_RUN, err);

	if (r == 0)
		r = session_sleep(session, session->config.settle_ms, err);
	if (r < 0)
		return r;
	*ret_start_ns = bench_now_ns() - session->start_ns;
	r = enter_phase(session, groups, n, BENCH_RUN, err);
	host_watch_begin(session->watch, groups, n);
	if (r == 0)
		r = session_sleep(session, session->config.measure_ms, err);
	if (r < 0)
		return r;
	return enter_phase(session, groups, n, BENCH_RUN, err);
}

static int collect_group(const struct bench_session *session, size_t index,
			 struct bench_slice *slice, struct err *err)
{
	const struct group *group = &session->groups.items[index];

	collect(session, group, bench_word_epoch(group->word) - 1, slice);
	if (group->shape.poll && slice->first_error == EOPNOTSUPP)
		return err_set(
			err, -EOPNOTSUPP,
			"%s: no poll queue serves it: nvme.poll_queues is 0, or was when the driver was loaded",
			group->drive->name);
	if (slice->ios || slice->errors)
		return 0;
	return err_set(err, -ETIMEDOUT, "%s: not one read completed in %u ms",
		       group->drive->name, session->config.measure_ms);
}

int bench_session_measure(struct bench_session *session, const size_t *groups,
			  size_t n, struct bench_slice *slices, struct err *err)
{
	struct bench_method *methods =
		arena_array(session->arena, n, sizeof(*methods));
	uint64_t start_ns;
	int r = measure(session, groups, n, &start_ns, err);

	for (size_t i = 0; i < n && r == 0; i++) {
		slices[i] = (struct bench_slice){
			.sequence = session->nr_slices,
			.start_ns = start_ns,
		};
		methods[i] = bench_session_method(session, groups[i]);
		r = collect_group(session, groups[i], &slices[i], err);
	}
	if (r < 0)
		return r;
	host_watch_end(session->watch, groups, n, methods, slices);
	session->nr_slices++;
	return 0;
}

/* All gates first, so that the workers end side by side. */
void bench_session_free(struct bench_session *session)
{
	uint64_t end_ns;

	if (!session)
		return;
	for (size_t i = 0; i < session->groups.n; i++)
		if (session->groups.items[i].gate)
			next_epoch(session, &i, 1, BENCH_STOP);
	end_ns = bench_now_ns() + session->config.hang_ms * NS_PER_MS;
	for (size_t i = 0; i < session->groups.n; i++) {
		struct group *group = &session->groups.items[i];

		for (size_t j = 0; j < group->workers.n; j++)
			(void)bench_worker_join(group->workers.items[j],
						end_ns);
		if (group->gate)
			bench_gate_put(group->gate);
	}
}

void bench_session_freep(struct bench_session **session)
{
	bench_session_free(*session);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/session.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/gate.h"
#include "bench/group.h"
#include "bench/host_watch.h"
#include "bench/lane.h"

#define NS_PER_MS UINT64_C(1000000)
#define SLEEP_MS 100 /* longest between two looks at the stop flag */

struct bench_session {
	struct arena *arena;
	struct bench_session_config config;
	uint64_t start_ns;
	uint32_t nr_slices;
	uint64_t nr_workers;
	bool stuck; /* a worker no longer follows its gate */
	bool has_run;
	struct host_watch *watch;
	VEC(struct bench_group) groups;
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

/*
 * A ring is a file, and a host with many drives and nodes takes thousands,
 * where a process may usually have 1024 unless it asks for more.
 */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 ||
	    limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

int bench_session_new(struct bench_session **ret, struct arena *arena,
		      const struct bench_session_config *config,
		      struct err *err)
{
	struct bench_session *session;

	if (config->jobs == 0 || config->measure_ms == 0)
		return err_set(err, -EINVAL, "nothing to measure");
	allow_files();
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

int bench_session_add(struct bench_session *session,
		      const struct bench_drive *drive,
		      const struct binding *binding,
		      const struct bench_shape *shape, size_t *ret_group,
		      struct err *err)
{
	struct bench_group *group = vec_add(session->arena, &session->groups);
	int r;

	r = group_start(group, session->arena, &session->config, drive, binding,
			shape, session->nr_workers, err);
	session->nr_workers += group->workers.n;
	if (r < 0)
		return err_context(err, "%s", drive->name);
	host_watch_add(session->watch, drive, &group->cpus);
	*ret_group = session->groups.n - 1;
	return 0;
}

struct bench_method bench_session_method(const struct bench_session *session,
					 size_t group)
{
	return session->groups.items[group].method;
}

/* A store per group; workers notice at their next turn. */
static void next_epoch(struct bench_session *session, const size_t *groups,
		       size_t n, enum bench_phase phase)
{
	for (size_t i = 0; i < n; i++) {
		struct bench_group *group = &session->groups.items[groups[i]];

		group->word = bench_gate_next(group->gate, phase);
	}
}

/* Until all workers have left the epochs before the present one. */
static int wait_seen(struct bench_session *session, const size_t *groups,
		     size_t n, struct err *err)
{
	uint64_t left_ns = session->config.hang_ms * NS_PER_MS;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++)
		r = group_wait(&session->groups.items[groups[i]], &left_ns,
			       err);
	session->stuck = r == -ETIMEDOUT;
	return r;
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
		struct bench_group *group = &session->groups.items[groups[i]];

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

static int measure(struct bench_session *session, const size_t *groups,
		   size_t n, uint64_t *ret_start_ns, struct err *err)
{
	int r = enter_phase(session, groups, n, BENCH_RUN, err);

	if (r == 0)
		r = session_sleep(session, session->config.settle_ms, err);
	if (r < 0)
		return r;
	*ret_start_ns = bench_now_ns() - session->start_ns;
	host_watch_switch(session->watch);
	r = enter_phase(session, groups, n, BENCH_RUN, err);
	host_watch_begin(session->watch, groups, n);
	if (r == 0)
		r = session_sleep(session, session->config.measure_ms, err);
	if (r < 0)
		return r;
	host_watch_switch(session->watch);
	return enter_phase(session, groups, n, BENCH_RUN, err);
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
		methods[i] = session->groups.items[groups[i]].method;
		r = group_collect(&session->groups.items[groups[i]],
				  session->arena, &slices[i], err);
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
	for (size_t i = 0; i < session->groups.n; i++)
		group_end(&session->groups.items[i], end_ns);
}

void bench_session_freep(struct bench_session **session)
{
	bench_session_free(*session);
}

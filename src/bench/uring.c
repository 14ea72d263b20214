/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <poll.h>

#include "bench/uring_inside.h"

struct bench_lane *uring_lane(struct uring *u)
{
	return &u->lane;
}

int uring_fd(const struct uring *u)
{
	return u->ring.ring_fd;
}

/* Whatever the shape: where the slot's next I/O goes, and which it is. */
static inline void aim(struct uring *u, uint32_t slot)
{
	u->sqes[slot].off = bench_lane_next(&u->lane, slot);
	if (u->lane.write_ppt)
		u->sqes[slot].opcode = u->lane.writes[slot] ?
					       uring_write_opcode(u) :
					       uring_read_opcode(u);
}

void uring_fill(struct uring *u)
{
	uint64_t now_ns = bench_now_ns();

	if (u->lane.gap_ns) {
		bench_lane_pace(&u->lane, now_ns);
		return;
	}
	for (uint32_t slot = 0; slot < u->lane.depth; slot++) {
		aim(u, slot);
		u->sq_array[u->sq_tail++ & u->sq_mask] = slot;
		u->lane.start_ns[slot] = now_ns;
	}
	u->lane.in_flight = u->lane.depth;
	u->lane.held_at_ns = now_ns;
	__atomic_store_n(u->sq_ktail, u->sq_tail, __ATOMIC_RELEASE);
}

/* Submit and wait in one system call. */
static int enter(struct uring *u, uint32_t wait)
{
	int r = io_uring_enter((unsigned int)u->enter_fd,
			       u->sq_tail - u->sq_submitted, wait,
			       u->enter_flags, NULL);

	if (__builtin_expect(r >= 0, 1)) {
		u->sq_submitted += (uint32_t)r;
		return 0;
	}
	/* Busy: completions must be taken before more can be submitted. */
	if (r == -EINTR || r == -EAGAIN || r == -EBUSY)
		return 0;
	return r;
}

/* Made twice, so that random reads do not pay for the other shapes. */
static inline __attribute__((always_inline)) int
turn(struct uring *u, struct bench_counters *counters, bool plain)
{
	uint32_t head = *u->cq_khead;
	uint32_t sq_first = u->sq_tail, sq_tail = sq_first;
	uint32_t cq_tail;
	uint64_t seen_ns, stamp_ns;
	int r = enter(u, u->lane.wait);

	if (__builtin_expect(r < 0, 0))
		return r;
	seen_ns = bench_now_ns();
	cq_tail = __atomic_load_n(u->cq_ktail, __ATOMIC_ACQUIRE);
	for (; head != cq_tail; head++) {
		const struct io_uring_cqe *cqe = &u->cqes[head & u->cq_mask];
		uint32_t slot = (uint32_t)cqe->user_data;

		if (plain) {
			bench_lane_count(&u->lane, counters, slot, cqe->res,
					 seen_ns);
			u->sqes[slot].off = bench_lane_offset(&u->lane);
		} else {
			bench_lane_count_any(&u->lane, counters, slot, cqe->res,
					     seen_ns);
			aim(u, slot);
		}
		u->sq_array[sq_tail++ & u->sq_mask] = slot;
	}
	__atomic_store_n(u->cq_khead, head, __ATOMIC_RELEASE);
	stamp_ns = bench_submit_stamp(seen_ns, sq_tail - sq_first);
	for (uint32_t i = sq_first; i != sq_tail; i++)
		u->lane.start_ns[u->sq_array[i & u->sq_mask]] = stamp_ns;
	bench_lane_account(&u->lane, sq_tail - sq_first, seen_ns, stamp_ns);
	u->sq_tail = sq_tail;
	__atomic_store_n(u->sq_ktail, sq_tail, __ATOMIC_RELEASE);
	return 0;
}

/* Of an open loop: completions give their slots back. */
static uint32_t reap_paced(struct uring *u, struct bench_counters *counters)
{
	uint32_t head = *u->cq_khead, first = head;
	uint32_t tail = __atomic_load_n(u->cq_ktail, __ATOMIC_ACQUIRE);
	uint64_t seen_ns = bench_now_ns();

	for (; head != tail; head++) {
		const struct io_uring_cqe *cqe = &u->cqes[head & u->cq_mask];
		uint32_t slot = (uint32_t)cqe->user_data;

		bench_lane_count_any(&u->lane, counters, slot, cqe->res,
				     seen_ns);
		u->lane.idle[u->lane.nr_idle++] = slot;
	}
	__atomic_store_n(u->cq_khead, head, __ATOMIC_RELEASE);
	u->lane.in_flight -= head - first;
	return head - first;
}

/* Kernels before 5.11 cannot wait for completions with a time-out. */
static int rest_by_poll(struct uring *u, const struct timespec *ts)
{
	struct pollfd fd = { .fd = u->ring.ring_fd, .events = POLLIN };

	if (ppoll(&fd, 1, ts, NULL) < 0 && errno != EINTR)
		return -errno;
	return enter(u, 0);
}

/*
 * Until a completion comes, or for so long.  Not by poll() where that can be
 * had: deferred task work (6.1) makes completions only for who waits in
 * io_uring_enter(), and poll() then sleeps its time out beside them.
 */
static int rest(struct uring *u, uint64_t ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(ns / 1000000000U),
		.tv_nsec = (long)(ns % 1000000000U),
	};
	struct __kernel_timespec limit = { .tv_sec = ts.tv_sec,
					   .tv_nsec = ts.tv_nsec };
	struct io_uring_getevents_arg arg = { .ts = (uintptr_t)&limit };
	int r;

	if (!u->enters_timed)
		return rest_by_poll(u, &ts);
	r = io_uring_enter2((unsigned int)u->enter_fd, 0, 1,
			    u->enter_flags | IORING_ENTER_EXT_ARG,
			    (sigset_t *)&arg, sizeof(arg));
	if (r >= 0 || r == -ETIME || r == -EINTR || r == -EAGAIN || r == -EBUSY)
		return 0;
	return r;
}

static int turn_paced(struct uring *u, struct bench_counters *counters)
{
	uint64_t now_ns = bench_now_ns(), rest_ns;
	uint32_t slot;
	int r;

	while (bench_lane_due(&u->lane, counters, now_ns, &slot)) {
		aim(u, slot);
		u->sq_array[u->sq_tail++ & u->sq_mask] = slot;
	}
	__atomic_store_n(u->sq_ktail, u->sq_tail, __ATOMIC_RELEASE);
	r = enter(u, 0);
	if (r < 0 || reap_paced(u, counters))
		return r;
	/* Polled completions only come to those who look for them. */
	rest_ns = u->polled && u->lane.in_flight ?
			  0 :
			  bench_lane_rest_ns(&u->lane, bench_now_ns());
	if (rest_ns == 0)
		return 0;
	r = rest(u, rest_ns);
	if (r == 0)
		(void)reap_paced(u, counters);
	return r;
}

int uring_turn(struct uring *u, struct bench_counters *counters)
{
	if (u->lane.gap_ns)
		return turn_paced(u, counters);
	return u->lane.plain ? turn(u, counters, true) :
			       turn(u, counters, false);
}

/* What is ready but not submitted goes out with it and is waited for. */
int uring_drain(struct uring *u)
{
	while (u->lane.in_flight) {
		uint32_t head, tail;
		int r = enter(u, 1);

		if (r < 0)
			return r;
		head = *u->cq_khead;
		tail = __atomic_load_n(u->cq_ktail, __ATOMIC_ACQUIRE);
		u->lane.in_flight -= tail - head;
		__atomic_store_n(u->cq_khead, tail, __ATOMIC_RELEASE);
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/uring.h"

#include <errno.h>
#include <liburing.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/err.h"
#include "bench/lane.h"

/*
 * One submission entry per slot is filled in once.  For each I/O only its
 * offset and one word of the index array are written, which is why
 * IORING_SETUP_NO_SQARRAY (6.6) is not wanted.
 */
struct uring {
	struct bench_lane lane;

	/* Submission: ours to write, but for the head. */
	uint32_t *sq_array;
	struct io_uring_sqe *sqes;
	uint32_t sq_mask;
	uint32_t sq_tail;      /* what *sq_ktail holds */
	uint32_t sq_submitted; /* what the kernel has taken of it */
	uint32_t *sq_ktail;

	uint32_t *cq_khead;
	uint32_t *cq_ktail;
	uint32_t cq_mask;
	const struct io_uring_cqe *cqes;

	int enter_fd; /* ring.ring_fd or its registered index */
	unsigned int enter_flags;
	bool enters_timed; /* 5.11: io_uring_enter() takes a time-out */

	struct io_uring ring;
	bool fixed_file;
	bool fixed_buffers;
	bool polled;
	int fd;
};

static const struct {
	unsigned int flags;
	enum bench_rung rung;
} ladder[] = {
	{ IORING_SETUP_R_DISABLED | IORING_SETUP_SINGLE_ISSUER |
		  IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN,
	  BENCH_RUNG_DEFER },
	{ IORING_SETUP_R_DISABLED | IORING_SETUP_SINGLE_ISSUER |
		  IORING_SETUP_COOP_TASKRUN,
	  BENCH_RUNG_SINGLE },
	{ IORING_SETUP_R_DISABLED | IORING_SETUP_COOP_TASKRUN,
	  BENCH_RUNG_COOP },
	{ IORING_SETUP_R_DISABLED, BENCH_RUNG_PLAIN },
	{ 0, BENCH_RUNG_PLAIN }, /* before 5.10 */
};

static int refused(int code, struct err *err)
{
	switch (-code) {
	case EPERM:
	case EACCES:
		return err_set(
			err, code,
			"io_uring is not permitted here (sysctl kernel.io_uring_disabled, or a container's seccomp filter)");
	case ENOSYS:
		return err_set(
			err, code,
			"this kernel, or a container's seccomp filter, has no io_uring");
	case ENOMEM:
		return err_set(
			err, code,
			"not enough memory that may be locked for io_uring (ulimit -l)");
	default:
		return err_errno(err, code, "cannot set up io_uring");
	}
}

static int set_up(struct uring *u, enum bench_rung first,
		  struct bench_ring_info *info, struct io_uring_params *params,
		  struct err *err)
{
	int r = -EINVAL;

	for (size_t i = 0; i < sizeof(ladder) / sizeof(ladder[0]); i++) {
		if (ladder[i].rung < first)
			continue;
		*params = (struct io_uring_params){
			.flags = ladder[i].flags |
				 (u->polled ? IORING_SETUP_IOPOLL : 0),
		};
		r = io_uring_setup(u->lane.depth, params);
		if (r >= 0) {
			info->rung = ladder[i].rung;
			break;
		}
		if (r != -EINVAL)
			break;
	}
	if (r < 0)
		return refused(r, err);
	u->ring.ring_fd = r;
	u->enters_timed = params->features & IORING_FEAT_EXT_ARG;
	r = io_uring_queue_mmap(u->ring.ring_fd, params, &u->ring);
	if (r < 0) {
		(void)close(u->ring.ring_fd);
		u->ring.ring_fd = -1;
		return err_errno(err, r, "cannot map the io_uring");
	}
	return 0;
}

/* Each of these is worth instructions, none is needed: where locked memory
 * is short or the kernel older, the label says which were had. */
static void register_all(struct uring *u, struct bench_ring_info *info)
{
	struct iovec all = {
		.iov_base = u->lane.buffers,
		.iov_len = (size_t)u->lane.depth * u->lane.block_bytes,
	};

	u->fixed_buffers = io_uring_register_buffers(&u->ring, &all, 1) == 0;
	u->fixed_file = u->fd >= 0 &&
			io_uring_register_files(&u->ring, &u->fd, 1) == 0;
	info->fixed_buffers = u->fixed_buffers;
	info->fixed_files = u->fixed_file;
	u->enter_fd = u->ring.ring_fd;
	u->enter_flags = IORING_ENTER_GETEVENTS;
	if (io_uring_register_ring_fd(&u->ring) == 1) {
		u->enter_fd = u->ring.enter_ring_fd;
		u->enter_flags |= IORING_ENTER_REGISTERED_RING;
	}
}

/*
 * From here on the kernel refuses anything but reads, and writes where they
 * were asked for, on this ring with -EACCES.  IOSQE_FIXED_FILE has to be
 * allowed by name, or every read is refused too.  Letting go of files and of
 * the registered ring must stay possible for uring_close().
 */
static int restrict_ring(struct uring *u)
{
	struct io_uring_restriction rules[] = {
		{ .opcode = IORING_RESTRICTION_SQE_OP,
		  .sqe_op = IORING_OP_READ },
		{ .opcode = IORING_RESTRICTION_SQE_OP,
		  .sqe_op = IORING_OP_READ_FIXED },
		{ .opcode = IORING_RESTRICTION_SQE_OP,
		  .sqe_op = IORING_OP_NOP },
		{ .opcode = IORING_RESTRICTION_SQE_FLAGS_ALLOWED,
		  .sqe_flags = IOSQE_FIXED_FILE },
		{ .opcode = IORING_RESTRICTION_REGISTER_OP,
		  .register_op = IORING_UNREGISTER_FILES },
		{ .opcode = IORING_RESTRICTION_REGISTER_OP,
		  .register_op = IORING_UNREGISTER_RING_FDS },
		{ .opcode = IORING_RESTRICTION_SQE_OP,
		  .sqe_op = IORING_OP_WRITE },
		{ .opcode = IORING_RESTRICTION_SQE_OP,
		  .sqe_op = IORING_OP_WRITE_FIXED },
	};
	struct io_uring_restriction *first = rules;
	unsigned int n = sizeof(rules) / sizeof(rules[0]);
	unsigned int fd = n - 3; /* kernels before 5.18 do not know this one */

	if (!u->lane.write_ppt)
		n -= 2;
	if (io_uring_register(u->ring.ring_fd, IORING_REGISTER_RESTRICTIONS,
			      first, n) == 0)
		return 0;
	rules[fd] = rules[0];
	return io_uring_register(u->ring.ring_fd, IORING_REGISTER_RESTRICTIONS,
				 first, n);
}

static int enable(struct uring *u, const struct io_uring_params *params,
		  struct bench_ring_info *info, struct err *err)
{
	int r;

	if (!(params->flags & IORING_SETUP_R_DISABLED))
		return 0;
	info->restricted = restrict_ring(u) == 0;
	r = io_uring_register(u->ring.ring_fd, IORING_REGISTER_ENABLE_RINGS,
			      NULL, 0);
	if (r < 0)
		return err_errno(err, r, "cannot enable the io_uring");
	return 0;
}

static void index_rings(struct uring *u)
{
	struct io_uring_sq *sq = &u->ring.sq;
	struct io_uring_cq *cq = &u->ring.cq;

	u->sq_array = sq->array;
	u->sqes = sq->sqes;
	u->sq_mask = *sq->kring_mask;
	u->sq_ktail = sq->ktail;
	u->sq_tail = u->sq_submitted = *sq->ktail;
	u->cq_khead = cq->khead;
	u->cq_ktail = cq->ktail;
	u->cq_mask = *cq->kring_mask;
	u->cqes = cq->cqes;
}

static uint8_t read_opcode(const struct uring *u)
{
	return u->fixed_buffers ? IORING_OP_READ_FIXED : IORING_OP_READ;
}

static uint8_t write_opcode(const struct uring *u)
{
	return u->fixed_buffers ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE;
}

/* The result of a request that does nothing is 0: count that as whole. */
static void prefill_nop(struct uring *u)
{
	for (uint32_t slot = 0; slot < u->lane.depth; slot++)
		u->sqes[slot] = (struct io_uring_sqe){
			.opcode = IORING_OP_NOP,
			.fd = -1,
			.user_data = slot,
		};
	u->lane.block_bytes = 0;
}

static void prefill(struct uring *u)
{
	for (uint32_t slot = 0; slot < u->lane.depth; slot++) {
		struct io_uring_sqe *sqe = &u->sqes[slot];

		memset(sqe, 0, sizeof(*sqe));
		sqe->opcode = read_opcode(u);
		sqe->flags = u->fixed_file ? IOSQE_FIXED_FILE : 0;
		sqe->fd = u->fixed_file ? 0 : u->fd;
		sqe->addr =
			(uint64_t)(uintptr_t)bench_lane_buffer(&u->lane, slot);
		sqe->len = u->lane.block_bytes;
		sqe->user_data = slot;
	}
}

int uring_open(struct uring **ret, const struct bench_ring_config *config,
	       struct bench_ring_info *info, struct err *err)
{
	struct io_uring_params params;
	struct uring *u = calloc(1, sizeof(*u));
	int r;

	if (!u)
		return err_set(err, -ENOMEM, "out of memory");
	u->ring.ring_fd = -1;
	u->fd = config->fd;
	u->polled = info->polled = config->shape.poll;
	r = bench_lane_init(&u->lane, config);
	if (r < 0)
		(void)err_errno(err, r, "cannot allocate buffers");
	if (r == 0)
		r = set_up(u, config->first, info, &params, err);
	if (r == 0) {
		register_all(u, info);
		r = enable(u, &params, info, err);
	}
	if (r < 0) {
		uring_close(u);
		return r;
	}
	index_rings(u);
	if (config->nop)
		prefill_nop(u);
	else
		prefill(u);
	*ret = u;
	return 0;
}

/*
 * The kernel takes a ring down some time after it was closed.  The drive is
 * let go of here and now, or a module would still be in use afterwards;
 * with reads in flight that would wait for them.
 */
void uring_close(struct uring *u)
{
	if (u->fixed_file && u->lane.in_flight == 0)
		(void)io_uring_unregister_files(&u->ring);
	if (u->ring.ring_fd >= 0)
		io_uring_queue_exit(&u->ring);
	bench_lane_done(&u->lane);
	free(u);
}

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
		u->sqes[slot].opcode = u->lane.writes[slot] ? write_opcode(u) :
							      read_opcode(u);
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

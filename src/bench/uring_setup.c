/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/err.h"
#include "bench/uring_inside.h"

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
	case EMFILE:
		return err_set(
			err, code,
			"too many open files for an io_uring of each worker (ulimit -n)");
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
		sqe->opcode = uring_read_opcode(u);
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

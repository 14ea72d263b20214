/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <liburing.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/lane.h"
#include "bench/uring.h"

/* What setting a ring up and turning it have in common. */

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

static inline uint8_t uring_read_opcode(const struct uring *u)
{
	return u->fixed_buffers ? IORING_OP_READ_FIXED : IORING_OP_READ;
}

static inline uint8_t uring_write_opcode(const struct uring *u)
{
	return u->fixed_buffers ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE;
}

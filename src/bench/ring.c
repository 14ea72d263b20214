/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/aio.h"
#include "bench/lane.h"
#include "bench/uring.h"
#include "sys/device.h"

struct bench_ring {
	struct uring *uring; /* one of the two */
	struct aio *aio;
	struct bench_ring_info info;
};

static bool may_fall_back(int code)
{
	return code == -EPERM || code == -EACCES || code == -ENOSYS ||
	       code == -ENOMEM;
}

static int open_engine(struct bench_ring *ring,
		       const struct bench_ring_config *config, struct err *err)
{
	struct err why = { 0 };
	int r;

	if (config->first < BENCH_RUNG_AIO) {
		r = uring_open(&ring->uring, config, &ring->info, &why);
		if (r == 0)
			return 0;
		if (!may_fall_back(r))
			return err_set(err, r, "%s", why.text);
		ring->info.fallback = why;
	}
	if (config->shape.poll || config->nop)
		return err_set(err, -EOPNOTSUPP, "%s%sAIO cannot %s", why.text,
			       why.text[0] ? ", and " : "",
			       config->nop ? "do without I/O" : "poll");
	ring->info.rung = BENCH_RUNG_AIO;
	r = aio_open(&ring->aio, config, err);
	if (r < 0 && ring->info.fallback.code)
		return err_context(err, "%s, and AIO",
				   ring->info.fallback.text);
	return r;
}

static int check_shape(const struct bench_ring_config *config, struct err *err)
{
	const struct bench_shape *shape = &config->shape;

	if (shape->depth == 0 || shape->depth > BENCH_DEPTH_MAX)
		return err_set(err, -ERANGE, "depth %u is not within 1..%u",
			       shape->depth, BENCH_DEPTH_MAX);
	if (shape->batch > shape->depth)
		return err_set(err, -ERANGE,
			       "batch %u is not within 0..%u, the depth",
			       shape->batch, shape->depth);
	if (shape->block_bytes == 0 || shape->block_bytes > BENCH_BLOCK_MAX ||
	    shape->block_bytes % 512)
		return err_set(
			err, -ERANGE,
			"a block of %u bytes is no multiple of 512 within 512..%u",
			shape->block_bytes, BENCH_BLOCK_MAX);
	if (shape->write_ppt > 1000)
		return err_set(err, -ERANGE,
			       "%u writes for 1000 I/Os are not within 0..1000",
			       shape->write_ppt);
	if (config->size_bytes < shape->block_bytes)
		return err_set(
			err, -ENOSPC,
			"the device has %llu bytes, less than a block of %u",
			(unsigned long long)config->size_bytes,
			shape->block_bytes);
	return 0;
}

int bench_ring_open(struct bench_ring **ret,
		    const struct bench_ring_config *config, struct err *err)
{
	struct bench_ring *ring;
	int r = check_shape(config, err);

	if (r == 0 && config->shape.write_ppt)
		r = device_check_file(config->fd, err);
	if (r < 0)
		return r;
	ring = calloc(1, sizeof(*ring));
	if (!ring)
		return err_set(err, -ENOMEM, "out of memory");
	r = open_engine(ring, config, err);
	if (r < 0) {
		free(ring);
		return r;
	}
	*ret = ring;
	return 0;
}

void bench_ring_close(struct bench_ring *ring)
{
	if (!ring)
		return;
	if (ring->uring)
		uring_close(ring->uring);
	if (ring->aio)
		aio_close(ring->aio);
	free(ring);
}

const struct bench_ring_info *bench_ring_info(const struct bench_ring *ring)
{
	return &ring->info;
}

int bench_ring_fd(const struct bench_ring *ring)
{
	return ring->uring ? uring_fd(ring->uring) : -1;
}

void bench_ring_fill(struct bench_ring *ring)
{
	if (ring->uring)
		uring_fill(ring->uring);
	else
		aio_fill(ring->aio);
}

static struct bench_lane *lane_of(const struct bench_ring *ring)
{
	return ring->uring ? uring_lane(ring->uring) : aio_lane(ring->aio);
}

void bench_ring_catch_up(struct bench_ring *ring)
{
	struct bench_lane *lane = lane_of(ring);
	uint64_t now_ns = bench_now_ns();

	if (lane->gap_ns && lane->due_ns < now_ns)
		lane->due_ns = now_ns;
}

uint64_t bench_ring_held_ns(const struct bench_ring *ring, uint64_t now_ns)
{
	const struct bench_lane *lane = lane_of(ring);
	uint64_t waiting_ns = 0;

	if (lane->gap_ns)
		return 0;
	for (uint32_t slot = 0; slot < lane->depth; slot++)
		waiting_ns += now_ns - lane->start_ns[slot];
	return lane->held_ns + lane->depth * (now_ns - lane->held_at_ns) -
	       waiting_ns;
}

/* What nothing has been read into is told apart by this. */
#define UNREAD 0xa5

static bool is_zero(const char *bytes, size_t n)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0;
}

/* A closed loop of random reads, whatever the shape, for as long as this
 * takes. */
int bench_ring_sample(struct bench_ring *ring, uint32_t n, uint32_t *ret_zero)
{
	struct bench_lane *lane = lane_of(ring);
	uint64_t gap_ns = lane->gap_ns;
	bool sequential = lane->sequential;
	uint32_t done, zero = 0;
	int r = 0;

	lane->gap_ns = 0;
	lane->sequential = false;
	for (done = 0; done < n && r == 0; done += lane->depth) {
		memset(lane->buffers, UNREAD,
		       (size_t)lane->depth * lane->block_bytes);
		bench_ring_fill(ring);
		r = bench_ring_drain(ring);
		for (uint32_t i = 0; i < lane->depth && done + i < n; i++)
			zero += is_zero(bench_lane_buffer(lane, i),
					lane->block_bytes);
	}
	lane->gap_ns = gap_ns;
	lane->sequential = sequential;
	*ret_zero = zero;
	return r;
}

int bench_ring_turn(struct bench_ring *ring, struct bench_counters *counters)
{
	return ring->uring ? uring_turn(ring->uring, counters) :
			     aio_turn(ring->aio, counters);
}

int bench_ring_drain(struct bench_ring *ring)
{
	return ring->uring ? uring_drain(ring->uring) : aio_drain(ring->aio);
}

const char *bench_rung_text(enum bench_rung rung)
{
	static const char *const texts[] = {
		[BENCH_RUNG_DEFER] =
			"io_uring (single issuer, deferred task work)",
		[BENCH_RUNG_SINGLE] =
			"io_uring (single issuer, cooperative task work)",
		[BENCH_RUNG_COOP] = "io_uring (cooperative task work)",
		[BENCH_RUNG_PLAIN] = "io_uring (plain)",
		[BENCH_RUNG_AIO] = "aio",
	};

	return texts[rung];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/aio.h"

#include <errno.h>
#include <linux/aio_abi.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "bench/lane.h"

/*
 * fs/aio.c maps its completion ring into the process at the address that is
 * the context's handle, so completions can be taken without a system call.
 * The layout has been the same since 2.6; magic and the compat word tell.
 */
#define AIO_RING_MAGIC 0xa10a10a1U
#define AIO_RING_COMPAT 1U

struct aio_ring {
	uint32_t id;
	uint32_t nr;
	uint32_t head;
	uint32_t tail;
	uint32_t magic;
	uint32_t compat_features;
	uint32_t incompat_features;
	uint32_t header_length;
	struct io_event events[];
};

struct aio {
	struct bench_lane lane;
	aio_context_t context;
	struct aio_ring *ring; /* NULL: of a layout that we do not know */
	struct iocb *iocbs;    /* one per slot */
	struct iocb **ready;   /* to be submitted */
	uint32_t nr_ready;
	struct io_event *events; /* as many as slots */
};

static int set_up(struct aio *aio, struct err *err)
{
	struct aio_ring *ring;
	int code;

	if (syscall(SYS_io_setup, aio->lane.depth, &aio->context) < 0) {
		code = -errno;
		if (code == -EAGAIN)
			return err_set(
				err, code,
				"no AIO context left (sysctl fs.aio-max-nr)");
		return err_errno(err, code, "cannot set up AIO");
	}
	/* The kernel's handle is an address of this process. */
	ring = (struct aio_ring *)(uintptr_t)aio->context;
	if (ring->magic == AIO_RING_MAGIC && ring->incompat_features == 0 &&
	    ring->compat_features & AIO_RING_COMPAT)
		aio->ring = ring;
	return 0;
}

static void prefill(struct aio *aio, int fd)
{
	for (uint32_t slot = 0; slot < aio->lane.depth; slot++) {
		struct iocb *iocb = &aio->iocbs[slot];

		iocb->aio_data = slot;
		iocb->aio_lio_opcode = IOCB_CMD_PREAD;
		iocb->aio_fildes = (uint32_t)fd;
		iocb->aio_buf = (uint64_t)(uintptr_t)bench_lane_buffer(
			&aio->lane, slot);
		iocb->aio_nbytes = aio->lane.block_bytes;
	}
}

int aio_open(struct aio **ret, const struct bench_ring_config *config,
	     struct err *err)
{
	struct aio *aio = calloc(1, sizeof(*aio));
	uint32_t depth = config->shape.depth;
	int r;

	if (!aio)
		return err_set(err, -ENOMEM, "out of memory");
	aio->iocbs = calloc(depth, sizeof(*aio->iocbs));
	aio->ready = calloc(depth, sizeof(*aio->ready));
	aio->events = calloc(depth, sizeof(*aio->events));
	r = bench_lane_init(&aio->lane, config);
	if (r < 0 || !aio->iocbs || !aio->ready || !aio->events)
		r = err_set(err, -ENOMEM, "cannot allocate buffers");
	else
		r = set_up(aio, err);
	if (r < 0) {
		aio_close(aio);
		return r;
	}
	prefill(aio, config->fd);
	*ret = aio;
	return 0;
}

void aio_close(struct aio *aio)
{
	if (aio->context)
		(void)syscall(SYS_io_destroy, aio->context);
	bench_lane_done(&aio->lane);
	free(aio->iocbs);
	free(aio->ready);
	free(aio->events);
	free(aio);
}

static void make_ready(struct aio *aio, uint32_t slot)
{
	aio->iocbs[slot].aio_offset = (int64_t)bench_lane_any(&aio->lane);
	aio->ready[aio->nr_ready++] = &aio->iocbs[slot];
}

static void stamp_ready(struct aio *aio, uint64_t now_ns)
{
	for (uint32_t i = 0; i < aio->nr_ready; i++)
		aio->lane.start_ns[aio->ready[i] - aio->iocbs] = now_ns;
}

void aio_fill(struct aio *aio)
{
	for (uint32_t slot = 0; slot < aio->lane.depth; slot++)
		make_ready(aio, slot);
	aio->lane.in_flight = aio->lane.depth;
	stamp_ready(aio, bench_now_ns());
}

static int submit(struct aio *aio)
{
	uint32_t done = 0;

	while (done < aio->nr_ready) {
		long n = syscall(SYS_io_submit, aio->context,
				 (long)(aio->nr_ready - done),
				 aio->ready + done);

		if (n > 0)
			done += (uint32_t)n;
		else if (n < 0 && errno != EINTR)
			return -errno;
	}
	aio->nr_ready = 0;
	return 0;
}

/* Copied out before the head moves: the kernel may fill the place again. */
static uint32_t take(struct aio *aio)
{
	struct aio_ring *ring = aio->ring;
	uint32_t head = ring->head, n = 0;
	uint32_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);

	for (; head != tail && n < aio->lane.depth; n++) {
		aio->events[n] = ring->events[head];
		head = head + 1 == ring->nr ? 0 : head + 1;
	}
	__atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
	return n;
}

/* Fewer than wanted when a signal came first. */
static int reap(struct aio *aio, uint32_t wait, uint32_t *ret_n)
{
	uint32_t n = aio->ring ? take(aio) : 0;
	long more = 0;

	if (n < wait)
		more = syscall(SYS_io_getevents, aio->context, (long)(wait - n),
			       (long)(aio->lane.depth - n), aio->events + n,
			       NULL);
	if (more < 0 && errno != EINTR)
		return -errno;
	*ret_n = more < 0 ? n : n + (uint32_t)more;
	return 0;
}

int aio_turn(struct aio *aio, struct bench_counters *counters)
{
	uint64_t seen_ns;
	uint32_t n;
	int r = submit(aio);

	if (r == 0)
		r = reap(aio, aio->lane.wait, &n);
	if (r < 0)
		return r;
	seen_ns = bench_now_ns();
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = (uint32_t)aio->events[i].data;

		bench_lane_count(&aio->lane, counters, slot, aio->events[i].res,
				 seen_ns);
		make_ready(aio, slot);
	}
	stamp_ready(aio, bench_submit_stamp(seen_ns, n));
	return 0;
}

int aio_drain(struct aio *aio)
{
	/* What was only ready has not been seen by the kernel. */
	aio->lane.in_flight -= aio->nr_ready;
	aio->nr_ready = 0;
	while (aio->lane.in_flight) {
		uint32_t n;
		int r = reap(aio, 1, &n);

		if (r < 0)
			return r;
		aio->lane.in_flight -= n;
	}
	return 0;
}

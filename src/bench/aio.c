/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/aio.h"

#include <errno.h>
#include <linux/aio_abi.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
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

static inline __attribute__((always_inline)) void
make_ready(struct aio *aio, uint32_t slot, bool plain)
{
	struct iocb *iocb = &aio->iocbs[slot];

	if (plain) {
		iocb->aio_offset = (int64_t)bench_lane_offset(&aio->lane);
	} else {
		iocb->aio_offset = (int64_t)bench_lane_next(&aio->lane, slot);
		iocb->aio_lio_opcode = aio->lane.writes[slot] ?
					       IOCB_CMD_PWRITE :
					       IOCB_CMD_PREAD;
	}
	aio->ready[aio->nr_ready++] = &aio->iocbs[slot];
}

static void stamp_ready(struct aio *aio, uint64_t now_ns)
{
	for (uint32_t i = 0; i < aio->nr_ready; i++)
		aio->lane.start_ns[aio->ready[i] - aio->iocbs] = now_ns;
}

struct bench_lane *aio_lane(struct aio *aio)
{
	return &aio->lane;
}

void aio_fill(struct aio *aio)
{
	uint64_t now_ns = bench_now_ns();

	if (aio->lane.gap_ns) {
		bench_lane_pace(&aio->lane, now_ns);
		return;
	}
	for (uint32_t slot = 0; slot < aio->lane.depth; slot++)
		make_ready(aio, slot, false);
	aio->lane.in_flight = aio->lane.depth;
	aio->lane.held_at_ns = now_ns;
	stamp_ready(aio, now_ns);
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

/* Fewer than wanted when a signal came first, or the time was over. */
static int reap(struct aio *aio, uint32_t wait, struct timespec *most,
		uint32_t *ret_n)
{
	uint32_t n = aio->ring ? take(aio) : 0;
	long more = 0;

	*ret_n = 0;
	if (n < wait)
		more = syscall(SYS_io_getevents, aio->context, (long)(wait - n),
			       (long)(aio->lane.depth - n), aio->events + n,
			       most);
	if (more < 0 && errno != EINTR)
		return -errno;
	*ret_n = more < 0 ? n : n + (uint32_t)more;
	return 0;
}

/* Made twice, so that random reads do not pay for the other shapes. */
static inline __attribute__((always_inline)) int
turn(struct aio *aio, struct bench_counters *counters, bool plain)
{
	uint64_t seen_ns, stamp_ns;
	uint32_t n;
	int r = submit(aio);

	if (r == 0)
		r = reap(aio, aio->lane.wait, NULL, &n);
	if (r < 0)
		return r;
	seen_ns = bench_now_ns();
	for (uint32_t i = 0; i < n; i++) {
		const struct io_event *event = &aio->events[i];
		uint32_t slot = (uint32_t)event->data;

		if (plain)
			bench_lane_count(&aio->lane, counters, slot, event->res,
					 seen_ns);
		else
			bench_lane_count_any(&aio->lane, counters, slot,
					     event->res, seen_ns);
		make_ready(aio, slot, plain);
	}
	stamp_ns = bench_submit_stamp(seen_ns, n);
	stamp_ready(aio, stamp_ns);
	bench_lane_account(&aio->lane, n, seen_ns, stamp_ns);
	return 0;
}

/* Of an open loop: completions give their slots back. */
static int reap_paced(struct aio *aio, struct bench_counters *counters,
		      uint64_t rest_ns, uint32_t *ret_n)
{
	struct timespec most = {
		.tv_sec = (time_t)(rest_ns / 1000000000U),
		.tv_nsec = (long)(rest_ns % 1000000000U),
	};
	uint64_t seen_ns;
	int r = reap(aio, 1, &most, ret_n);

	if (r < 0)
		return r;
	seen_ns = bench_now_ns();
	for (uint32_t i = 0; i < *ret_n; i++) {
		uint32_t slot = (uint32_t)aio->events[i].data;

		bench_lane_count_any(&aio->lane, counters, slot,
				     aio->events[i].res, seen_ns);
		aio->lane.idle[aio->lane.nr_idle++] = slot;
	}
	aio->lane.in_flight -= *ret_n;
	return 0;
}

static int turn_paced(struct aio *aio, struct bench_counters *counters)
{
	uint64_t now_ns = bench_now_ns(), rest_ns;
	uint32_t slot, n = 0;
	int r;

	while (bench_lane_due(&aio->lane, counters, now_ns, &slot))
		make_ready(aio, slot, false);
	r = submit(aio);
	if (r == 0)
		r = reap_paced(aio, counters, 0, &n);
	if (r < 0 || n)
		return r;
	rest_ns = bench_lane_rest_ns(&aio->lane, bench_now_ns());
	return rest_ns ? reap_paced(aio, counters, rest_ns, &n) : 0;
}

int aio_turn(struct aio *aio, struct bench_counters *counters)
{
	if (aio->lane.gap_ns)
		return turn_paced(aio, counters);
	return aio->lane.plain ? turn(aio, counters, true) :
				 turn(aio, counters, false);
}

/* What is ready but not submitted goes out with it and is waited for. */
int aio_drain(struct aio *aio)
{
	int r = submit(aio);

	while (r == 0 && aio->lane.in_flight) {
		uint32_t n;

		r = reap(aio, 1, NULL, &n);
		if (r == 0)
			aio->lane.in_flight -= n;
	}
	return r;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/ceiling.h"
#include "bench/lane.h"
#include "bench/ring.h"

#define SIZE (UINT64_C(1) << 20)

static struct bench_ring_config config_of(const struct bench_drive *drive,
					  uint32_t depth, enum bench_rung first)
{
	return (struct bench_ring_config){
		.fd = drive->fd,
		.size_bytes = drive->size_bytes,
		.shape = { .block_bytes = drive->block_bytes, .depth = depth },
		.seed = 1,
		.first = first,
	};
}

static struct bench_ring *open_ring(const struct bench_drive *drive,
				    uint32_t depth, enum bench_rung first)
{
	struct bench_ring_config config = config_of(drive, depth, first);
	struct bench_ring *ring = NULL;
	struct err err = { 0 };

	if (bench_ring_open(&ring, &config, &err) < 0)
		fail_msg("%s", err.text);
	return ring;
}

static void turn_until(struct bench_ring *ring, struct bench_counters *counters,
		       uint64_t ios)
{
	bench_ring_fill(ring);
	while (counters->latency.count + counters->errors < ios)
		assert_int_equal(bench_ring_turn(ring, counters), 0);
	assert_int_equal(bench_ring_drain(ring), 0);
}

/* Twice, as an idle ring has to start again. */
static void reads_on_every_rung(void **state)
{
	static struct bench_counters counters;
	struct bench_drive drive = memory_drive("memory", SIZE);

	(void)state;
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO; rung++) {
		struct bench_ring *ring =
			open_ring(&drive, 7, (enum bench_rung)rung);

		memset(&counters, 0, sizeof(counters));
		turn_until(ring, &counters, 500);
		turn_until(ring, &counters, 1000);
		assert_true(counters.latency.count >= 1000);
		assert_true(counters.latency.count < 1000 + 2 * 7);
		assert_int_equal(counters.errors, 0);
		assert_true(counters.latency.min_ns > 0);
		assert_true(bench_ring_info(ring)->rung >=
			    (enum bench_rung)rung);
		bench_ring_close(ring);
	}
	(void)close(drive.fd);
}

static void offsets_cover_the_device_and_nothing_beyond_it(void **state)
{
	static struct bench_counters counters;
	struct bench_drive drive = memory_drive("memory", 3 * 4096 + 100);
	struct bench_ring *ring = open_ring(&drive, 4, BENCH_RUNG_DEFER);

	(void)state;
	memset(&counters, 0, sizeof(counters));
	turn_until(ring, &counters, 1000);
	assert_int_equal(counters.errors, 0);
	/* Now the last whole block is gone: about a third of all reads. */
	assert_int_equal(ftruncate(drive.fd, 2 * 4096), 0);
	memset(&counters, 0, sizeof(counters));
	turn_until(ring, &counters, 3000);
	assert_in_range(counters.errors, 700, 1300);
	bench_ring_close(ring);
	(void)close(drive.fd);
}

static void failed_and_short_reads_are_counted_and_do_not_stop_it(void **state)
{
	static struct bench_counters counters;
	struct bench_drive drive = memory_drive("memory", SIZE);

	(void)state;
	assert_int_equal(ftruncate(drive.fd, 0), 0);
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO;
	     rung += BENCH_RUNG_AIO) {
		struct bench_ring *ring =
			open_ring(&drive, 4, (enum bench_rung)rung);

		memset(&counters, 0, sizeof(counters));
		turn_until(ring, &counters, 100);
		assert_true(counters.errors >= 100);
		assert_int_equal(counters.latency.count, 0);
		assert_int_equal(counters.first_error, EIO);
		bench_ring_close(ring);
	}
	(void)close(drive.fd);
}

static void sequential_reads_take_every_block_in_turn(void **state)
{
	static struct bench_counters counters;
	struct bench_drive drive = memory_drive("memory", 3 * 4096 + 100);

	(void)state;
	/* Of the three blocks the last is gone: exactly every third read. */
	assert_int_equal(ftruncate(drive.fd, 2 * 4096), 0);
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO;
	     rung += BENCH_RUNG_AIO) {
		struct bench_ring_config config =
			config_of(&drive, 3, (enum bench_rung)rung);
		struct bench_ring *ring = NULL;

		config.shape.sequential = true;
		assert_int_equal(bench_ring_open(&ring, &config, NULL), 0);
		memset(&counters, 0, sizeof(counters));
		turn_until(ring, &counters, 3000);
		assert_in_range(counters.errors * 3,
				counters.latency.count + counters.errors - 3,
				counters.latency.count + counters.errors + 3);
		bench_ring_close(ring);
	}
	(void)close(drive.fd);
}

static struct bench_ring *open_shape(const struct bench_drive *drive,
				     const struct bench_shape *shape,
				     enum bench_rung first)
{
	struct bench_ring_config config = config_of(drive, 1, first);
	struct bench_ring *ring = NULL;
	struct err err = { 0 };

	config.shape = *shape;
	if (bench_ring_open(&ring, &config, &err) < 0)
		fail_msg("%s", err.text);
	return ring;
}

static uint64_t nr_done(const struct bench_counters *counters)
{
	return counters->latency.count + counters->errors;
}

/* However slow the machine is: so many starts need as many gaps. */
static void open_loop_never_runs_ahead_of_its_schedule(void **state)
{
	static const struct bench_shape shape = { .block_bytes = 4096,
						  .depth = 4,
						  .gap_ns = 1000000 };
	static struct bench_counters counters;
	struct bench_drive drive = memory_drive("memory", SIZE);

	(void)state;
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO;
	     rung += BENCH_RUNG_AIO) {
		struct bench_ring *ring =
			open_shape(&drive, &shape, (enum bench_rung)rung);
		uint64_t begin_ns = bench_now_ns();

		memset(&counters, 0, sizeof(counters));
		turn_until(ring, &counters, 100);
		assert_true(bench_now_ns() - begin_ns >= 98 * shape.gap_ns);
		assert_int_equal(counters.errors, 0);
		assert_int_equal(bench_ring_held_ns(ring, bench_now_ns()), 0);
		bench_ring_close(ring);
	}
	(void)close(drive.fd);
}

static void latency_counts_from_the_intended_start(void **state)
{
	static const struct bench_shape shape = { .block_bytes = 4096,
						  .depth = 4,
						  .gap_ns = 1000000 };
	static const struct timespec stall = { .tv_nsec = 50000000 };
	static struct bench_counters counters;
	struct bench_drive drive = memory_drive("memory", SIZE);

	(void)state;
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO;
	     rung += BENCH_RUNG_AIO) {
		struct bench_ring *ring =
			open_shape(&drive, &shape, (enum bench_rung)rung);

		memset(&counters, 0, sizeof(counters));
		bench_ring_fill(ring);
		(void)nanosleep(&stall, NULL);
		while (nr_done(&counters) < 40)
			assert_int_equal(bench_ring_turn(ring, &counters), 0);
		assert_true(counters.latency.max_ns >= 45000000);
		assert_true(counters.late >= 40);
		assert_int_equal(bench_ring_drain(ring), 0);
		bench_ring_close(ring);
	}
	(void)close(drive.fd);
}

/* A file that is gone already, read from its disk; -1: cannot be had here. */
static int disk_file(void)
{
	static char block[4096] __attribute__((aligned(4096)));
	int fd = open(".", O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);

	for (uint64_t at = 0; fd >= 0 && at < SIZE; at += sizeof(block))
		assert_int_equal(pwrite(fd, block, sizeof(block), (off_t)at),
				 sizeof(block));
	return fd;
}

/*
 * Memory answers before anybody could wait for it.  What answers while the
 * worker rests must be seen then, and not when its rest is over.
 */
static void open_loop_sees_completions_while_it_rests(void **state)
{
	static const struct bench_shape shape = { .block_bytes = 4096,
						  .depth = 1,
						  .gap_ns = 1000000 };
	static struct bench_counters counters;
	struct bench_drive drive = { .name = "file",
				     .fd = disk_file(),
				     .size_bytes = SIZE,
				     .block_bytes = 4096 };

	(void)state;
	if (drive.fd < 0)
		skip();
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO; rung++) {
		struct bench_ring *ring =
			open_shape(&drive, &shape, (enum bench_rung)rung);
		uint64_t begin_ns = bench_now_ns();

		memset(&counters, 0, sizeof(counters));
		turn_until(ring, &counters, 50);
		assert_int_equal(counters.errors, 0);
		/* The longest rest is 100 ms: slept out each time it is 5 s. */
		assert_true(bench_now_ns() - begin_ns < 2500000000);
		bench_ring_close(ring);
	}
	(void)close(drive.fd);
}

static void caught_up_schedule_has_no_backlog(void **state)
{
	static const struct bench_shape shape = { .block_bytes = 4096,
						  .depth = 8,
						  .gap_ns = 100000000 };
	static const struct timespec stall = { .tv_sec = 1 };
	static struct bench_counters counters;
	struct bench_drive drive = memory_drive("memory", SIZE);
	struct bench_ring *ring = open_shape(&drive, &shape, BENCH_RUNG_DEFER);

	(void)state;
	memset(&counters, 0, sizeof(counters));
	bench_ring_fill(ring);
	(void)nanosleep(&stall, NULL);
	bench_ring_catch_up(ring);
	do
		assert_int_equal(bench_ring_turn(ring, &counters), 0);
	while (nr_done(&counters) == 0);
	assert_true(nr_done(&counters) < 8);
	bench_ring_close(ring);
	(void)close(drive.fd);
}

static void poisson_gaps_have_the_mean_and_are_not_equal(void **state)
{
	const struct bench_ring_config config = {
		.size_bytes = SIZE,
		.shape = { .block_bytes = 4096,
			   .depth = 1,
			   .gap_ns = 1000000,
			   .poisson = true },
		.seed = 7,
	};
	static struct bench_counters counters;
	struct bench_lane lane;
	uint64_t begin_ns, short_gaps = 0;
	uint32_t slot;

	(void)state;
	assert_int_equal(bench_lane_init(&lane, &config), 0);
	bench_lane_pace(&lane, 0);
	begin_ns = lane.due_ns;
	for (int i = 0; i < 100000; i++) {
		uint64_t due_ns = lane.due_ns;

		assert_true(bench_lane_due(&lane, &counters, UINT64_MAX / 2,
					   &slot));
		assert_int_equal(lane.start_ns[slot], due_ns);
		lane.idle[lane.nr_idle++] = slot;
		short_gaps += lane.due_ns - due_ns < 100000;
	}
	/* 100000 gaps of 1 ms, of which 1 - e^-0.1 are below 0.1 ms. */
	assert_in_range(lane.due_ns - begin_ns, 99000000000, 101000000000);
	assert_in_range(short_gaps, 9200, 9850);
	bench_lane_done(&lane);
}

static void writes_go_into_a_file_and_count_apart(void **state)
{
	struct bench_shape shape = { .block_bytes = 4096, .depth = 4 };
	static struct bench_counters counters;
	static char block[4096], zeros[4096];

	(void)state;
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO;
	     rung += BENCH_RUNG_AIO) {
		struct bench_drive drive = memory_drive("memory", 4096);
		struct bench_ring *ring;

		shape.write_ppt = 300;
		ring = open_shape(&drive, &shape, (enum bench_rung)rung);
		memset(&counters, 0, sizeof(counters));
		turn_until(ring, &counters, 10000);
		assert_int_equal(counters.errors, 0);
		assert_in_range(counters.writes.count, 2700, 3300);
		bench_ring_close(ring);

		shape.write_ppt = 1000;
		ring = open_shape(&drive, &shape, (enum bench_rung)rung);
		memset(&counters, 0, sizeof(counters));
		turn_until(ring, &counters, 10);
		assert_int_equal(counters.writes.count, counters.latency.count);
		assert_int_equal(pread(drive.fd, block, sizeof(block), 0),
				 sizeof(block));
		assert_memory_not_equal(block, zeros, sizeof(block));
		bench_ring_close(ring);
		(void)close(drive.fd);
	}
}

static void nothing_but_a_file_is_ever_written_to(void **state)
{
	int other_end;
	struct bench_drive drive = silent_drive(&other_end);
	struct bench_ring_config config =
		config_of(&drive, 4, BENCH_RUNG_DEFER);
	struct bench_ring *ring = NULL;
	struct zram zram;
	struct err err = { 0 };

	(void)state;
	config.shape.write_ppt = 1;
	assert_int_equal(bench_ring_open(&ring, &config, &err), -EPERM);
	assert_non_null(strstr(err.text, "never written to"));
	if (zram_new(&zram, SIZE) == 0) {
		config.fd = open(zram.path, O_RDWR | O_CLOEXEC);
		assert_true(config.fd >= 0);
		assert_int_equal(bench_ring_open(&ring, &config, &err), -EPERM);
		(void)close(config.fd);
		zram_free(&zram);
	}
	assert_null(ring);
	(void)close(other_end);
	(void)close(drive.fd);
}

static void polling_is_a_ring_of_its_own_kind(void **state)
{
	static const struct bench_shape shape = { .block_bytes = 4096,
						  .depth = 4,
						  .poll = true };
	static struct bench_counters counters;
	struct bench_drive drive = memory_drive("memory", SIZE);
	struct bench_ring_config config = config_of(&drive, 4, BENCH_RUNG_AIO);
	struct bench_ring *ring = NULL;

	(void)state;
	config.shape = shape;
	assert_int_equal(bench_ring_open(&ring, &config, NULL), -EOPNOTSUPP);
	assert_null(ring);
	config.first = BENCH_RUNG_DEFER;
	if (bench_ring_open(&ring, &config, NULL) < 0)
		skip();
	assert_true(bench_ring_info(ring)->polled);
	/* Memory has no queue to poll. */
	memset(&counters, 0, sizeof(counters));
	turn_until(ring, &counters, 10);
	assert_int_equal(counters.latency.count, 0);
	assert_int_equal(counters.first_error, EOPNOTSUPP);
	bench_ring_close(ring);
	(void)close(drive.fd);
}

/* Two sums of the same time: turn by turn, and I/O by I/O. */
static void time_in_flight_is_the_sum_of_all_latencies(void **state)
{
	static struct bench_counters counters;
	struct bench_drive drive = memory_drive("memory", SIZE);

	(void)state;
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO;
	     rung += BENCH_RUNG_AIO) {
		struct bench_ring *ring =
			open_ring(&drive, 8, (enum bench_rung)rung);
		uint64_t held_ns, sum_ns;

		memset(&counters, 0, sizeof(counters));
		bench_ring_fill(ring);
		while (counters.latency.count < 50000)
			assert_int_equal(bench_ring_turn(ring, &counters), 0);
		held_ns = bench_ring_held_ns(ring, bench_now_ns());
		sum_ns = counters.latency.sum_ns;
		assert_in_range(held_ns, sum_ns - sum_ns / 50,
				sum_ns + sum_ns / 50);
		assert_int_equal(bench_ring_drain(ring), 0);
		bench_ring_close(ring);
	}
	(void)close(drive.fd);
}

static void ceiling_is_what_the_ring_does_without_a_drive(void **state)
{
	struct arena *arena = arena_new();
	struct binding here = anywhere(arena);
	unsigned int cpu = (unsigned int)cpuset_next(&here.cpus, 0);
	struct bench_ceiling ceiling = { 0 };
	struct err err = { 0 };
	int r = bench_ceiling(arena, cpu, 50, &ceiling, &err);

	(void)state;
	if (r == -EOPNOTSUPP)
		skip();
	assert_int_equal(r, 0);
	/* Far below any machine's, far above any drive's on one CPU. */
	assert_true(ceiling.per_second > 10000);
	assert_non_null(strstr(ceiling.engine, "io_uring"));
	assert_int_equal(bench_ceiling(arena, 40000, 50, &ceiling, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "CPU 40000: "));
	arena_free(arena);
}

/* A read that fails shows nothing, least of all zeros. */
static void blocks_of_zeros_are_told_from_data_and_from_failures(void **state)
{
	static const struct bench_shape shapes[] = {
		{ .block_bytes = 4096, .depth = 5 },
		{ .block_bytes = 4096, .depth = 5, .gap_ns = 1000000000 },
	};
	struct bench_drive drive = memory_drive("memory", 2 * 4096);
	uint32_t zero = 0;

	(void)state;
	assert_int_equal(pwrite(drive.fd, "x", 1, 4096 + 4095), 1);
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO;
	     rung += BENCH_RUNG_AIO) {
		for (size_t i = 0; i < 2; i++) {
			struct bench_ring *ring = open_shape(
				&drive, &shapes[i], (enum bench_rung)rung);

			assert_int_equal(bench_ring_sample(ring, 402, &zero),
					 0);
			assert_in_range(zero, 120, 280);
			bench_ring_close(ring);
		}
	}
	for (int rung = BENCH_RUNG_DEFER; rung <= BENCH_RUNG_AIO;
	     rung += BENCH_RUNG_AIO) {
		struct bench_ring *ring =
			open_shape(&drive, &shapes[0], (enum bench_rung)rung);

		assert_int_equal(ftruncate(drive.fd, 0), 0);
		assert_int_equal(bench_ring_sample(ring, 256, &zero), 0);
		assert_int_equal(zero, 0);
		bench_ring_close(ring);
	}
	(void)close(drive.fd);
}

static volatile sig_atomic_t alarms;

static void on_alarm(int number)
{
	(void)number;
	alarms++;
}

/* One read comes back, the second never does: only a signal ends the wait. */
static void batch_waits_for_as_many_completions(void **state)
{
	static const struct itimerval every = {
		.it_interval.tv_usec = 20000,
		.it_value.tv_usec = 20000,
	};
	static const struct itimerval never;
	static struct bench_counters counters;
	static const char block[4096];
	struct sigaction action = { .sa_handler = on_alarm };
	struct bench_ring *ring = NULL;
	int other_end;
	struct bench_drive drive = silent_drive(&other_end);
	struct bench_ring_config config =
		config_of(&drive, 4, BENCH_RUNG_DEFER);

	(void)state;
	config.shape.batch = 2;
	assert_int_equal(bench_ring_open(&ring, &config, NULL), 0);
	if (bench_ring_info(ring)->rung == BENCH_RUNG_AIO)
		skip(); /* reads of a pipe would block in io_submit() */
	assert_int_equal(write(other_end, block, sizeof(block)), sizeof(block));
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &every, NULL), 0);
	memset(&counters, 0, sizeof(counters));
	bench_ring_fill(ring);
	assert_int_equal(bench_ring_turn(ring, &counters), 0);
	assert_true(alarms > 0);
	assert_true(counters.latency.count <= 1);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	bench_ring_close(ring);
	(void)close(other_end);
	(void)close(drive.fd);
}

static void nonsense_is_refused(void **state)
{
	struct bench_drive drive = memory_drive("memory", 4095);
	struct bench_ring_config config =
		config_of(&drive, 4, BENCH_RUNG_DEFER);
	struct bench_ring *ring = NULL;

	(void)state;
	assert_int_equal(bench_ring_open(&ring, &config, NULL), -ENOSPC);
	config.size_bytes = SIZE;
	config.shape.depth = 0;
	assert_int_equal(bench_ring_open(&ring, &config, NULL), -ERANGE);
	config.shape.depth = BENCH_DEPTH_MAX + 1;
	assert_int_equal(bench_ring_open(&ring, &config, NULL), -ERANGE);
	config.shape.depth = 4;
	config.shape.batch = 5;
	assert_int_equal(bench_ring_open(&ring, &config, NULL), -ERANGE);
	config.shape.batch = 4;
	config.shape.block_bytes = 1000;
	assert_int_equal(bench_ring_open(&ring, &config, NULL), -ERANGE);
	assert_null(ring);
	(void)close(drive.fd);
}

/*
 * Submit one request, a write if it is one, to file 0 of a ring that somebody
 * else set up.  Where its
 * parts lie is learned from another ring of the same depth.
 */
static int try_one(int ring_fd, uint32_t depth, uint8_t opcode)
{
	struct io_uring_params params = { 0 };
	struct io_uring ring;
	static char block[4096];
	int twin = io_uring_setup(depth, &params);
	int result;

	assert_true(twin >= 0);
	(void)close(twin);
	assert_int_equal(io_uring_queue_mmap(ring_fd, &params, &ring), 0);
	memset(ring.sq.sqes, 0, sizeof(*ring.sq.sqes));
	ring.sq.sqes->opcode = opcode;
	ring.sq.sqes->flags = IOSQE_FIXED_FILE;
	if (opcode == IORING_OP_WRITE) {
		ring.sq.sqes->addr = (uint64_t)(uintptr_t)block;
		ring.sq.sqes->len = sizeof(block);
	}
	*ring.sq.array = 0;
	__atomic_store_n(ring.sq.ktail, *ring.sq.ktail + 1, __ATOMIC_RELEASE);
	assert_int_equal(io_uring_enter((unsigned int)ring_fd, 1, 1,
					IORING_ENTER_GETEVENTS, NULL),
			 1);
	result = ring.cq.cqes[*ring.cq.khead & *ring.cq.kring_mask].res;
	return result;
}

static void kernel_refuses_a_write_on_the_ring(void **state)
{
	struct bench_drive drive = memory_drive("memory", SIZE);
	struct bench_ring *ring = open_ring(&drive, 8, BENCH_RUNG_DEFER);
	struct io_uring plain;

	(void)state;
	if (bench_ring_fd(ring) < 0 || !bench_ring_info(ring)->restricted) {
		bench_ring_close(ring);
		(void)close(drive.fd);
		skip();
	}
	assert_int_equal(try_one(bench_ring_fd(ring), 8, IORING_OP_WRITE),
			 -EACCES);
	bench_ring_close(ring);

	/* The very same write through a ring without restrictions. */
	assert_int_equal(io_uring_queue_init(8, &plain, 0), 0);
	assert_int_equal(io_uring_register_files(&plain, &drive.fd, 1), 0);
	assert_int_equal(try_one(plain.ring_fd, 8, IORING_OP_WRITE), 4096);
	io_uring_queue_exit(&plain);
	(void)close(drive.fd);
}

static void ring_for_writes_allows_them_and_nothing_more(void **state)
{
	static const struct bench_shape shape = { .block_bytes = 4096,
						  .depth = 8,
						  .write_ppt = 500 };
	struct bench_drive drive = memory_drive("memory", SIZE);
	struct bench_ring *ring = open_shape(&drive, &shape, BENCH_RUNG_DEFER);
	int fd = bench_ring_fd(ring);

	(void)state;
	if (fd >= 0 && bench_ring_info(ring)->restricted)
		assert_int_equal(try_one(fd, 8, IORING_OP_FSYNC), -EACCES);
	bench_ring_close(ring);

	ring = open_shape(&drive, &shape, BENCH_RUNG_DEFER);
	fd = bench_ring_fd(ring);
	if (fd >= 0 && bench_ring_info(ring)->restricted)
		assert_int_equal(try_one(fd, 8, IORING_OP_WRITE), 4096);
	bench_ring_close(ring);
	(void)close(drive.fd);
}

static void ring_is_restricted_and_uses_fixed_buffers_here(void **state)
{
	struct bench_drive drive = memory_drive("memory", SIZE);
	struct bench_ring *ring = open_ring(&drive, 8, BENCH_RUNG_DEFER);
	const struct bench_ring_info *info = bench_ring_info(ring);

	(void)state;
	if (info->rung == BENCH_RUNG_AIO) {
		assert_true(info->fallback.text[0] != '\0');
	} else {
		assert_int_equal(info->fallback.code, 0);
		assert_true(info->restricted);
		assert_true(info->fixed_files);
	}
	bench_ring_close(ring);
	(void)close(drive.fd);
}

static void aio_has_no_ring_to_restrict_and_says_so(void **state)
{
	struct bench_drive drive = memory_drive("memory", SIZE);
	struct bench_ring *ring = open_ring(&drive, 8, BENCH_RUNG_AIO);

	(void)state;
	assert_int_equal(bench_ring_info(ring)->rung, BENCH_RUNG_AIO);
	assert_false(bench_ring_info(ring)->restricted);
	assert_int_equal(bench_ring_info(ring)->fallback.code, 0);
	assert_int_equal(bench_ring_fd(ring), -1);
	assert_string_equal(bench_rung_text(BENCH_RUNG_AIO), "aio");
	bench_ring_close(ring);
	(void)close(drive.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_on_every_rung),
		cmocka_unit_test(
			offsets_cover_the_device_and_nothing_beyond_it),
		cmocka_unit_test(
			failed_and_short_reads_are_counted_and_do_not_stop_it),
		cmocka_unit_test(sequential_reads_take_every_block_in_turn),
		cmocka_unit_test(batch_waits_for_as_many_completions),
		cmocka_unit_test(open_loop_never_runs_ahead_of_its_schedule),
		cmocka_unit_test(latency_counts_from_the_intended_start),
		cmocka_unit_test(open_loop_sees_completions_while_it_rests),
		cmocka_unit_test(caught_up_schedule_has_no_backlog),
		cmocka_unit_test(poisson_gaps_have_the_mean_and_are_not_equal),
		cmocka_unit_test(writes_go_into_a_file_and_count_apart),
		cmocka_unit_test(nothing_but_a_file_is_ever_written_to),
		cmocka_unit_test(polling_is_a_ring_of_its_own_kind),
		cmocka_unit_test(ceiling_is_what_the_ring_does_without_a_drive),
		cmocka_unit_test(
			blocks_of_zeros_are_told_from_data_and_from_failures),
		cmocka_unit_test(time_in_flight_is_the_sum_of_all_latencies),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(kernel_refuses_a_write_on_the_ring),
		cmocka_unit_test(ring_for_writes_allows_them_and_nothing_more),
		cmocka_unit_test(
			ring_is_restricted_and_uses_fixed_buffers_here),
		cmocka_unit_test(aio_has_no_ring_to_restrict_and_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * engine ENGINE DEPTH IOS [DEVICE]: that many reads through one ring, with
 * nothing else in the loop, for a profiler that counts instructions.
 * Without a device it reads memory.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/parse.h"
#include "bench/ring.h"
#include "drive_open.h"

#define MEMORY_BYTES (UINT64_C(16) << 20)

static int open_memory(struct bench_ring_config *config)
{
	config->fd = memfd_create("engine", MFD_CLOEXEC);
	config->size_bytes = MEMORY_BYTES;
	if (config->fd < 0 || ftruncate(config->fd, MEMORY_BYTES) < 0)
		return -errno;
	return 0;
}

static int open_device(const char *path, struct bench_ring_config *config,
		       struct err *err)
{
	struct bench_drive drive;
	int r = drive_open(path, &drive, err);

	if (r < 0)
		return r;
	config->fd = drive.fd;
	config->size_bytes = drive.size_bytes;
	return 0;
}

static int read_all(struct bench_ring *ring, uint64_t ios, struct err *err)
{
	static struct bench_counters counters;
	uint64_t turns = 0;

	bench_ring_fill(ring);
	while (counters.latency.count < ios) {
		int r = bench_ring_turn(ring, &counters);

		if (r < 0 || counters.errors)
			return err_set(err, -EIO, "reads fail");
		turns++;
	}
	printf("%s restricted=%d turns=%llu\n",
	       bench_rung_text(bench_ring_info(ring)->rung),
	       bench_ring_info(ring)->restricted, (unsigned long long)turns);
	return bench_ring_drain(ring);
}

int main(int argc, char **argv)
{
	struct bench_ring_config config = {
		.shape.block_bytes = 4096,
		.seed = 1,
	};
	struct bench_ring *ring = NULL;
	struct err err = { 0 };
	uint64_t ios = 0;
	int r = -EINVAL;

	if (argc < 4 || parse_uint(argv[2], &config.shape.depth) < 0 ||
	    parse_u64(argv[3], &ios) < 0) {
		fprintf(stderr, "usage: engine uring|aio DEPTH IOS [DEVICE]\n");
		return 2;
	}
	if (strcmp(argv[1], "aio") == 0)
		config.first = BENCH_RUNG_AIO;
	r = argc > 4 ? open_device(argv[4], &config, &err) :
		       open_memory(&config);
	if (r == 0)
		r = bench_ring_open(&ring, &config, &err);
	if (r == 0)
		r = read_all(ring, ios, &err);
	bench_ring_close(ring);
	if (r < 0)
		fprintf(stderr, "engine: %s\n",
			err.text[0] ? err.text : strerror(-r));
	return r < 0;
}

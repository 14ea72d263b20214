/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/lane.h"

#include <sys/mman.h>

#define PAGE_BYTES 4096U

/*
 * A mapping of its own, touched now: malloc() could hand out pages that
 * another thread has touched on another node.
 */
int bench_lane_init(struct bench_lane *lane,
		    const struct bench_ring_config *config)
{
	const struct bench_shape *shape = &config->shape;
	size_t buffers = (size_t)shape->depth * shape->block_bytes;
	void *map;

	buffers = (buffers + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	*lane = (struct bench_lane){
		.nr_blocks = config->size_bytes / shape->block_bytes,
		.block_bytes = shape->block_bytes,
		.depth = shape->depth,
		.wait = shape->batch ? shape->batch : 1,
		.plain = !shape->sequential,
		.map_bytes = buffers + shape->depth * sizeof(uint64_t),
	};
	random_seed(&lane->random, config->seed, config->stream);
	lane->next_block = random_below(&lane->random, lane->nr_blocks);
	map = mmap(NULL, lane->map_bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (map == MAP_FAILED)
		return -errno;
	lane->buffers = map;
	lane->start_ns = (uint64_t *)(lane->buffers + buffers);
	return 0;
}

void bench_lane_done(struct bench_lane *lane)
{
	if (lane->buffers)
		(void)munmap(lane->buffers, lane->map_bytes);
	lane->buffers = NULL;
}

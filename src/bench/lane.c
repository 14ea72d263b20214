/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/lane.h"

#include <math.h>
#include <stddef.h>
#include <sys/mman.h>

#define PAGE_BYTES 4096U
#define LATE_NS 100000U
#define SPIN_NS 60000U /* a sleeping thread may be that late */
#define REST_NS 100000000U

/* What is written must not be what a drive or a file system can leave out. */
static void fill_buffers(struct bench_lane *lane, size_t bytes)
{
	uint64_t *words = (uint64_t *)(void *)lane->buffers;

	for (size_t i = 0; i < bytes / sizeof(*words); i++) {
		(void)random_below(&lane->random, 2);
		words[i] = lane->random.state;
	}
}

/*
 * A mapping of its own, touched now: malloc() could hand out pages that
 * another thread has touched on another node.
 */
int bench_lane_init(struct bench_lane *lane,
		    const struct bench_ring_config *config)
{
	const struct bench_shape *shape = &config->shape;
	size_t buffers = (size_t)shape->depth * shape->block_bytes;
	char *map;

	buffers = (buffers + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	*lane = (struct bench_lane){
		.nr_blocks = config->size_bytes / shape->block_bytes,
		.block_bytes = shape->block_bytes,
		.depth = shape->depth,
		.wait = shape->batch ? shape->batch : 1,
		.write_ppt = shape->write_ppt,
		.plain = !shape->sequential && !shape->write_ppt,
		.sequential = shape->sequential,
		.gap_ns = shape->gap_ns,
		.poisson = shape->poisson,
		.map_bytes = buffers +
			     shape->depth * (sizeof(uint64_t) +
					     sizeof(uint32_t) + sizeof(bool)),
	};
	random_seed(&lane->random, config->seed, config->stream);
	lane->next_block = random_below(&lane->random, lane->nr_blocks);
	map = mmap(NULL, lane->map_bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (map == MAP_FAILED)
		return -errno;
	lane->buffers = map;
	lane->start_ns = (uint64_t *)(void *)(map + buffers);
	lane->idle = (uint32_t *)(void *)(lane->start_ns + shape->depth);
	lane->writes = (bool *)(lane->idle + shape->depth);
	if (lane->write_ppt)
		fill_buffers(lane, buffers);
	return 0;
}

void bench_lane_done(struct bench_lane *lane)
{
	if (lane->buffers)
		(void)munmap(lane->buffers, lane->map_bytes);
	lane->buffers = NULL;
}

/* Above 0, up to 1. */
static double random_part(struct bench_lane *lane)
{
	return ((double)random_below(&lane->random, UINT64_C(1) << 53) + 1) /
	       (double)(UINT64_C(1) << 53);
}

static uint64_t next_gap(struct bench_lane *lane)
{
	if (!lane->poisson)
		return lane->gap_ns;
	return (uint64_t)(-log(random_part(lane)) * (double)lane->gap_ns);
}

void bench_lane_pace(struct bench_lane *lane, uint64_t now_ns)
{
	for (lane->nr_idle = 0; lane->nr_idle < lane->depth; lane->nr_idle++)
		lane->idle[lane->nr_idle] = lane->nr_idle;
	lane->in_flight = 0;
	lane->due_ns =
		now_ns + (uint64_t)(random_part(lane) * (double)lane->gap_ns);
}

bool bench_lane_due(struct bench_lane *lane, struct bench_counters *counters,
		    uint64_t now_ns, uint32_t *ret_slot)
{
	uint32_t slot;

	if (lane->nr_idle == 0 || lane->due_ns > now_ns)
		return false;
	slot = lane->idle[--lane->nr_idle];
	lane->in_flight++;
	lane->start_ns[slot] = lane->due_ns;
	if (now_ns - lane->due_ns > LATE_NS)
		counters->late++;
	lane->due_ns += next_gap(lane);
	*ret_slot = slot;
	return true;
}

uint64_t bench_lane_rest_ns(const struct bench_lane *lane, uint64_t now_ns)
{
	uint64_t left = REST_NS;

	if (lane->nr_idle)
		left = lane->due_ns > now_ns ? lane->due_ns - now_ns : 0;
	if (left <= SPIN_NS)
		return 0;
	left -= SPIN_NS;
	return left < REST_NS ? left : REST_NS;
}

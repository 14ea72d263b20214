/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/plausible.h"

#include <inttypes.h>

#include "base/arena.h"

/* Half of it: products stay below 2^64 with a factor of 2 to spare. */
static bool is_huge(uint64_t a, uint64_t b)
{
	return b && a > UINT64_MAX / 2 / b;
}

const char *plausible_in_flight(struct arena *arena, uint64_t iops,
				uint64_t mean_ns, uint64_t in_flight)
{
	uint64_t had;

	if (iops == 0 || mean_ns == 0 || in_flight == 0)
		return NULL;
	if (is_huge(iops, mean_ns))
		return "more I/Os in flight than any host can hold";
	had = iops * mean_ns / 1000000000;
	if (had <= in_flight + in_flight / 10)
		return NULL;
	return arena_printf(arena,
			    "%" PRIu64 " IOPS that take %" PRIu64
			    " us each are %" PRIu64 " in flight, and %" PRIu64
			    " were asked for",
			    iops, mean_ns / 1000, had, in_flight);
}

const char *plausible_link(struct arena *arena, uint64_t iops,
			   uint64_t block_bytes, struct num link_mbs)
{
	uint64_t mbs;

	if (iops == 0 || block_bytes == 0 || !link_mbs.known ||
	    link_mbs.value <= 0)
		return NULL;
	if (is_huge(iops, block_bytes))
		return "more bytes than any link carries";
	mbs = iops * block_bytes / 1000000;
	if (mbs <= (uint64_t)link_mbs.value)
		return NULL;
	return arena_printf(arena,
			    "%" PRIu64 " IOPS of %" PRIu64 " bytes are %" PRIu64
			    " MB/s, and the link carries %" PRId64 " MB/s",
			    iops, block_bytes, mbs, link_mbs.value);
}

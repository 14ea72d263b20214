/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>

#include "core/facts.h"

/*
 * Whether figures that somebody saved can be true at all.  Each returns
 * NULL where they can, or where what would tell is unknown (0), and else the
 * reason in a few words, in the arena.
 */

struct arena;

/*
 * IOPS x mean latency is what was in flight (Little's law), and that cannot
 * be more than was asked for.  A tenth is let pass: slices are cut through
 * reads that last.
 */
const char *plausible_in_flight(struct arena *arena, uint64_t iops,
				uint64_t mean_ns, uint64_t in_flight);

/* What was read must have come through the drive's link. */
const char *plausible_link(struct arena *arena, uint64_t iops,
			   uint64_t block_bytes, struct num link_mbs);

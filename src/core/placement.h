/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

/*
 * Where the interrupts of a controller's queues go, for the vectors that the
 * kernel places: which CPUs near the drive have a queue of their own, and
 * which nodes none.
 */

/*
 * The node that a controller is on: as the kernel says, or the only one of
 * the host.  NULL: unknown.
 */
const struct node *placement_node(const struct facts *facts,
				  const struct ctrl *ctrl);

/* "8 queue vectors are placed by the kernel; each CPU of node 0 has its own
 * queue"; NULL when the kernel places none. */
const char *placement_text(struct arena *arena, const struct facts *facts,
			   const struct ctrl *ctrl);

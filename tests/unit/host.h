/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/plan.h"

/*
 * A host and a profile made by hand, for tests of the pure middle.
 */

/*
 * 8 CPUs, two nodes, kernel 6.1; nvme0 with 16 queues (8/0/0), one plain
 * disk nvme0n1 under mq-deadline; nvme.ko loaded with no options.
 */
struct facts *host_new(struct arena *arena);

/* What a queue knob reads on a disk; replaces what was there. */
void host_observe(struct arena *arena, struct facts *facts, const char *disk,
		  const char *knob, const struct value *value,
		  const char *choices);
void host_number(struct arena *arena, struct facts *facts, const char *disk,
		 const char *knob, uint64_t number);
void host_scheduler(struct arena *arena, struct facts *facts, const char *disk,
		    const char *scheduler);
void host_absent(struct arena *arena, struct facts *facts, const char *disk,
		 const char *knob, int why);

/*
 * A profile named "test" from lines "[drives]", "key = value"; fails the
 * test when a line is refused.
 */
struct profile *host_profile(struct arena *arena, const char *const *lines);

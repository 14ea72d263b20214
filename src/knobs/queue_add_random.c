/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

static const char *const disturbs[] = { "queue.read_ahead_kb", NULL };

const struct knob knob_queue_add_random = {
	.name = "queue.add_random",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_UINT,
	.attr = "queue/add_random",
	.min = 0,
	.max = 1,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_LOAD,
	.disturbs = disturbs,
	.doc = {
		.summary = "whether completions feed the entropy pool",
		.effect =
			"0 saves the bookkeeping for each request; it is the default for NVMe.",
		.cost = "0 takes a source of entropy away, which matters only on hosts with no other.",
		.source = "Documentation/ABI/stable/sysfs-block; drivers/char/random.c, add_disk_randomness()",
	},
};

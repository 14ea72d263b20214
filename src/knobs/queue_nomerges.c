/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

const struct knob knob_queue_nomerges = {
	.name = "queue.nomerges",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_UINT,
	.attr = "queue/nomerges",
	.min = 0,
	.max = 2,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "how hard the kernel looks for requests to merge",
		.effect =
			"1 leaves out the costlier look-ups, 2 all of them: less CPU per request where requests are random and never merge.",
		.cost = "Sequential requests that could have been one stay several; 2 makes discard of a large md array very slow.",
		.source = "Documentation/ABI/stable/sysfs-block; block/blk-merge.c",
	},
};

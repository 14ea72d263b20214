/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

const struct knob knob_queue_rq_affinity = {
	.name = "queue.rq_affinity",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_UINT,
	.attr = "queue/rq_affinity",
	.min = 0,
	.max = 2,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "on which CPU a request is completed",
		.effect =
			"2 completes on the very CPU that submitted, where its data is in the cache; 1 within the same cache group; 0 where the interrupt came in.",
		.cost = "2 costs an interrupt between CPUs for each request that completes elsewhere.  No effect where each CPU has its own hardware queue.",
		.source = "Documentation/ABI/stable/sysfs-block; block/blk-mq.c, blk_mq_complete_request_remote()",
	},
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

const struct knob knob_queue_wbt_lat_usec = {
	.name = "queue.wbt_lat_usec",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_UINT,
	.attr = "queue/wbt_lat_usec",
	.unit = UNIT_USEC,
	.min = 0,
	.max = INT32_MAX,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "read latency above which background writes are throttled",
		.effect =
			"Reads stay fast while the page cache writes back; 0 turns the throttle off for the highest write rate.",
		.cost = "0 lets a burst of write-back push reads behind it; a low target slows writes down.",
		.source = "Documentation/ABI/stable/sysfs-block; block/blk-wbt.c",
	},
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

const struct knob knob_queue_read_ahead_kb = {
	.name = "queue.read_ahead_kb",
	.scope = SCOPE_QUEUE,
	.place = PLACE_HEAD,
	.type = VALUE_UINT,
	.attr = "queue/read_ahead_kb",
	.unit = UNIT_KIB,
	.min = 0,
	.max = INT32_MAX,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "how far the page cache reads ahead of a reader",
		.effect =
			"More helps one process that reads a file from front to end; 0 helps random reads through the page cache.",
		.cost = "Too much reads data that nobody wants and pushes other data out of the cache.  Direct I/O never reads ahead.",
		.source = "Documentation/ABI/stable/sysfs-block; mm/readahead.c",
	},
};

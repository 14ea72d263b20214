/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

const struct knob knob_queue_io_timeout = {
	.name = "queue.io_timeout",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_UINT,
	.attr = "queue/io_timeout",
	.unit = UNIT_MS,
	.min = 1,
	.max = UINT32_MAX,
	.evidence = EVIDENCE_NONE,
	.doc = {
		.summary = "time after which the kernel aborts a request",
		.effect =
			"A long time lets a network volume survive a fail-over without I/O errors.",
		.cost = "A dead drive holds its requests that much longer; a short time aborts requests that a slow drive would have answered.",
		.source = "Documentation/ABI/stable/sysfs-block; block/blk-sysfs.c, queue_io_timeout_store()",
	},
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

/* The slowest clock a kernel is built with ticks every 10 ms (HZ=100). */
#define LONGEST_TICK_MS 10

/* The kernel keeps the time in ticks: 12345 reads back as 12348 with
 * HZ=250, the largest value as 4294967288. */
static bool same(const struct knob *knob, const struct value *have,
		 const struct value *want)
{
	uint64_t a = have->u.number, b = want->u.number;

	(void)knob;
	return (a > b ? a - b : b - a) < LONGEST_TICK_MS;
}

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
	.same = same,
};

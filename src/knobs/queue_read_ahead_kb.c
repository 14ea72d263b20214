/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

/* The kernel rounds down to whole pages, of 4, 16 or 64 KiB. */
static bool same(const struct knob *knob, const struct value *have,
		 const struct value *want)
{
	uint64_t a = have->u.number, b = want->u.number;

	(void)knob;
	return a == b || a == b - b % 4 || a == b - b % 16 || a == b - b % 64;
}

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
	.same = same,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

/*
 * The kernel rounds down to whole pages, of 4, 16 or 64 KiB.  The number
 * wanted is the one it will show: told apart afterwards, 32 would pass for a
 * rounded 0.
 */
static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	int64_t page_kb = num_or(facts->page_size, 0) / 1024;

	(void)knob;
	(void)param;
	(void)target;
	(void)err;
	*ret = *asked;
	if (page_kb > 0)
		ret->u.number -= ret->u.number % (uint64_t)page_kb;
	return 0;
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
	.flags = KNOB_RESET_LOSES,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "how far the page cache reads ahead of a reader",
		.effect =
			"More helps one process that reads a file from front to end; 0 helps random reads through the page cache.",
		.cost = "Too much reads data that nobody wants and pushes other data out of the cache.  Direct I/O never reads ahead.",
		.source = "Documentation/ABI/stable/sysfs-block; mm/readahead.c",
	},
	.resolve = resolve,
};

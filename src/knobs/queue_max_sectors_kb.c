/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

static const char *const disturbs[] = { "queue.read_ahead_kb", NULL };

const struct knob knob_queue_max_sectors_kb = {
	.name = "queue.max_sectors_kb",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ | PLACE_HEAD,
	.type = VALUE_UINT,
	.attr = "queue/max_sectors_kb",
	.unit = UNIT_KIB,
	.min = 4,
	.max = INT32_MAX,
	.flags = KNOB_ALLOWS_MAX,
	.evidence = EVIDENCE_LOAD,
	.disturbs = disturbs,
	.doc = {
		.summary = "largest request the kernel sends to the drive",
		.effect =
			"Larger requests mean fewer of them for sequential transfers.",
		.cost = "A large request holds the drive longer, and small ones wait behind it.  Up to 6.1 a controller reset brings the default back.",
		.source = "Documentation/ABI/stable/sysfs-block; block/blk-settings.c",
	},
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

static const char *const disturbs[] = { "queue.read_ahead_kb", NULL };

const struct knob knob_queue_iostats = {
	.name = "queue.iostats",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ | PLACE_HEAD,
	.type = VALUE_UINT,
	.attr = "queue/iostats",
	.min = 0,
	.max = 1,
	.flags = KNOB_HIDES_WAITING,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_LOAD,
	.disturbs = disturbs,
	.doc = {
		.summary = "whether the kernel counts requests and their time",
		.effect =
			"0 saves two time stamps and some counters for each request.",
		.cost = "0 blinds iostat, sar and every monitor of this disk.",
		.source = "Documentation/ABI/stable/sysfs-block; block/blk-mq.c, blk_account_io_start()",
	},
};

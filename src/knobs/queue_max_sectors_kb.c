/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>

#include "knobs/knob_list.h"

static const char *const disturbs[] = { "queue.read_ahead_kb", NULL };

/*
 * Above the hardware's limit a write is refused up to 6.6 and clamped
 * without a word from 6.12 on: refused here, on every kernel.
 */
static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	const struct ns *ns = facts_ns(facts, target->name);
	uint64_t limit = ns ? (uint64_t)num_or(ns->max_hw_sectors_kb, 0) : 0;

	(void)param;
	if (asked->type == VALUE_MAX && !limit)
		return err_set(
			err, -EOPNOTSUPP,
			"%s: the largest transfer is unknown, so max is too",
			knob->name);
	if (asked->type == VALUE_MAX) {
		*ret = value_uint(limit);
		return 0;
	}
	if (limit && asked->u.number > limit)
		return err_set(
			err, -ERANGE,
			"%s: %" PRIu64 " KiB is above %" PRIu64
			" KiB, the most that drive and host take: use max",
			knob->name, asked->u.number, limit);
	*ret = *asked;
	return 0;
}

const struct knob knob_queue_max_sectors_kb = {
	.name = "queue.max_sectors_kb",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ | PLACE_HEAD,
	.type = VALUE_UINT,
	.attr = "queue/max_sectors_kb",
	.unit = UNIT_KIB,
	.min = 4,
	.max = INT32_MAX,
	.flags = KNOB_ALLOWS_MAX | KNOB_RESET_LOSES,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_LOAD,
	.disturbs = disturbs,
	.doc = {
		.summary = "largest request the kernel sends to the drive",
		.effect =
			"Larger requests mean fewer of them for sequential transfers.",
		.cost = "A large request holds the drive longer, and small ones wait behind it.  Up to 6.1 a controller reset brings the default back.",
		.source = "Documentation/ABI/stable/sysfs-block; block/blk-settings.c",
	},
	.resolve = resolve,
};

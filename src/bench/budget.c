/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/budget.h"

#include <errno.h>

#define SLICES 4 /* of a block */

static uint32_t last_look(const struct decide_rule *rule)
{
	uint32_t last = 0;

	for (uint32_t n = decide_next(rule, 0); n; n = decide_next(rule, n))
		last = n;
	return last;
}

/* Of all comparisons, with so many blocks each. */
static uint64_t time_of(const struct decide_rule *rule,
			const struct budget_work *work, uint32_t blocks)
{
	const struct decide_rule gate = decide_rule_gate(rule);
	uint64_t slices = (uint64_t)work->comparisons *
			  ((uint64_t)blocks * SLICES + work->pilot);

	slices += (uint64_t)work->gates *
		  ((uint64_t)last_look(&gate) * SLICES + work->pilot);
	return slices * work->slice_ms;
}

uint64_t budget_time_ms(const struct decide_rule *rule,
			const struct budget_work *work)
{
	return time_of(rule, work, last_look(rule));
}

int budget_fit(const struct decide_rule *rule, const struct budget_work *work,
	       uint64_t budget_ms, struct decide_rule *ret,
	       uint64_t *ret_needed_ms)
{
	uint32_t last = last_look(rule), most = last;
	uint32_t least = 1;
	struct decide_rule shortest;

	while (least < last && decide_rule_within(rule, least, &shortest) < 0)
		least++;
	*ret_needed_ms = time_of(rule, work, least);
	while (most > least && time_of(rule, work, most) > budget_ms)
		most--;
	if (time_of(rule, work, most) > budget_ms)
		return -ERANGE;
	return decide_rule_within(rule, most, ret);
}

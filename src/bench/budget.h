/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bench/decide.h"

/*
 * How long confirming takes, and what can be asked of it in less: pure.
 */

/* What is to be confirmed. */
struct budget_work {
	uint32_t slice_ms;    /* settled and measured */
	uint32_t pilot;	      /* slices before the blocks of each comparison */
	uint32_t comparisons; /* one a key, or 1 for the set as a whole */
	uint32_t gates;	      /* of several keys of a kind together, at most */
};

/*
 * Up to the last look of rule, and every gate.  Blocks that are disturbed and
 * measured again are not in it.
 */
uint64_t budget_time_ms(const struct decide_rule *rule,
			const struct budget_work *work);

/*
 * The rule with as many looks as fit into so much time, each as sure as so
 * few must be.  -ERANGE: not even one fits, and *ret_needed_ms is what the
 * shortest takes.
 */
int budget_fit(const struct decide_rule *rule, const struct budget_work *work,
	       uint64_t budget_ms, struct decide_rule *ret,
	       uint64_t *ret_needed_ms);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/facts.h"

/*
 * What must be known about single parameters of nvme and nvme_core beyond
 * what modinfo says: limits that keep the module from loading, and names that
 * guides invented.
 */

enum param_limit {
	LIMIT_POSSIBLE_CPUS, /* io_queue_count_set() refuses more */
	LIMIT_RANGE,	     /* min..max */
	LIMIT_BOOL,	     /* what kstrtobool() takes */
	LIMIT_POLICY,	     /* nvme_core's iopolicy */
};

struct param_rule {
	const char *module;
	const char *param;
	enum param_limit limit;
	uint64_t min;
	uint64_t max;
};

/* NULL: nothing is known, and any text goes. */
const struct param_rule *param_rule_find(const char *module, const char *param);

/* Does the rule ask for a number? */
bool param_rule_is_number(const struct param_rule *rule);

/* Of a rule that asks for a word: is this one?  *ret_legal lists them. */
bool param_rule_takes(const struct param_rule *rule, const char *word,
		      const char **ret_legal);

/* What does the job of a parameter that no mainline kernel ever had, as half
 * a sentence; NULL when the name is not one of those. */
const char *param_legend(const char *module, const char *param);

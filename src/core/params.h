/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/facts.h"

/*
 * What must be known about single parameters of nvme and nvme_core beyond
 * what modinfo says: limits that keep the module from loading, and names that
 * guides invented.
 */

enum param_limit {
	LIMIT_NONE,
	LIMIT_POSSIBLE_CPUS, /* io_queue_count_set() refuses more */
	LIMIT_RANGE,	     /* min..max */
};

struct param_rule {
	const char *module;
	const char *param;
	enum param_limit limit;
	unsigned int min;
	unsigned int max;
};

/* NULL: no limit is known. */
const struct param_rule *param_rule_find(const char *module, const char *param);

/* What does the job of a parameter that no mainline kernel ever had, as half
 * a sentence; NULL when the name is not one of those. */
const char *param_legend(const char *module, const char *param);

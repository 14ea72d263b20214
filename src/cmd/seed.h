/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <sys/random.h>

#include "cmd/command.h"

/* As given, or any number, small enough to be given again by hand. */
static inline uint32_t options_seed(const struct options *options)
{
	uint32_t seed = 1;

	if (options->seed_given)
		return options->seed;
	(void)getrandom(&seed, sizeof(seed), GRND_NONBLOCK);
	return seed;
}

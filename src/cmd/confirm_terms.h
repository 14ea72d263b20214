/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/budget.h"
#include "bench/decide.h"
#include "cmd/command.h"

/*
 * --min-effect and --budget: what a change must bring, and how long finding
 * that out may take.
 */
struct confirm_terms {
	struct decide_rule rule; /* the usual one, with that least gain */
	const char *budget;	 /* as given; NULL: no limit */
	uint64_t budget_ms;
};

/* EXIT_DONE, or EXIT_USAGE with the sentence. */
int confirm_terms_read(const struct command *command,
		       const struct options *options, struct confirm_terms *ret,
		       struct err *err);

/*
 * The rule as the budget allows for this work.  -ERANGE, with what it would
 * take: not even one look fits.
 */
int confirm_terms_fit(struct arena *arena, const struct confirm_terms *terms,
		      const struct budget_work *work, struct decide_rule *ret,
		      struct err *err);

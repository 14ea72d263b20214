/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"
#include "core/bench_result.h"
#include "write/arms.h"

/*
 * The two arms of what is measured now, within the transaction of a trial:
 * what every attribute is to read before and after, and what the kernel or the
 * drives turned out not to do.
 */
struct confirm_arms {
	struct arena *arena;
	const struct arms *arms;
	const struct step **refused; /* a step each; NULL: it is done */
	const char **wanted[BENCH_ARMS];
	/* What is written at each switch: what differs, and what that may
	 * move.  The rest stands as it was set, and is only looked at. */
	const char **switched[BENCH_ARMS];
	bool disturbed; /* somebody else moved one: all is written again */
};

void confirm_arms_init(struct confirm_arms *it, struct arena *arena,
		       const struct arms *arms);

/* What the attributes read under these two plans, see steps_wanted(). */
void confirm_arms_want(struct confirm_arms *it, const struct plan *before,
		       const struct plan *after);

/*
 * The first switches.  A step that is refused, or taken and ignored, stays as
 * before, and the rest is measured without it; *ret_why is the last refusal.
 * Ends with everything as before.
 */
int confirm_arms_try(struct confirm_arms *it, const char **ret_why,
		     struct err *err);

/* Is there anything in which the arms differ?  Is it this step? */
bool confirm_arms_differ(const struct confirm_arms *it);
bool confirm_arms_differ_in(const struct confirm_arms *it,
			    const struct step *step);

/* As the callbacks of struct bench_trial_config. */
int confirm_arms_switch(struct confirm_arms *it, int which, struct err *err);
int confirm_arms_check(struct confirm_arms *it, int which, struct err *err);

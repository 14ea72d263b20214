/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "base/vec.h"
#include "cmd/context.h"

/*
 * What "nvmetune verify" finds: a plan for the profile that was applied, read
 * as what has changed since.
 */

enum finding_kind {
	FINDING_DRIFT,	 /* not as applied */
	FINDING_PENDING, /* applied in this boot, true after a reload */
};

struct finding {
	enum finding_kind kind;
	const char *what; /* a change's id, or a file */
	const char *now;
	const char *applied;
	const char *why; /* who did it, or what is missing */
};

struct findings {
	struct context *ctx;
	VEC(struct finding) items;
	size_t nr_drift;
	size_t nr_conflicts; /* of these: what apply cannot repair */
	size_t nr_lost;	     /* pending, but for no reload or reboot */
};

/* Another one, counted as what it is; its texts are the caller's to set. */
struct finding *findings_add(struct findings *findings, enum finding_kind kind,
			     const char *what);

/* All that the plan of findings->ctx has. */
void findings_of_plan(struct findings *findings);

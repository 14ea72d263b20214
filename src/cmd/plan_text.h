/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"
#include "core/plan.h"

/*
 * A plan as a page to read: like a diff, with a reason for each change.
 * Changes that are the same on several drives are one.
 */
struct plan_view {
	const struct plan *plan;
	const struct facts *facts; /* from which it was made */
	bool wide; /* what stays, and the text of the files, in full */
	bool color;
	unsigned int width; /* 0: lines are not broken */
};

void plan_put(struct strbuf *sb, const struct plan_view *view);

/* A change a line, tab separated, as docs/json.md describes it. */
void plan_put_raw(struct strbuf *sb, const struct plan *plan);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"
#include "write/execute.h"

/*
 * The writing half of apply: the context's plan as one transaction, each
 * change told as it is made.  What the options leave out (--live-only,
 * --persist-only) is left out.  confirmed_by is the trial that went before;
 * 0: none.
 */
int apply_run(struct context *ctx, unsigned int confirmed_by,
	      struct execute_result *result, struct err *err);

/* How the journal of a transaction for this plan begins. */
struct journal_head apply_head(struct context *ctx, const struct plan *plan,
			       const char *plan_sum);

/* Carry on with transaction id, see execute_resume(); told likewise. */
int apply_run_on(struct context *ctx, unsigned int id,
		 struct execute_result *result, struct err *err);

/* The plan as these options let apply carry it out, to be shown; in the
 * context's arena. */
const struct plan *apply_shown(const struct context *ctx);

/* Is there anything in the plan that these options let apply do? */
bool apply_has_work(const struct context *ctx);

/* What the plan leaves for later: enum need. */
unsigned int apply_needs(const struct context *ctx);

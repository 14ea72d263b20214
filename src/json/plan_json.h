/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "core/plan.h"

/*
 * A plan for programs, described in docs/plan-schema.md.  Same plan, same
 * bytes.  facts are those that the plan was made from.
 */

#define PLAN_SCHEMA "nvmetune.plan/1"

void plan_to_json(const struct plan *plan, const struct facts *facts,
		  struct strbuf *out);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "core/plan.h"

/*
 * A plan for programs, described in docs/plan-schema.md.  Same plan, same
 * bytes.  facts are those that the plan was made from.
 */

struct json_writer;

#define PLAN_SCHEMA "nvmetune.plan/1"

void plan_to_json(const struct plan *plan, const struct facts *facts,
		  struct strbuf *out);

/* One change, an object with the members that it has in a plan. */
void plan_change_to_json(struct json_writer *json, const char *key,
			 const struct change *change);

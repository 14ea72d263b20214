/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plan_hash.h"

#include "json/plan_json.h"

void plan_hash(struct arena *arena, const struct plan *plan,
	       const struct facts *facts, char ret[HASH_TEXT_SIZE])
{
	struct strbuf json;

	strbuf_init(&json, arena);
	plan_to_json(plan, facts, &json);
	hash_text(json.text, json.len, ret);
}

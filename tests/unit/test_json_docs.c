/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "json/facts_fields.h"
#include "json/fields.h"
#include "json/plan_json.h"

/* What is written as JSON is described: each member has its row. */

static const char *text_of(struct arena *arena, const char *path)
{
	_cleanup_fclose_ FILE *file = fopen(path, "re");
	struct strbuf text;
	char piece[4096];
	size_t n;

	assert_non_null(file);
	strbuf_init(&text, arena);
	while ((n = fread(piece, 1, sizeof(piece), file)) > 0)
		strbuf_put(&text, piece, n);
	return text.text;
}

static void expect_described(struct arena *arena, const char *doc,
			     const char *key)
{
	if (!strstr(doc, arena_printf(arena, "`%s`", key)))
		fail_msg("\"%s\" is not described", key);
}

static void expect_rows(struct arena *arena, const char *doc,
			const struct field_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		expect_described(arena, doc, table->rows[i].key);
		if (table->rows[i].table)
			expect_rows(arena, doc, table->rows[i].table);
	}
}

static void every_fact_is_described(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();

	(void)state;
	expect_rows(arena, text_of(arena, "docs/facts-schema.md"),
		    facts_fields());
}

static void expect_members(struct arena *arena, const char *doc,
			   const struct json_node *node)
{
	if (node->key)
		expect_described(arena, doc, node->key);
	VEC_EACH(&node->children, const struct json_node, child)
		expect_members(arena, doc, child);
}

/* A plan with one of everything. */
static struct plan full_plan(struct arena *arena, struct facts *facts)
{
	static const struct knob knob = { .unit = UNIT_KIB };
	struct plan plan = { .profile = "p", .needs = NEED_RELOAD };
	struct change *change = vec_add(arena, &plan.changes);

	*facts = (struct facts){ .hostname = "h", .kernel = "k" };
	*vec_add(arena, &facts->blind) = "b";
	*vec_add(arena, &plan.only) = "o";
	*change = (struct change){
		.id = "i",
		.key = "k",
		.knob = &knob,
		.target = { TARGET_QUEUE, "n", "d", "i" },
		.asked = "a",
		.file = "f",
		.line = 1,
		.reason = "r",
		.persist_reason = "p",
	};
	*vec_add(arena, &change->set_by) = "s";
	*vec_add(arena, &plan.files) = (struct planned_file){
		.path = "p",
		.have = "h",
		.want = "w",
		.reason = "r",
	};
	*vec_add(arena, &plan.splits) = (struct split){
		.ctrl = "c",
		.now_default = num_known(1),
		.now_read = num_known(1),
		.now_poll = num_known(1),
		.predicted = true,
		.reason = "r",
	};
	*vec_add(arena, &plan.advice) =
		(struct advice){ "i", "info", "s", "t" };
	return plan;
}

static void every_member_of_a_plan_is_described(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts facts;
	struct plan plan = full_plan(arena, &facts);
	struct json_node root;
	struct err err = { 0 };
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	plan_to_json(&plan, &facts, &text);
	assert_int_equal(json_parse(arena, text.text, text.len, &root, &err),
			 0);
	expect_members(arena, text_of(arena, "docs/plan-schema.md"), &root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fact_is_described),
		cmocka_unit_test(every_member_of_a_plan_is_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/err.h"
#include "json/plan_json.h"
#include "json/read.h"

static const struct knob timeout = {
	.name = "queue.io_timeout",
	.type = VALUE_UINT,
	.unit = UNIT_MS,
};

static void add_change(struct arena *arena, struct plan *plan)
{
	struct change *change = vec_add(arena, &plan->changes);

	*change = (struct change){
		.id = "queue.io_timeout@nvme0n1",
		.key = "queue.io_timeout",
		.knob = &timeout,
		.target = { TARGET_QUEUE, "nvme0n1", "sys/block/nvme0n1",
			    "uuid.1" },
		.asked = "30s",
		.file = "p.ini",
		.line = 7,
		.want = value_uint(30000),
		.verdict = VERDICT_LATER,
		.reason = "says \"why\"",
		.persistence = PERSIST_RULE,
		.needs = NEED_RELOAD | NEED_INITRAMFS,
	};
	*vec_add(arena, &change->set_by) = "/etc/x.rules:3: ATTR{a}=\"1\"";
}

static struct json_node *written(struct arena *arena, const struct plan *plan)
{
	struct json_node *root = ARENA_NEW(arena, struct json_node);
	struct facts facts = { .hostname = "db1", .kernel = "6.1" };
	struct err err = { 0 };
	struct strbuf text;

	strbuf_init(&text, arena);
	plan_to_json(plan, &facts, &text);
	if (json_parse(arena, text.text, text.len, root, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(json_member_text(root, "schema"),
			    "nvmetune.plan/1");
	return root;
}

static const struct json_node *only(const struct json_node *root,
				    const char *key)
{
	const struct json_node *list = json_member(root, key);

	assert_non_null(list);
	assert_int_equal(list->children.n, 1);
	return &list->children.items[0];
}

static void a_change_tells_all_that_the_plan_knows(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct plan plan = { .profile = "p" };
	const struct json_node *change, *target;
	int64_t number = 0;
	bool pending = true;

	(void)state;
	add_change(arena, &plan);
	change = only(written(arena, &plan), "changes");
	assert_string_equal(json_member_text(change, "id"),
			    "queue.io_timeout@nvme0n1");
	target = json_member(change, "target");
	assert_string_equal(json_member_text(target, "kind"), "queue");
	assert_string_equal(json_member_text(target, "id"), "uuid.1");
	assert_string_equal(json_member_text(change, "origin"), "profile");
	assert_string_equal(json_member_text(change, "asked"), "30s");
	assert_true(json_member_int(json_member(change, "source"), "line",
				    &number));
	assert_int_equal(number, 7);
	assert_int_equal(json_member(change, "have")->kind, JSON_NULL);
	assert_true(json_member_int(change, "want", &number));
	assert_int_equal(number, 30000);
	assert_string_equal(json_member_text(change, "unit"), "ms");
	assert_string_equal(json_member_text(change, "verdict"), "later");
	assert_true(json_member_bool(change, "pending", &pending));
	assert_false(pending);
	assert_string_equal(json_member_text(change, "reason"), "says \"why\"");
	assert_string_equal(only(change, "set_by")->text,
			    "/etc/x.rules:3: ATTR{a}=\"1\"");
	assert_string_equal(json_member_text(change, "persistence"),
			    persistence_name(PERSIST_RULE));
	assert_int_equal(json_member(change, "needs")->children.n, 2);
}

static void a_split_that_cannot_be_predicted_has_no_next(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct plan plan = { .profile = "p" };
	const struct json_node *split;
	struct split *first;
	int64_t number = 0;

	(void)state;
	first = vec_add(arena, &plan.splits);
	first->ctrl = "nvme0";
	first->now_default = num_known(8);
	first->reason = "unknown";
	split = only(written(arena, &plan), "splits");
	assert_null(json_member(split, "next"));
	assert_true(
		json_member_int(json_member(split, "now"), "default", &number));
	assert_int_equal(number, 8);
	assert_null(json_member(json_member(split, "now"), "poll"));

	first->predicted = true;
	first->next_default = 32;
	first->next_read = 80;
	split = json_member(only(written(arena, &plan), "splits"), "next");
	assert_true(json_member_int(split, "read", &number));
	assert_int_equal(number, 80);
	assert_true(json_member_int(split, "poll", &number));
	assert_int_equal(number, 0);
}

static void a_file_that_must_go_has_no_wanted_text(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct plan plan = { .profile = "p" };
	const struct json_node *file;
	struct planned_file *first;

	(void)state;
	first = vec_add(arena, &plan.files);
	first->path = "/etc/modprobe.d/nvmetune.conf";
	first->action = FILE_REMOVE;
	first->have = "options nvme poll_queues=2\n";
	file = only(written(arena, &plan), "files");
	assert_string_equal(json_member_text(file, "action"),
			    file_action_name(FILE_REMOVE));
	assert_string_equal(json_member_text(file, "have"),
			    "options nvme poll_queues=2\n");
	assert_null(json_member(file, "want"));
}

static void the_summary_counts_verdicts(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct plan plan = { .profile = "p" };
	const struct json_node *summary;
	int64_t number = 0;
	bool yes = true;

	(void)state;
	add_change(arena, &plan);
	summary = json_member(written(arena, &plan), "summary");
	assert_true(json_member_int(summary, "later", &number));
	assert_int_equal(number, 1);
	assert_true(json_member_int(summary, "change", &number));
	assert_int_equal(number, 0);
	assert_true(json_member_bool(summary, "has_work", &yes));
	assert_false(yes);
}

static void the_same_plan_is_the_same_bytes(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts facts = { 0 };
	struct plan plan = { .profile = "p" };
	struct strbuf one, two;

	(void)state;
	add_change(arena, &plan);
	strbuf_init(&one, arena);
	strbuf_init(&two, arena);
	plan_to_json(&plan, &facts, &one);
	plan_to_json(&plan, &facts, &two);
	assert_string_equal(one.text, two.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_tells_all_that_the_plan_knows),
		cmocka_unit_test(a_split_that_cannot_be_predicted_has_no_next),
		cmocka_unit_test(a_file_that_must_go_has_no_wanted_text),
		cmocka_unit_test(the_summary_counts_verdicts),
		cmocka_unit_test(the_same_plan_is_the_same_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

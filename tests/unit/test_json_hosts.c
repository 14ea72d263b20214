/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/parse.h"
#include "knobs/knob_list.h"
#include "json/facts_json.h"
#include "json/read.h"

/* The saved hosts of tests/hosts, as the golden tests plan from them. */

#define FOLDER "tests/hosts"

struct host {
	struct arena *arena;
	const char *path;
	char *text;
	size_t len;
	struct facts facts;
};

static void read_host(struct host *host)
{
	_cleanup_fclose_ FILE *file = fopen(host->path, "re");
	struct err err = { 0 };
	struct strbuf text;
	char piece[4096];
	size_t n;

	assert_non_null(file);
	strbuf_init(&text, host->arena);
	while ((n = fread(piece, 1, sizeof(piece), file)) > 0)
		strbuf_put(&text, piece, n);
	host->text = text.text;
	host->len = text.len;
	if (facts_from_json(host->arena, text.text, text.len, &host->facts,
			    &err) < 0)
		fail_msg("%s: %s", host->path, err.text);
}

static void each_host(void (*check)(struct host *host))
{
	_cleanup_closedir_ DIR *folder = opendir(FOLDER);
	struct dirent *entry;
	unsigned int n = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		_cleanup_arena_ struct arena *arena = arena_new();
		struct host host = { .arena = arena };

		if (!text_has_suffix(entry->d_name, ".json"))
			continue;
		host.path = arena_printf(arena, FOLDER "/%s", entry->d_name);
		read_host(&host);
		check(&host);
		n++;
	}
	assert_true(n > 20);
}

static bool same_node(const struct json_node *a, const struct json_node *b);

static bool is_remark(const char *key)
{
	return strcmp(key, "comment") == 0 || strcmp(key, "assumed") == 0;
}

/* Every member of a is in b. */
static bool same_members(const struct json_node *a, const struct json_node *b)
{
	VEC_EACH(&a->children, const struct json_node, node) {
		const struct json_node *other = json_member(b, node->key);

		if (is_remark(node->key))
			continue;
		if (!other || !same_node(node, other)) {
			print_message("%s differs\n", node->key);
			return false;
		}
	}
	return true;
}

static bool same_node(const struct json_node *a, const struct json_node *b)
{
	if (a->kind == JSON_OBJECT && b->kind == JSON_OBJECT)
		return same_members(a, b) && same_members(b, a);
	if (a->kind != b->kind || a->number != b->number || a->big != b->big ||
	    !text_equal(a->text, b->text) || a->children.n != b->children.n)
		return false;
	for (size_t i = 0; i < a->children.n; i++)
		if (!same_node(&a->children.items[i], &b->children.items[i]))
			return false;
	return true;
}

static void expect_nothing_lost(struct host *host)
{
	struct json_node before, after;
	struct err err = { 0 };
	struct strbuf again;

	strbuf_init(&again, host->arena);
	facts_to_json(&host->facts, &again);
	assert_int_equal(json_parse(host->arena, host->text, host->len, &before,
				    &err),
			 0);
	assert_int_equal(json_parse(host->arena, again.text, again.len, &after,
				    &err),
			 0);
	if (!same_node(&before, &after))
		fail_msg("%s: not all of it is read", host->path);
}

static void no_member_of_a_saved_host_is_ignored(void **state)
{
	(void)state;
	each_host(expect_nothing_lost);
}

static void expect_remarks(struct host *host)
{
	const struct json_node *assumed;
	struct json_node root;
	struct err err = { 0 };

	assert_int_equal(
		json_parse(host->arena, host->text, host->len, &root, &err), 0);
	assumed = json_member(&root, "assumed");
	if (!json_member_text(&root, "comment") || !assumed ||
	    assumed->kind != JSON_ARRAY || assumed->children.n == 0)
		fail_msg("%s: says not what is assumed", host->path);
}

static void a_saved_host_says_what_in_it_is_assumed(void **state)
{
	(void)state;
	each_host(expect_remarks);
}

static void expect_observations(struct host *host)
{
	const struct knob_set *knobs = knobs_all();

	VEC_EACH(&host->facts.namespaces, struct ns, ns) {
		struct target target =
			facts_ns_target(host->arena, &host->facts, ns);

		for (size_t i = 0; i < knobs->n; i++) {
			const struct knob *knob = knobs->items[i];
			const struct observation *seen;

			if (knob->scope != SCOPE_QUEUE)
				continue;
			seen = facts_observed(&host->facts, knob->name,
					      &target);
			if (!!seen != knob_lives_on(knob, ns))
				fail_msg("%s: %s of %s", host->path, knob->name,
					 ns->name);
			if (seen && seen->value.type == VALUE_NONE)
				assert_true(seen->why > 0);
			else if (seen)
				assert_int_equal(seen->value.type, knob->type);
		}
	}
}

static void every_queue_knob_is_observed_where_it_lives(void **state)
{
	(void)state;
	each_host(expect_observations);
}

/* What a kernel cannot show: the split against queues and CPU maps. */
static void expect_consistent_queues(struct host *host)
{
	VEC_EACH(&host->facts.ctrls, struct ctrl, ctrl) {
		int64_t split = ctrl->queues_default.value +
				ctrl->queues_read.value +
				ctrl->queues_poll.value;

		assert_true(ctrl->queue_count.known);
		assert_int_equal(split + 1, ctrl->queue_count.value);
		assert_int_equal(ctrl->vectors.n,
				 split - ctrl->queues_poll.value + 1);
		if (ctrl->queue_grant.known)
			assert_true(split <= ctrl->queue_grant.value);
	}
	VEC_EACH(&host->facts.namespaces, struct ns, ns) {
		const struct ctrl *ctrl = facts_ns_ctrl(&host->facts, ns);
		struct cpuset all = { 0 };

		assert_non_null(ctrl);
		if (ns->kind == NS_HEAD)
			continue;
		assert_int_equal(ns->hw_queues.n + 1, ctrl->queue_count.value);
		VEC_EACH(&ns->hw_queues, struct hw_queue, queue)
			all = cpuset_or(host->arena, &all, &queue->cpus);
		assert_true(cpuset_equal(&all, &host->facts.possible));
	}
}

static void queues_vectors_and_maps_agree(void **state)
{
	(void)state;
	each_host(expect_consistent_queues);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_member_of_a_saved_host_is_ignored),
		cmocka_unit_test(a_saved_host_says_what_in_it_is_assumed),
		cmocka_unit_test(every_queue_knob_is_observed_where_it_lives),
		cmocka_unit_test(queues_vectors_and_maps_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

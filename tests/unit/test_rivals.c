/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "knobs/knob_list.h"
#include "unit/host.h"

static int set_up(void **state)
{
	*state = arena_new();
	return 0;
}

static int tear_down(void **state)
{
	arena_free(*state);
	return 0;
}

static void put_rule(struct arena *arena, struct facts *facts, const char *file,
		     int64_t line, const char *text)
{
	*vec_add(arena, &facts->rules) = (struct rule_line){
		.file = file,
		.line = line,
		.text = text,
	};
}

/* queue.scheduler = none where the disk has mq-deadline. */
static const struct change *planned(struct arena *arena,
				    const struct facts *facts)
{
	static const char *const lines[] = { "[drives]",
					     "queue.scheduler = none", NULL };
	const struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
	};
	struct problems problems = { .arena = arena };
	struct plan *plan = ARENA_NEW(arena, struct plan);
	const struct change *change;

	assert_int_equal(plan_build(arena, &input, plan, &problems), 0);
	change = plan_find(plan, "queue.scheduler@nvme0n1");
	assert_non_null(change);
	return change;
}

static void put_tuned(struct arena *arena, struct facts *facts,
		      const char *state, const char *device, const char *value)
{
	*vec_add(arena, &facts->services) = (struct service){
		.name = "tuned",
		.state = state,
		.detail = "mine",
	};
	*vec_add(arena, &facts->writers) = (struct attr_writer){
		.who = "tuned profile mine",
		.file = "/etc/tuned/mine/tuned.conf",
		.line = 4,
		.attr = "queue/scheduler",
		.device = device,
		.value = value,
		.when = "tuned",
	};
}

static void rules_for_partitions_and_controllers_set_nothing(void **state)
{
	struct facts *facts = host_new(*state);

	put_rule(*state, facts, "/etc/udev/rules.d/60-a.rules", 1,
		 "ENV{DEVTYPE}==\"partition\", "
		 "ATTR{queue/scheduler}=\"mq-deadline\"");
	put_rule(*state, facts, "/etc/udev/rules.d/99-b.rules", 1,
		 "SUBSYSTEM==\"nvme\", ATTR{queue/scheduler}=\"bfq\"");
	assert_int_equal(planned(*state, facts)->set_by.n, 0);
	assert_int_equal(planned(*state, facts)->persistence, PERSIST_RULE);
}

static void the_last_word_of_several_is_marked(void **state)
{
	const struct change *change;
	struct facts *facts = host_new(*state);

	put_rule(*state, facts, "/a/10-a.rules", 1,
		 "ACTION==\"add\", ATTR{queue/scheduler}=\"mq-deadline\"");
	put_rule(*state, facts, "/a/20-b.rules", 2,
		 "ACTION==\"add\", ATTR{queue/scheduler}=\"mq-deadline\"");
	put_rule(*state, facts, "/a/20-b.rules", 3,
		 "ACTION==\"add\", ENV{X}==\"1\", "
		 "ATTR{queue/scheduler}=\"mq-deadline\"");
	change = planned(*state, facts);
	assert_int_equal(change->set_by.n, 3);
	assert_non_null(strstr(change->set_by.items[0], "/a/10-a.rules:1: "));
	assert_non_null(strstr(change->set_by.items[1],
			       "/a/20-b.rules:2, the last word: "));
	assert_non_null(
		strstr(change->set_by.items[2], "/a/20-b.rules:3, perhaps: "));
}

static void a_guarded_block_is_no_rival(void **state)
{
	struct facts *facts = host_new(*state);
	static const char file[] = "/etc/udev/rules.d/99-b.rules";

	put_rule(*state, facts, file, 1, "KERNEL!=\"sd*\", GOTO=\"end\"");
	put_rule(*state, facts, file, 2, "ATTR{queue/scheduler}=\"bfq\"");
	put_rule(*state, facts, file, 3, "LABEL=\"end\"");
	assert_int_equal(planned(*state, facts)->persistence, PERSIST_RULE);
}

static void a_later_rule_in_doubt_is_told_as_such(void **state)
{
	const struct change *change;
	struct facts *facts = host_new(*state);

	put_rule(*state, facts, "/a/99-b.rules", 1,
		 "ENV{X}==\"1\", ATTR{queue/scheduler}=\"bfq\"");
	change = planned(*state, facts);
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_string_equal(
		change->persist_reason,
		"/a/99-b.rules:1 runs after our rule and perhaps sets bfq");
}

static void a_later_rule_that_agrees_makes_peace(void **state)
{
	struct facts *facts = host_new(*state);

	put_rule(*state, facts, "/a/98-b.rules", 1,
		 "ACTION==\"add\", ATTR{queue/scheduler}=\"bfq\"");
	put_rule(*state, facts, "/a/99-b.rules", 1,
		 "ACTION==\"add\", ATTR{queue/scheduler}:=\"none\"");
	assert_int_equal(planned(*state, facts)->persistence, PERSIST_RULE);
}

static void rules_on_change_undo_what_ours_does_on_add(void **state)
{
	const struct change *change;
	struct facts *facts = host_new(*state);

	put_rule(*state, facts, "/a/60-a.rules", 1,
		 "ACTION==\"add|change\", ATTR{queue/scheduler}=\"bfq\"");
	change = planned(*state, facts);
	assert_int_equal(change->persistence, PERSIST_RULE);
	assert_string_equal(
		change->persist_reason,
		"until a program writes to the disk's node: /a/60-a.rules:1 then sets bfq");
	put_rule(*state, facts, "/a/99-a.rules", 1,
		 "ACTION==\"change\", ATTR{queue/scheduler}=\"kyber\"");
	change = planned(*state, facts);
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_string_equal(
		change->persist_reason,
		"will be overridden by /a/99-a.rules:1, which sets kyber at each change event");
}

static void every_rule_is_listed_in_its_order(void **state)
{
	struct facts *facts = host_new(*state);
	const struct change *change;

	put_rule(*state, facts, "/a/60-a.rules", 3,
		 "ACTION==\"add|change\", ATTR{queue/scheduler}=\"kyber\"");
	put_rule(*state, facts, "/a/64-a.rules", 1,
		 "ACTION==\"change\", ATTR{queue/scheduler}=\"bfq\"");
	put_rule(*state, facts, "/a/64-a.rules", 2,
		 "KERNEL==\"sd*\", ATTR{queue/scheduler}=\"bfq\"");
	put_rule(*state, facts, "/a/99-a.rules", 1,
		 "ACTION==\"add\", ATTR{queue/scheduler}=\"none\"");
	change = planned(*state, facts);
	assert_int_equal(change->rules.n, 3);
	assert_string_equal(change->rules.items[0],
			    "/a/60-a.rules:3 sets kyber");
	assert_string_equal(change->rules.items[1],
			    "/a/64-a.rules:1 sets bfq, on change events");
	assert_string_equal(change->rules.items[2],
			    "/a/99-a.rules:1 sets none");
}

static void tuned_overrides_while_it_runs(void **state)
{
	struct facts *facts = host_new(*state);
	const struct change *change;

	put_tuned(*state, facts, "running", "sda|nvme*", "kyber");
	change = planned(*state, facts);
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_string_equal(
		change->persist_reason,
		"will be overridden by tuned profile mine (/etc/tuned/mine/tuned.conf:4), which sets kyber");
	facts->writers.items[0].device = "sda";
	assert_int_equal(planned(*state, facts)->persistence, PERSIST_RULE);
	facts->writers.items[0].device = NULL;
	facts->services.items[facts->services.n - 1].state = "stopped";
	assert_int_equal(planned(*state, facts)->persistence, PERSIST_RULE);
}

static void tuned_that_set_it_is_named(void **state)
{
	struct facts *facts = host_new(*state);
	const struct change *change;

	put_tuned(*state, facts, "running", NULL, "mq-deadline");
	change = planned(*state, facts);
	assert_int_equal(change->set_by.n, 1);
	assert_string_equal(
		change->set_by.items[0],
		"tuned profile mine (/etc/tuned/mine/tuned.conf:4)");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(rules_for_partitions_and_controllers_set_nothing),
		T(the_last_word_of_several_is_marked),
		T(a_guarded_block_is_no_rival),
		T(a_later_rule_in_doubt_is_told_as_such),
		T(a_later_rule_that_agrees_makes_peace),
		T(rules_on_change_undo_what_ours_does_on_add),
		T(every_rule_is_listed_in_its_order),
		T(tuned_overrides_while_it_runs),
		T(tuned_that_set_it_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

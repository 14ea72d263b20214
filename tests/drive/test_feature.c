/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include "core/plan.h"
#include "knobs/knob_list.h"
#include "probe/probe.h"
#include "write/attr.h"
#include "write/feature.h"
#include "write/history.h"
#include "write/rollback.h"

#define ATTR CTRL "/feature/08"
#define SET_FEATURES 0x09
#define GET_FEATURES 0x0a
#define COALESCING 0x08

static int set_up(void **state)
{
	struct fixture *f = fixture_new();

	f->drive.identify[520] = 1 << 4; /* ONCS: select */
	f->drive.capabilities[COALESCING] = 4;
	*state = f;
	return 0;
}

/* What a profile with this one setting gives on the host as it is. */
static struct plan *plan_for(struct fixture *f, const char *text)
{
	struct arena *arena = f->tree->arena;
	const struct probe_options options = { 0 };
	const struct profile_source at = { "test", "test.ini", 1 };
	struct facts *facts = ARENA_NEW(arena, struct facts);
	struct profile *profile = ARENA_NEW(arena, struct profile);
	struct applied *applied = ARENA_NEW(arena, struct applied);
	struct plan *plan = ARENA_NEW(arena, struct plan);
	struct problems problems = { .arena = arena };
	const struct plan_input input = { .facts = facts,
					  .profile = profile,
					  .knobs = knobs_all(),
					  .applied = applied };
	struct err err = { 0 };

	profile->name = "test";
	profile->file = "test.ini";
	(void)profile_section(arena, profile, &at, "drives", &problems);
	profile_key(arena, profile, knobs_all(), &at, "irq.coalescing", text,
		    &problems);
	assert_int_equal(probe_host(f->tree->root, knobs_all(), &options, arena,
				    facts, &err),
			 0);
	assert_int_equal(applied_from_history(f->tree->root, arena, knobs_all(),
					      applied, &err),
			 0);
	assert_int_equal(plan_build(arena, &input, plan, &problems), 0);
	return plan;
}

static struct execute_result apply(struct fixture *f, const char *text)
{
	struct execute_result result;
	struct err err = { 0 };

	if (fixture_execute(f, plan_for(f, text), &result, &err) < 0)
		(void)snprintf(f->why, sizeof(f->why), "%s", err.text);
	return result;
}

static struct rollback_result roll_back(struct fixture *f)
{
	const struct rollback_input input = { .root = f->tree->root,
					      .knobs = knobs_all() };
	struct rollback_result result;
	struct err err = { 0 };

	if (rollback_run(f->tree->arena, &input, &result, &err) < 0)
		fail_msg("%s", err.text);
	return result;
}

static const struct change *only_change(const struct plan *plan)
{
	assert_int_equal(plan->changes.n, 1);
	return plan->changes.items;
}

static void completions_count_from_zero_and_nothing_is_saved(void **state)
{
	struct fixture *f = *state;
	char text[VALUE_TEXT_SIZE];

	assert_int_equal(attr_write(f->tree->root, ATTR, "8/100us"), 0);
	assert_int_equal(f->drive.nr_commands, 1);
	assert_int_equal(f->drive.commands[0].opcode, SET_FEATURES);
	assert_int_equal(f->drive.commands[0].nsid, 0);
	assert_int_equal(f->drive.commands[0].cdw10, COALESCING);
	assert_int_equal(f->drive.commands[0].cdw11, 0x0107);
	assert_int_equal(f->drive.commands[0].timeout_ms, 0);
	assert_int_equal(attr_read(f->tree->root, ATTR, text), 0);
	assert_string_equal(text, "8/100us");
	assert_int_equal(f->drive.commands[1].opcode, GET_FEATURES);
	assert_int_equal(f->drive.commands[1].cdw10, COALESCING);
}

static void what_the_drive_refuses_is_told_in_words(void **state)
{
	static const struct {
		int status, code;
		const char *words;
	} cases[] = {
		{ 0x410e, -EOPNOTSUPP,
		  "the drive says that it cannot be changed" },
		{ 0x4002, -EOPNOTSUPP,
		  "the drive does not take it (Invalid Field)" },
		{ 0x0001, -EOPNOTSUPP, "the drive does not know the command" },
		{ 0x4006, -EREMOTEIO,
		  "the drive answers with NVMe status 0x4006" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = { 0 };

		f->drive.fails[SET_FEATURES] = cases[i].status;
		assert_int_equal(attr_write_told(f->tree->root, ATTR, "off",
						 &err),
				 cases[i].code);
		assert_string_equal(err.text, cases[i].words);
		assert_int_equal(attr_is_refusal(err.code),
				 err.code == -EOPNOTSUPP);
	}
}

static void controller_that_is_not_live_gets_no_command(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };
	uint32_t dword = 7;

	tree_put(f->tree, CTRL "/state", "resetting\n");
	assert_int_equal(feature_get(f->tree->root, CTRL, COALESCING, &dword,
				     &err),
			 -EAGAIN);
	assert_int_equal(feature_set(f->tree->root, CTRL, COALESCING, 1, &err),
			 -EAGAIN);
	tree_remove(f->tree, CTRL);
	assert_int_equal(feature_set(f->tree->root, CTRL, COALESCING, 1, &err),
			 -ENODEV);
	assert_int_equal(f->drive.nr_opens, 0);
	assert_int_equal(dword, 7);
}

static void coalescing_is_applied_and_taken_back(void **state)
{
	struct fixture *f = *state;

	f->drive.features[COALESCING] = 0x0003; /* off, but not 0 */
	assert_int_equal(apply(f, "8/100us").changed, 1);
	assert_string_equal(f->why, "");
	assert_int_equal(f->drive.features[COALESCING], 0x0107);
	assert_int_equal(roll_back(f).count.done, 1);
	assert_int_equal(f->drive.features[COALESCING], 0x0003);
}

static void two_ways_of_being_off_are_the_same(void **state)
{
	struct fixture *f = *state;

	f->drive.features[COALESCING] = 0x0500; /* one completion, 500 us */
	assert_int_equal(only_change(plan_for(f, "off"))->verdict,
			 VERDICT_KEEP);
	f->drive.features[COALESCING] = 0x0003;
	assert_int_equal(only_change(plan_for(f, "off"))->verdict,
			 VERDICT_KEEP);
	f->drive.features[COALESCING] = 0x0107;
	assert_int_equal(only_change(plan_for(f, "off"))->verdict,
			 VERDICT_CHANGE);
}

static void a_drive_that_says_so_before_is_not_asked_to_change(void **state)
{
	struct fixture *f = *state;
	const struct change *change;

	f->drive.capabilities[COALESCING] = 0;
	change = only_change(plan_for(f, "8/100us"));
	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_string_equal(change->reason,
			    "the drive says that it cannot be changed");
	/* What it is already, it may be. */
	assert_int_equal(only_change(plan_for(f, "off"))->verdict,
			 VERDICT_KEEP);
	assert_int_equal(apply(f, "8/100us").id, 0);
	assert_int_equal(fixture_count(f, SET_FEATURES), 0);
}

static void a_drive_that_refuses_stays_and_fails_nothing(void **state)
{
	struct fixture *f = *state;
	struct execute_result result;

	f->drive.fails[SET_FEATURES] = 0x410e;
	result = apply(f, "8/100us");
	assert_int_equal(result.refused, 1);
	assert_int_equal(result.changed, 0);
	assert_false(result.undone);
	assert_string_equal(
		f->why,
		"nvme0: irq.coalescing: cannot write \"8/100us\": the drive says that it cannot be changed");
	f->drive.fails[SET_FEATURES] = 0;
	f->drive.nr_commands = 0;
	assert_int_equal(roll_back(f).count.done, 0);
	assert_int_equal(fixture_count(f, SET_FEATURES), 0);
}

static void a_drive_without_it_is_off_and_cannot_be_on(void **state)
{
	struct fixture *f = *state;
	const struct change *change;

	f->drive.fails[GET_FEATURES] = 0x4002;
	change = only_change(plan_for(f, "off"));
	assert_int_equal(change->verdict, VERDICT_KEEP);
	assert_string_equal(
		change->reason,
		"not applicable: the drive has no interrupt coalescing");
	change = only_change(plan_for(f, "8/100us"));
	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_string_equal(change->reason,
			    "the drive has no interrupt coalescing");
}

static void what_a_reset_loses_a_second_apply_sets_again(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(apply(f, "8/100us").changed, 1);
	assert_int_equal(apply(f, "8/100us").id, 0);
	f->drive.features[COALESCING] = 0; /* a reset */
	assert_int_equal(apply(f, "8/100us").changed, 1);
	assert_int_equal(f->drive.features[COALESCING], 0x0107);
}

static void what_survives_a_reset_is_known_of_off_alone(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(only_change(plan_for(f, "off"))->persistence,
			 PERSIST_KERNEL);
	assert_int_equal(only_change(plan_for(f, "8/100us"))->persistence,
			 PERSIST_CANNOT);
	f->drive.capabilities[COALESCING] = 5; /* somebody may have saved it */
	assert_int_equal(only_change(plan_for(f, "off"))->persistence,
			 PERSIST_CANNOT);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(completions_count_from_zero_and_nothing_is_saved),
		T(what_the_drive_refuses_is_told_in_words),
		T(controller_that_is_not_live_gets_no_command),
		T(coalescing_is_applied_and_taken_back),
		T(two_ways_of_being_off_are_the_same),
		T(a_drive_that_says_so_before_is_not_asked_to_change),
		T(a_drive_that_refuses_stays_and_fails_nothing),
		T(a_drive_without_it_is_off_and_cannot_be_on),
		T(what_a_reset_loses_a_second_apply_sets_again),
		T(what_survives_a_reset_is_known_of_off_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

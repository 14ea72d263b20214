/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The kernel takes a latency whatever the drive says of it: the drive is
 * asked, and what it did not take goes back.  Field case A3.
 */
#include "fixture.h"

#include "knobs/knob_list.h"

#define ATTR CTRL "/power/pm_qos_latency_tolerance_us"

static int set_up(void **state)
{
	struct fixture *f = fixture_new();

	tree_put(f->tree, ATTR, "100000\n");
	f->drive.features[0x0c] = 1;
	*state = f;
	return 0;
}

/* power.apst from 100000 us to 0, and what the attribute reads then. */
static struct execute_result switch_off(struct fixture *f, char now[32])
{
	struct change change = {
		.id = "power.apst@nvme0",
		.key = "power.apst",
		.knob = &knob_power_apst,
		.target = { TARGET_CTRL, "nvme0", CTRL, CTRL_ID },
		.have = value_uint(100000),
		.want = value_uint(0),
		.verdict = VERDICT_CHANGE,
	};
	struct plan plan = { .changes = { &change, 1, 1 } };
	struct execute_result result;
	struct err err = { 0 };

	if (fixture_execute(f, &plan, &result, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(sysroot_read(f->tree->root, ATTR, now, 32) > 0);
	return result;
}

static void what_the_drive_takes_stands(void **state)
{
	struct fixture *f = *state;
	struct execute_result result;
	char now[32];

	f->drive.features[0x0c] = 0;
	result = switch_off(f, now);
	assert_int_equal(result.changed, 1);
	assert_string_equal(now, "0");
	assert_int_equal(f->drive.nr_commands, 1);
	assert_int_equal(f->drive.commands[0].opcode, 0x0a);
	assert_int_equal(f->drive.commands[0].cdw10, 0x0c);
}

static void what_the_drive_does_not_take_goes_back(void **state)
{
	struct fixture *f = *state;
	char now[32];
	const struct execute_result result = switch_off(f, now);

	assert_int_equal(result.changed, 0);
	assert_int_equal(result.refused, 1);
	assert_int_equal(result.failed, 0);
	assert_string_equal(now, "100000");
	assert_string_equal(
		f->why,
		"nvme0: power.apst: the drive did not take it: feature 0Ch says that the transitions are on");
}

static void a_drive_that_knows_no_such_feature_refuses(void **state)
{
	struct fixture *f = *state;
	struct execute_result result;
	char now[32];

	f->drive.fails[0x0a] = 0x4002; /* Invalid Field, do not retry */
	result = switch_off(f, now);
	assert_int_equal(result.refused, 1);
	assert_string_equal(now, "100000");
	assert_non_null(strstr(f->why, "cannot ask the drive"));
}

static void a_tree_has_no_drive_to_ask(void **state)
{
	struct fixture *f = *state;
	const struct sysroot_hooks none = { 0 };
	struct execute_result result;
	char now[32];

	sysroot_set_hooks(f->tree->root, &none);
	result = switch_off(f, now);
	assert_int_equal(result.changed, 1);
	assert_int_equal(f->drive.nr_commands, 0);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_the_drive_takes_stands),
		TEST(what_the_drive_does_not_take_goes_back),
		TEST(a_drive_that_knows_no_such_feature_refuses),
		TEST(a_tree_has_no_drive_to_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

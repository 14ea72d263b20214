/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The device helper and a drive: what a reset lost is set again. */
#include "fixture.h"

#include "knobs/knob_list.h"
#include "probe/drive.h"
#include "write/device.h"
#include "write/device_restore.h"

#define LATENCY CTRL "/power/pm_qos_latency_tolerance_us"
#define GET_LOG_PAGE 0x02
#define SET_FEATURES 0x09
#define GET_FEATURES 0x0a
#define COALESCING 0x08
#define APST 0x0c

static int set_up(void **state)
{
	struct fixture *f = fixture_new();

	tree_put(f->tree, LATENCY, "100000\n");
	tree_put(f->tree, "run/nvmetune/device/nvme0.lock", "");
	f->drive.identify[520] = 1 << 4; /* ONCS: select */
	f->drive.identify[265] = 1;	 /* APSTA */
	f->drive.capabilities[COALESCING] = 4;
	*state = f;
	return 0;
}

/* What the helper does when a profile with this one setting is applied. */
static struct device_result help(struct fixture *f, const char *key,
				 const char *text)
{
	static const char *const names[] = { "nvme0" };
	struct arena *arena = f->tree->arena;
	const struct profile_source at = { "test", "test.ini", 1 };
	struct profile *profile = ARENA_NEW(arena, struct profile);
	struct facts facts;
	struct plan plan;
	struct problems problems = { .arena = arena };
	const struct knob *knob =
		knob_set_find(knobs_all(), key, &(const char *){ NULL });
	const struct knob_set one = { .items = &knob, .n = 1 };
	const struct plan_input input = { .facts = &facts,
					  .profile = profile,
					  .knobs = &one,
					  .by_helper = true,
					  .only = { names, 1 } };
	const struct device_input set = { .root = f->tree->root,
					  .plan = &plan,
					  .txn = 1,
					  .ctrl_id = CTRL_ID,
					  .tell = fixture_hear,
					  .data = f };
	struct device_result result;
	struct err err = { 0 };

	f->why[0] = '\0';
	profile->name = "test";
	profile->file = "test.ini";
	(void)profile_section(arena, profile, &at, "drives", &problems);
	profile_key(arena, profile, knobs_all(), &at, key, text, &problems);
	probe_drive(f->tree->root, &one, "nvme0", NULL, arena, &facts);
	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	if (device_set(arena, &set, &result, &err) < 0)
		fail_msg("%s", err.text);
	return result;
}

static struct restore_count roll_back(struct fixture *f)
{
	const struct restore restore = { .root = f->tree->root };
	const struct history none = { { 0 } };
	struct restore_count count = { 0 };
	struct err err = { 0 };

	if (device_restore(f->tree->arena, &restore, &none, knobs_all(), 1,
			   &count, &err) < 0)
		fail_msg("%s", err.text);
	return count;
}

static const char *latency(struct fixture *f)
{
	return sysroot_text(f->tree->root, f->tree->arena, LATENCY, NULL);
}

static void coalescing_that_a_reset_lost_is_set_again(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(help(f, "irq.coalescing", "8/100us").changed, 1);
	assert_int_equal(f->drive.features[COALESCING], 0x0107);
	assert_int_equal(help(f, "irq.coalescing", "8/100us").changed, 0);
	f->drive.features[COALESCING] = 0; /* a reset */
	assert_int_equal(help(f, "irq.coalescing", "8/100us").changed, 1);
	assert_int_equal(f->drive.features[COALESCING], 0x0107);
	assert_string_equal(f->why, "");
}

static void the_first_old_value_comes_back(void **state)
{
	struct fixture *f = *state;

	f->drive.features[COALESCING] = 0x0003;
	assert_int_equal(help(f, "irq.coalescing", "8/100us").changed, 1);
	f->drive.features[COALESCING] = 0;
	assert_int_equal(help(f, "irq.coalescing", "8/100us").changed, 1);
	assert_int_equal(roll_back(f).done, 1);
	assert_int_equal(f->drive.features[COALESCING], 0x0003);
	/* Once: there is nothing left to bring back. */
	f->drive.features[COALESCING] = 0x0107;
	assert_int_equal(roll_back(f).done, 0);
	assert_int_equal(f->drive.features[COALESCING], 0x0107);
}

static void a_drive_that_refuses_is_no_failure(void **state)
{
	struct fixture *f = *state;
	struct device_result result;

	f->drive.fails[SET_FEATURES] = 0x410e;
	result = help(f, "irq.coalescing", "8/100us");
	assert_int_equal(result.refused, 1);
	assert_int_equal(result.failed, 0);
	assert_int_equal(result.changed, 0);
	assert_string_equal(
		f->why,
		"nvme0: irq.coalescing: cannot write \"8/100us\": the drive says that it cannot be changed");
	f->drive.fails[SET_FEATURES] = 0;
	f->drive.nr_commands = 0;
	assert_int_equal(roll_back(f).done, 0);
	assert_int_equal(fixture_count(f, SET_FEATURES), 0);
}

static void a_drive_in_trouble_is_one(void **state)
{
	struct fixture *f = *state;
	struct device_result result;

	f->drive.fails[SET_FEATURES] = 0x4006; /* Internal Error */
	result = help(f, "irq.coalescing", "8/100us");
	assert_int_equal(result.failed, 1);
	assert_non_null(strstr(f->why, "NVMe status 0x4006"));
}

static void what_a_drive_does_not_have_it_is_not_asked_for(void **state)
{
	struct fixture *f = *state;

	f->drive.capabilities[COALESCING] = 0; /* not changeable */
	assert_int_equal(help(f, "irq.coalescing", "8/100us").changed, 0);
	f->drive.fails[GET_FEATURES] = 0x4002; /* not supported */
	assert_int_equal(help(f, "irq.coalescing", "8/100us").changed, 0);
	assert_int_equal(fixture_count(f, SET_FEATURES), 0);
	assert_string_equal(f->why, "");
}

static void a_controller_that_is_not_live_gets_no_command(void **state)
{
	struct fixture *f = *state;

	tree_put(f->tree, CTRL "/state", "resetting\n");
	assert_int_equal(help(f, "irq.coalescing", "8/100us").changed, 0);
	assert_int_equal(f->drive.nr_opens, 0);
}

static void transitions_are_switched_off_and_the_drive_is_asked(void **state)
{
	struct fixture *f = *state;

	f->drive.features[APST] = 0;
	assert_int_equal(help(f, "power.apst", "off").changed, 1);
	assert_string_equal(latency(f), "0");
	assert_int_equal(roll_back(f).done, 1);
	assert_string_equal(latency(f), "100000");
}

static void a_drive_that_stays_as_it_was_is_told(void **state)
{
	struct fixture *f = *state;
	struct device_result result;

	f->drive.features[APST] = 1;
	result = help(f, "power.apst", "off");
	assert_int_equal(result.refused, 1);
	assert_int_equal(result.changed, 0);
	assert_non_null(strstr(f->why, "the drive did not take it"));
	assert_string_equal(latency(f), "100000");
}

/* The driver makes it after the controller's "add". */
static void an_attribute_that_comes_late_is_set_when_it_is_there(void **state)
{
	struct fixture *f = *state;

	f->drive.features[APST] = 0;
	tree_remove(f->tree, LATENCY);
	assert_int_equal(help(f, "power.apst", "off").changed, 0);
	assert_string_equal(f->why, "");
	tree_put(f->tree, LATENCY, "100000\n");
	assert_int_equal(help(f, "power.apst", "off").changed, 1);
	assert_string_equal(latency(f), "0");
}

static void put_state(struct fixture *f, unsigned int nr, uint16_t exit_us)
{
	uint8_t *state = f->drive.identify + 2048 + (size_t)nr * 32;

	state[3] = 1 << 1; /* non-operational */
	state[8] = exit_us & 0xff;
	state[9] = exit_us >> 8;
}

static void what_differs_from_drive_to_drive_is_found_out(void **state)
{
	struct fixture *f = *state;

	f->drive.features[APST] = 1;
	f->drive.identify[263] = 4; /* NPSS */
	put_state(f, 3, 5000);
	put_state(f, 4, 22000);
	assert_int_equal(help(f, "power.apst", "no-deepest-state").changed, 1);
	assert_string_equal(latency(f), "5000");
}

static void a_drive_is_sent_only_what_is_needed(void **state)
{
	struct fixture *f = *state;

	(void)help(f, "queue.read_ahead_kb", "0");
	assert_int_equal(f->drive.nr_opens, 0);
	(void)help(f, "irq.coalescing", "off");
	assert_int_equal(fixture_count(f, GET_LOG_PAGE), 0);
	assert_true(f->drive.nr_commands <= 6);
}

static enum drive_queue queue_of(struct fixture *f, const char *disk)
{
	return probe_drive_queue(f->tree->root, f->tree->arena, disk);
}

static void a_queue_is_whole_when_what_follows_it_is_there(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(queue_of(f, "nvme0n1"), DRIVE_QUEUE_GONE);
	tree_put(f->tree, "sys/class/block/nvme0n1/dev", "259:0\n");
	assert_int_equal(queue_of(f, "nvme0n1"), DRIVE_QUEUE_MISSING);
	tree_put(f->tree, "sys/class/block/nvme0n1/queue/scheduler", "none\n");
	assert_int_equal(queue_of(f, "nvme0n1"), DRIVE_QUEUE_BEGUN);
	tree_put(f->tree, "sys/class/block/nvme0n1/integrity/format", "none\n");
	assert_int_equal(queue_of(f, "nvme0n1"), DRIVE_QUEUE_WHOLE);
	assert_int_equal(queue_of(f, "nvme0n2"), DRIVE_QUEUE_GONE);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(coalescing_that_a_reset_lost_is_set_again),
		T(the_first_old_value_comes_back),
		T(a_drive_that_refuses_is_no_failure),
		T(a_drive_in_trouble_is_one),
		T(what_a_drive_does_not_have_it_is_not_asked_for),
		T(a_controller_that_is_not_live_gets_no_command),
		T(transitions_are_switched_off_and_the_drive_is_asked),
		T(a_drive_that_stays_as_it_was_is_told),
		T(an_attribute_that_comes_late_is_set_when_it_is_there),
		T(what_differs_from_drive_to_drive_is_found_out),
		T(a_drive_is_sent_only_what_is_needed),
		T(a_queue_is_whole_when_what_follows_it_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

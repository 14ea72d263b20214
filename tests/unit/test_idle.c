/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "cmd/confirm_pace.h"
#include "core/idle.h"

/* How far apart reads are that are to find drives asleep. */
struct host {
	struct arena *arena;
	struct facts facts;
	struct context ctx;
	struct confirm confirm;
	struct confirm_unit unit;
};

static int set_up(void **state)
{
	static struct host host;

	host = (struct host){ .arena = arena_new() };
	host.ctx.arena = host.arena;
	host.ctx.facts = &host.facts;
	host.confirm.ctx = &host.ctx;
	host.unit.evidence = EVIDENCE_IDLE_WAKE;
	*state = &host;
	return 0;
}

static int tear_down(void **state)
{
	arena_free(((struct host *)*state)->arena);
	return 0;
}

/* Two working states, then PS2 behind first and PS3 behind second ms. */
static struct ctrl drive(struct arena *arena, int64_t first, int64_t second)
{
	struct ctrl ctrl = { .name = "nvme0",
			     .apsta = num_known(1),
			     .apst_enabled = num_known(1) };

	for (int64_t i = 0; i < 4; i++) {
		struct power_state *it = vec_add(arena, &ctrl.power_states);

		it->idle_ms = num_known(i < 2 ? first : i == 2 ? second : 0);
		if (it->idle_ms.value)
			it->idle_state = num_known(i < 2 ? 2 : 3);
	}
	return ctrl;
}

static void times_to_the_deepest_state_are_added_up(void **state)
{
	struct host *host = *state;
	struct ctrl ctrl = drive(host->arena, 100, 2000);
	struct idle_gap gap = idle_gap_of(&ctrl);

	assert_int_equal(num_or(idle_time_ms(&ctrl), -1), 2100);
	assert_int_equal(gap.ms, 2625);
	assert_false(gap.cut || gap.unknown);
	ctrl = drive(host->arena, 100, 0);
	assert_int_equal(num_or(idle_time_ms(&ctrl), -1), 100);
	assert_int_equal(idle_gap_of(&ctrl).ms, 150);
}

static void drive_that_stays_awake_is_not_waited_for(void **state)
{
	struct host *host = *state;
	struct ctrl ctrl = drive(host->arena, 0, 0);

	assert_int_equal(num_or(idle_time_ms(&ctrl), -1), 0);
	assert_int_equal(idle_gap_of(&ctrl).ms, 150);
	assert_false(idle_gap_of(&ctrl).unknown);
	ctrl = (struct ctrl){ .apsta = num_known(0) };
	assert_int_equal(num_or(idle_time_ms(&ctrl), -1), 0);
}

static void what_takes_too_long_is_cut_and_told(void **state)
{
	struct host *host = *state;
	struct ctrl ctrl = drive(host->arena, 100, 2400);

	/* Just reached, with less to spare. */
	assert_int_equal(idle_gap_of(&ctrl).ms, 3000);
	assert_false(idle_gap_of(&ctrl).cut);
	ctrl = drive(host->arena, 100, 2900);
	assert_int_equal(idle_gap_of(&ctrl).ms, 3000);
	assert_true(idle_gap_of(&ctrl).cut);
	ctrl = drive(host->arena, 100, 0xffffff);
	assert_int_equal(idle_gap_of(&ctrl).ms, 3000);
	assert_true(idle_gap_of(&ctrl).cut);
}

static void table_that_is_off_or_was_not_read_is_unknown(void **state)
{
	struct host *host = *state;
	struct ctrl ctrl = drive(host->arena, 100, 2000);

	ctrl.apst_enabled = num_known(0);
	assert_false(idle_time_ms(&ctrl).known);
	assert_true(idle_gap_of(&ctrl).unknown);
	assert_int_equal(idle_gap_of(&ctrl).ms, 150);
	ctrl.apst_enabled = num_known(1);
	ctrl.power_states.items[0].idle_ms = num_unknown(0); /* of old */
	assert_false(idle_time_ms(&ctrl).known);
	ctrl = (struct ctrl){ .name = "nvme0" };
	assert_false(idle_time_ms(&ctrl).known);
}

static void table_that_leads_nowhere_or_round_ends(void **state)
{
	struct host *host = *state;
	struct ctrl ctrl = drive(host->arena, 100, 2000);

	ctrl.power_states.items[2].idle_state = num_known(0);
	assert_int_equal(num_or(idle_time_ms(&ctrl), -1), 100);
	ctrl.power_states.items[2].idle_state = num_known(31);
	assert_int_equal(num_or(idle_time_ms(&ctrl), -1), 100);
}

static void add_drive(struct host *host, const char *name, const char *disk,
		      struct ctrl ctrl)
{
	struct ns *ns = ARENA_NEW(host->arena, struct ns);

	ctrl.name = name;
	*vec_add(host->arena, &host->facts.ctrls) = ctrl;
	*ns = (struct ns){ .name = disk, .ctrl = name };
	vec_add(host->arena, &host->confirm.load.drives)->ns = ns;
}

static void the_last_drive_to_fall_asleep_is_waited_for(void **state)
{
	struct host *host = *state;
	struct confirm_pace pace;

	add_drive(host, "nvme0", "nvme0n1", drive(host->arena, 100, 0));
	add_drive(host, "nvme1", "nvme1n1", drive(host->arena, 100, 2000));
	pace = confirm_pace_of(&host->confirm, &host->unit);
	assert_int_equal(pace.gap_ms, 2625);
	assert_int_equal(pace.settle_ms, 2625);
	assert_int_equal(pace.measure_ms, 4 * 2625);
	assert_string_equal(confirm_pace_text(host->arena, &pace),
			    ", 2625 ms apart");
	/* A slice of which there is none of these reads would say nothing. */
	host->ctx.options.time = 1;
	assert_int_equal(
		confirm_pace_of(&host->confirm, &host->unit).measure_ms,
		4 * 2625);
	/* Of a unit that does not work on it, it is of no interest. */
	*vec_add(host->arena, &host->unit.drives.names) = "nvme0";
	pace = confirm_pace_of(&host->confirm, &host->unit);
	assert_int_equal(pace.gap_ms, 150);
	assert_int_equal(pace.settle_ms, 500);
	assert_int_equal(pace.measure_ms, 1000);
}

static void what_the_reads_do_not_reach_is_told(void **state)
{
	struct host *host = *state;
	struct confirm_pace pace;

	add_drive(host, "nvme0", "nvme0n1", drive(host->arena, 100, 9000));
	add_drive(host, "nvme1", "nvme1n1", (struct ctrl){ .name = NULL });
	pace = confirm_pace_of(&host->confirm, &host->unit);
	assert_string_equal(
		confirm_pace_text(host->arena, &pace),
		", 3000 ms apart; idle states that nvme0n1 needs more than 3000 ms for are not reached; when nvme1n1 falls asleep is not known, if it does");
}

static void reads_under_load_follow_one_another(void **state)
{
	struct host *host = *state;
	struct confirm_pace pace;

	add_drive(host, "nvme0", "nvme0n1", drive(host->arena, 100, 2000));
	host->unit.evidence = EVIDENCE_LOAD;
	pace = confirm_pace_of(&host->confirm, &host->unit);
	assert_int_equal(pace.gap_ms, 0);
	assert_int_equal(pace.settle_ms, 500);
	assert_int_equal(pace.measure_ms, 2000);
	assert_string_equal(confirm_pace_text(host->arena, &pace), "");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(times_to_the_deepest_state_are_added_up),
		T(drive_that_stays_awake_is_not_waited_for),
		T(what_takes_too_long_is_cut_and_told),
		T(table_that_is_off_or_was_not_read_is_unknown),
		T(table_that_leads_nowhere_or_round_ends),
		T(the_last_drive_to_fall_asleep_is_waited_for),
		T(what_the_reads_do_not_reach_is_told),
		T(reads_under_load_follow_one_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

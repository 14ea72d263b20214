/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "cmd/confirm_mechanism.h"
#include "knobs/knob_list.h"

#define DRIVES 3

/* Three drives, of which one has two paths; what is expected of their
 * interrupts follows from the steps that differ. */
struct host {
	struct arena *arena;
	struct facts facts;
	struct context ctx;
	struct confirm confirm;
	struct confirm_unit unit;
	struct step_list list;
	struct arms all;
	const char *before[DRIVES + 1];
	const char *after[DRIVES + 1];
	struct confirm_arms arms;
	struct confirm_mechanism mechanism;
};

static const char *const ctrls[] = { "nvme0", "nvme1", "nvme2", "nvme3" };

static void add_disks(struct host *host)
{
	static const struct ns disks[] = {
		{ .name = "nvme0n1", .ctrl = "nvme0" },
		{ .name = "nvme1n1", .ctrl = "nvme1" },
		{ .name = "nvme2n1", .kind = NS_HEAD, .subsystem = "s2" },
		{ .name = "nvme2c2n1",
		  .kind = NS_PATH,
		  .ctrl = "nvme2",
		  .subsystem = "s2",
		  .head = "nvme2n1" },
		{ .name = "nvme2c3n1",
		  .kind = NS_PATH,
		  .ctrl = "nvme3",
		  .subsystem = "s2",
		  .head = "nvme2n1" },
	};

	for (size_t i = 0; i < sizeof(disks) / sizeof(*disks); i++)
		*vec_add(host->arena, &host->facts.namespaces) = disks[i];
	VEC_EACH(&host->facts.namespaces, const struct ns, ns)
		if (ns->kind != NS_PATH)
			vec_add(host->arena, &host->confirm.load.drives)->ns =
				ns;
}

static int set_up(void **state)
{
	static struct host host;

	host = (struct host){ .arena = arena_new() };
	host.ctx.arena = host.arena;
	host.ctx.facts = &host.facts;
	host.confirm.ctx = &host.ctx;
	for (size_t i = 0; i < sizeof(ctrls) / sizeof(*ctrls); i++)
		vec_add(host.arena, &host.facts.ctrls)->name = ctrls[i];
	add_disks(&host);
	host.all.list = &host.list;
	host.arms.arena = host.arena;
	host.arms.arms = &host.all;
	host.arms.wanted[BENCH_BEFORE] = host.before;
	host.arms.wanted[BENCH_AFTER] = host.after;
	*state = &host;
	return 0;
}

static int tear_down(void **state)
{
	arena_free(((struct host *)*state)->arena);
	return 0;
}

static void add_step(struct host *host, const struct knob *knob,
		     const char *target, const char *before, const char *after)
{
	struct step *step = vec_add(host->arena, &host->list.steps);
	const size_t nr = host->list.steps.n;

	*step = (struct step){
		.nr = (unsigned int)nr,
		.knob = knob,
		.target = { .kind = TARGET_CTRL, .name = target },
	};
	host->before[nr - 1] = before;
	host->after[nr - 1] = after;
}

static void find(struct host *host)
{
	confirm_mechanism_find(&host->confirm, &host->unit, &host->arms,
			       &host->mechanism);
}

static const char *text(struct host *host, const struct mechanism *seen)
{
	return confirm_mechanism_text(host->arena, &host->mechanism, seen);
}

static void drives_that_are_switched_are_expected_to_move(void **state)
{
	struct host *host = *state;

	add_step(host, &knob_irq_coalescing, "nvme1", "off", "8/100us");
	add_step(host, &knob_irq_coalescing, "nvme3", "8/100us", "off");
	/* Refused by the drive: it stays. */
	add_step(host, &knob_irq_coalescing, "nvme0", "off", "off");
	find(host);
	assert_true(host->mechanism.shows);
	assert_int_equal(host->mechanism.n, DRIVES);
	assert_int_equal(host->mechanism.shifts[0].change, INTERRUPTS_ANY);
	assert_int_equal(host->mechanism.shifts[1].change, INTERRUPTS_FEWER);
	/* The disk behind two controllers, by one of them. */
	assert_string_equal(host->mechanism.names[2], "nvme2n1");
	assert_int_equal(host->mechanism.shifts[2].change, INTERRUPTS_MORE);
}

static void a_vector_that_moves_is_its_controllers(void **state)
{
	struct host *host = *state;
	struct ctrl *drives = host->facts.ctrls.items;
	const struct vector only = { .irq = 40,
				     .queue = num_known(0),
				     .managed = num_known(0) };

	*vec_add(host->arena, &drives[0].vectors) = only;
	*vec_add(host->arena, &drives[0].vectors) =
		(struct vector){ .irq = 41, .queue = num_known(1) };
	*vec_add(host->arena, &drives[1].vectors) = only;
	add_step(host, &knob_irq_affinity, "nvme1q0", "0-3", "4-7");
	add_step(host, &knob_irq_affinity, "nvme0q0", "0-3", "4-7");
	VEC_EACH(&host->list.steps, struct step, step)
		step->target.kind = TARGET_VECTOR;
	find(host);
	/* That drive's reads interrupt on another vector. */
	assert_int_equal(host->mechanism.shifts[0].change, INTERRUPTS_ANY);
	assert_int_equal(host->mechanism.shifts[1].change,
			 INTERRUPTS_ELSEWHERE);
	assert_string_equal(cpuset_text(host->arena,
					&host->mechanism.shifts[1].cpus),
			    "4-7");
}

static void other_knobs_are_read_back_and_that_is_all(void **state)
{
	struct host *host = *state;

	add_step(host, &knob_power_apst, "nvme1", "100000", "0");
	find(host);
	assert_false(host->mechanism.shows);
}

static void what_was_looked_at_is_told(void **state)
{
	struct host *host = *state;
	struct mechanism seen = { .state = DECIDE_UNMOVED,
				  .cell = 1,
				  .change = INTERRUPTS_FEWER,
				  .arms = { 0.998, 0.997 } };

	add_step(host, &knob_irq_coalescing, "nvme1", "off", "8/100us");
	find(host);
	assert_string_equal(
		text(host, &seen),
		"nvme1n1 raised 0.998 interrupts for each I/O before and 0.997 after: fewer are what it is for");
	seen.change = INTERRUPTS_ELSEWHERE;
	assert_string_equal(
		text(host, &seen),
		"the CPUs asked for took 99.8 % of the interrupts of nvme1n1 before and 99.7 % after: more is what it is for");
	seen.state = DECIDE_UNSEEN;
	assert_string_equal(
		text(host, &seen),
		"whether the interrupts of nvme1n1 moved is unknown, and reading back decides: they were on these CPUs before");
}

static void a_command_leaves_it_to_reading_back(void **state)
{
	struct host *host = *state;
	const struct mechanism seen = { .state = DECIDE_UNSEEN };

	host->confirm.command.is_workload = true;
	add_step(host, &knob_irq_coalescing, "nvme1", "off", "8/100us");
	find(host);
	assert_true(host->mechanism.shows);
	assert_int_equal(host->mechanism.n, 0);
	assert_string_equal(
		text(host, &seen),
		"whether the interrupts of the drive moved is unknown, and reading back decides: what a command does is not counted");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(drives_that_are_switched_are_expected_to_move),
		T(a_vector_that_moves_is_its_controllers),
		T(other_knobs_are_read_back_and_that_is_all),
		T(what_was_looked_at_is_told),
		T(a_command_leaves_it_to_reading_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "cmd/confirm_units.h"
#include "cmd/confirm_words.h"
#include "host.h"
#include "knobs/knob_list.h"

/* What of a plan is measured, and what is not. */
struct fixture {
	struct arena *arena;
	struct context ctx;
	struct plan plan;
	struct applied applied;
	struct confirm confirm;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .arena = arena_new() };
	f.ctx.arena = f.arena;
	f.ctx.facts = host_new(f.arena);
	f.ctx.plan = &f.plan;
	f.confirm.ctx = &f.ctx;
	host_number(f.arena, f.ctx.facts, "nvme0n1", "queue.iostats", 1);
	host_number(f.arena, f.ctx.facts, "nvme0n1", "queue.nomerges", 0);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	arena_free(((struct fixture *)*state)->arena);
	return 0;
}

/* The disk is read, and so many use it. */
static void find(struct fixture *f, const char *const *lines, const char *users)
{
	struct problems problems = { .arena = f->arena };
	const struct plan_input input = {
		.facts = f->ctx.facts,
		.profile = host_profile(f->arena, lines),
		.knobs = knobs_all(),
		.applied = &f->applied,
	};

	if (plan_build(f->arena, &input, &f->plan, &problems) < 0)
		fail_msg("%s", problems.lines.items[0]);
	f->confirm.profile = input.profile;
	confirm_find_units(&f->confirm);
	*vec_add(f->arena, &f->confirm.load.drives) =
		(struct load_drive){ .ns = facts_ns(f->ctx.facts, "nvme0n1"),
				     .users = users };
	confirm_spare_users(&f->confirm);
}

static const struct confirm_unit *unit(const struct fixture *f, const char *key)
{
	VEC_EACH(&f->confirm.units, const struct confirm_unit, it)
		if (strcmp(it->key, key) == 0)
			return it;
	fail_msg("%s is no unit", key);
	return NULL;
}

static const char *const both[] = { "[drives]", "queue.iostats = 0",
				    "queue.nomerges = 2", NULL };

static void counters_are_not_switched_off_below_those_who_wait(void **state)
{
	struct fixture *f = *state;
	const struct confirm_unit *iostats;

	find(f, both, "/data");
	iostats = unit(f, "queue.iostats");
	assert_false(confirm_can_measure(iostats));
	assert_string_equal(confirm_verdict_text(iostats, f->arena),
			    "NOT MEASURABLE");
	assert_string_equal(
		confirm_why(iostats, &decide_rule_default, f->arena),
		"nvme0n1 is in use by /data: while it is switched nobody sees how long they wait");
	assert_true(confirm_can_measure(unit(f, "queue.nomerges")));
}

static void a_drive_that_nobody_uses_may_stop_counting(void **state)
{
	struct fixture *f = *state;

	find(f, both, NULL);
	assert_true(confirm_can_measure(unit(f, "queue.iostats")));
	assert_null(confirm_verdict_text(unit(f, "queue.iostats"), f->arena));
}

static void users_of_another_drive_do_not_matter(void **state)
{
	struct fixture *f = *state;
	const struct ns other = { .name = "nvme1n1" };

	*vec_add(f->arena, &f->confirm.load.drives) =
		(struct load_drive){ .ns = &other, .users = "/data" };
	find(f, both, NULL);
	assert_true(confirm_can_measure(unit(f, "queue.iostats")));
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(counters_are_not_switched_off_below_those_who_wait),
		T(a_drive_that_nobody_uses_may_stop_counting),
		T(users_of_another_drive_do_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/owner.h"
#include "knobs/knob_list.h"
#include "write/history.h"

#define OPTIONS OWNER_MARK "\n"
#define POLL OPTIONS "options nvme poll_queues=2\n"

static struct step *add_transaction(struct arena *arena,
				    struct history *history,
				    const char *boot_id, const char *before,
				    const char *after)
{
	struct history_entry *entry = vec_add(arena, &history->entries);
	struct step *step = vec_add(arena, &entry->journal.list.steps);

	entry->id = (unsigned int)history->entries.n;
	entry->journal.state = JOURNAL_COMMITTED;
	entry->journal.head.boot_id = boot_id;
	*step = (struct step){
		.kind = STEP_FILE,
		.path = OWNER_OPTIONS,
		.old_text = before,
		.new_text = after,
		.progress = STEP_DONE,
	};
	return step;
}

static struct applied applied_of(struct arena *arena,
				 const struct history *history)
{
	struct applied applied;

	applied_fill(arena, history, knobs_all(), &applied);
	return applied;
}

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

static void an_option_that_left_our_file_is_remembered(void **state)
{
	struct history history = { { 0 } };
	struct applied applied;

	add_transaction(*state, &history, "boot", NULL, POLL);
	applied = applied_of(*state, &history);
	assert_int_equal(applied.dropped.n, 0);
	add_transaction(*state, &history, "boot", POLL, NULL);
	applied = applied_of(*state, &history);
	assert_int_equal(applied.dropped.n, 1);
	assert_string_equal(applied.dropped.items[0].module, "nvme");
	assert_string_equal(applied.dropped.items[0].param, "poll_queues");
	assert_string_equal(applied.dropped.items[0].value, "2");
}

static void an_option_that_is_back_is_not_gone(void **state)
{
	struct history history = { { 0 } };

	add_transaction(*state, &history, "boot", POLL, OPTIONS);
	add_transaction(*state, &history, "boot", OPTIONS, POLL);
	assert_int_equal(applied_of(*state, &history).dropped.n, 0);
}

static void what_went_in_an_earlier_boot_is_nobodys(void **state)
{
	struct history history = { { 0 } };

	add_transaction(*state, &history, "boot", POLL, OPTIONS);
	add_transaction(*state, &history, "another", OPTIONS, OPTIONS);
	assert_int_equal(applied_of(*state, &history).dropped.n, 0);
}

static void what_did_not_stand_dropped_nothing(void **state)
{
	struct history history = { { 0 } };

	add_transaction(*state, &history, "boot", POLL, NULL)->progress =
		STEP_PLANNED;
	add_transaction(*state, &history, "boot", POLL, NULL);
	history.entries.items[1].journal.state = JOURNAL_UNDONE;
	assert_int_equal(applied_of(*state, &history).dropped.n, 0);
}

static void a_module_that_was_loaded_anew_has_nothing_of_before(void **state)
{
	struct history history = { { 0 } };
	struct applied applied;
	struct step *reload;

	add_transaction(*state, &history, "boot",
			POLL "options nvme_core io_timeout=5\n", NULL);
	reload = vec_add(*state, &history.entries.items[0].journal.list.steps);
	*reload = (struct step){ .kind = STEP_ACTION,
				 .action = ACTION_RELOAD,
				 .progress = STEP_DONE };
	applied = applied_of(*state, &history);
	assert_int_equal(applied.dropped.n, 1);
	assert_string_equal(applied.dropped.items[0].module, "nvme_core");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_option_that_left_our_file_is_remembered),
		TEST(an_option_that_is_back_is_not_gone),
		TEST(what_went_in_an_earlier_boot_is_nobodys),
		TEST(what_did_not_stand_dropped_nothing),
		TEST(a_module_that_was_loaded_anew_has_nothing_of_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

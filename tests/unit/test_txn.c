/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "tree.h"
#include "write/history.h"
#include "write/state.h"
#include "write/txn.h"

#define JOURNAL "var/lib/nvmetune/txn/0001/journal"

static struct txn_begin_input input_of(struct tree *tree)
{
	struct txn_begin_input input = {
		.head = { .profile = "oltp", .boot_id = "boot" },
		.plan_json = "{}\n",
		.facts_json = "{}\n",
	};
	struct step *step = vec_add(tree->arena, &input.list.steps);

	*step = (struct step){
		.kind = STEP_VALUE,
		.key = "queue.scheduler",
		.target = { .kind = TARGET_QUEUE,
			    .name = "nvme0n1",
			    .dir = "sys/class/block/nvme0n1",
			    .id = "eui.1" },
		.attr = "queue/scheduler",
		.before = "mq-deadline",
		.after = "none",
	};
	return input;
}

static struct txn *begin(struct tree *tree)
{
	const struct txn_begin_input input = input_of(tree);
	struct err err = { 0 };
	struct txn *txn;

	if (txn_begin(tree->root, tree->arena, &input, &txn, &err) < 0)
		fail_msg("%s", err.text);
	return txn;
}

static mode_t mode_of(struct tree *tree, const char *path)
{
	mode_t mode;

	assert_int_equal(sysroot_mode(tree->root, path, &mode), 0);
	return mode & 07777;
}

static void all_is_on_disk_before_the_first_step(void **state)
{
	struct tree *tree = tree_new();
	struct txn *txn = begin(tree);
	struct journal journal;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(txn_read(tree->root, tree->arena, 1, &journal, &err),
			 0);
	assert_int_equal(journal.state, JOURNAL_OPEN);
	assert_int_equal(journal.list.steps.n, 1);
	assert_string_equal(journal.head.profile, "oltp");
	assert_string_equal(
		tree_get(tree, "var/lib/nvmetune/txn/0001/plan.json"), "{}\n");
	assert_int_equal(mode_of(tree, "var/lib/nvmetune"), 0700);
	assert_int_equal(mode_of(tree, JOURNAL), 0600);
	txn_close(txn);
	tree_free(tree);
}

static void a_start_is_in_the_file_when_it_returns(void **state)
{
	struct tree *tree = tree_new();
	struct txn *txn = begin(tree);
	struct journal journal;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(
		txn_start(txn, &txn->journal.list.steps.items[0], &err), 0);
	assert_int_equal(txn_read(tree->root, tree->arena, 1, &journal, &err),
			 0);
	assert_int_equal(journal.list.steps.items[0].progress, STEP_STARTED);
	txn_close(txn);
	tree_free(tree);
}

static void a_torn_tail_is_cut_before_more_is_written(void **state)
{
	struct tree *tree = tree_new();
	struct txn *txn = begin(tree);
	char *whole = tree_get(tree, JOURNAL);
	struct journal journal;
	struct err err = { 0 };

	(void)state;
	txn_close(txn);
	tree_put(tree, JOURNAL,
		 arena_printf(tree->arena, "%s0123456789abcdef {\"rec", whole));
	assert_int_equal(txn_reopen(tree->root, tree->arena, 1, &txn, &err), 0);
	assert_int_equal(txn_undo(txn, false, &err), 0);
	assert_int_equal(txn_undone(txn, &err), 0);
	txn_close(txn);
	assert_int_equal(txn_read(tree->root, tree->arena, 1, &journal, &err),
			 0);
	assert_int_equal(journal.state, JOURNAL_UNDONE);
	tree_free(tree);
}

/* Has the file the space that all the lines to come may take? */
static bool has_room(const struct txn *txn)
{
	const size_t wanted =
		txn->journal.size + journal_room(&txn->journal.list);
	struct stat st;

	assert_int_equal(fstat(txn->fd, &st), 0);
	return (size_t)st.st_blocks * 512 >= wanted;
}

static void room_is_held_when_a_journal_is_taken_up_again(void **state)
{
	struct tree *tree = tree_new();
	struct txn *txn = begin(tree);
	const bool can_hold = has_room(txn);
	struct err err = { 0 };

	(void)state;
	txn_close(txn);
	assert_int_equal(txn_reopen(tree->root, tree->arena, 1, &txn, &err), 0);
	assert_int_equal(has_room(txn), can_hold);
	txn_close(txn);
	tree_free(tree);
}

static void append_bytes(struct tree *tree, const char *bytes, size_t n)
{
	int fd = open(arena_printf(tree->arena, "%s/" JOURNAL, tree->dir),
		      O_WRONLY | O_APPEND | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	assert_int_equal(close(fd), 0);
}

static void a_tail_of_zeroes_is_torn_and_zeroes_inside_are_damage(void **state)
{
	static const char zeroes[512];
	struct tree *tree = tree_new();
	struct journal journal;
	struct err err = { 0 };

	(void)state;
	txn_close(begin(tree));
	append_bytes(tree, zeroes, sizeof(zeroes));
	assert_int_equal(txn_read(tree->root, tree->arena, 1, &journal, &err),
			 0);
	assert_int_equal(journal.state, JOURNAL_OPEN);
	append_bytes(tree, "x", 1);
	assert_int_equal(txn_read(tree->root, tree->arena, 1, &journal, &err),
			 -EBADMSG);
	tree_free(tree);
}

static void what_json_cannot_hold_does_not_begin(void **state)
{
	struct tree *tree = tree_new();
	struct txn_begin_input input = input_of(tree);
	struct step *step = vec_add(tree->arena, &input.list.steps);
	struct err err = { 0 };
	struct txn *txn;

	(void)state;
	*step = (struct step){ .kind = STEP_FILE,
			       .path = "/etc/x",
			       .old_text = "broken \xff",
			       .new_text = "x" };
	assert_int_equal(txn_begin(tree->root, tree->arena, &input, &txn, &err),
			 -EILSEQ);
	assert_false(sysroot_exists(tree->root, STATE_TXN_DIR));
	step->old_text = "\xc2\x85 and \x01 are fine";
	assert_int_equal(txn_begin(tree->root, tree->arena, &input, &txn, &err),
			 0);
	txn_close(txn);
	tree_free(tree);
}

static void a_folder_without_a_journal_never_began(void **state)
{
	struct tree *tree = tree_new();
	struct history history;
	struct err err = { 0 };
	struct txn *txn;

	(void)state;
	tree_put(tree, "var/lib/nvmetune/txn/0001/plan.json", "{}");
	tree_put(tree, "var/lib/nvmetune/txn/0001/journal.nvmetune-new", "x");
	assert_int_equal(history_read(tree->root, tree->arena, &history, &err),
			 0);
	assert_int_equal(history.entries.n, 0);
	txn = begin(tree);
	assert_int_equal(txn->journal.head.id, 1);
	assert_false(sysroot_exists(
		tree->root, "var/lib/nvmetune/txn/0001/journal.nvmetune-new"));
	txn_close(txn);
	txn = begin(tree);
	assert_int_equal(txn->journal.head.id, 2);
	txn_close(txn);
	tree_free(tree);
}

static int fail_on_the_first_journal(void *data, const char *path, int flags)
{
	(void)data;
	(void)flags;
	return strcmp(path, JOURNAL) == 0 ? -EIO : 0;
}

static void a_journal_that_cannot_be_seen_is_not_none(void **state)
{
	const struct sysroot_hooks dying = { .open = fail_on_the_first_journal };
	const struct sysroot_hooks well = { 0 };
	struct tree *tree = tree_new();
	struct txn_begin_input input = input_of(tree);
	struct history history;
	struct txn *txn;
	struct err err = { 0 };

	(void)state;
	txn_close(begin(tree));
	sysroot_set_hooks(tree->root, &dying);
	assert_int_equal(history_read(tree->root, tree->arena, &history, &err),
			 -EIO);
	assert_string_equal(err.text,
			    "/" JOURNAL ": cannot read: Input/output error");
	assert_int_equal(txn_begin(tree->root, tree->arena, &input, &txn, &err),
			 -EIO);
	sysroot_set_hooks(tree->root, &well);
	assert_int_equal(history_read(tree->root, tree->arena, &history, &err),
			 0);
	assert_int_equal(history.entries.n, 1);
	tree_free(tree);
}

static void another_spelling_of_a_number_is_no_transaction(void **state)
{
	struct tree *tree = tree_new();
	struct history history;
	struct err err = { 0 };

	(void)state;
	txn_close(begin(tree));
	tree_put(tree, "var/lib/nvmetune/txn/1/journal",
		 tree_get(tree, JOURNAL));
	assert_int_equal(history_read(tree->root, tree->arena, &history, &err),
			 0);
	assert_int_equal(history.entries.n, 1);
	tree_free(tree);
}

static void a_damaged_journal_blocks_and_says_where(void **state)
{
	struct tree *tree = tree_new();
	struct history history;
	struct err err = { 0 };
	char *text;

	(void)state;
	txn_close(begin(tree));
	text = tree_get(tree, JOURNAL);
	text[30] ^= 1;
	tree_put(tree, JOURNAL, text);
	assert_int_equal(history_read(tree->root, tree->arena, &history, &err),
			 0);
	assert_ptr_equal(history_blocking(&history), &history.entries.items[0]);
	assert_string_equal(history.entries.items[0].damage,
			    "/" JOURNAL ": line 1 is damaged");
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_on_disk_before_the_first_step),
		cmocka_unit_test(a_start_is_in_the_file_when_it_returns),
		cmocka_unit_test(a_torn_tail_is_cut_before_more_is_written),
		cmocka_unit_test(
			a_tail_of_zeroes_is_torn_and_zeroes_inside_are_damage),
		cmocka_unit_test(room_is_held_when_a_journal_is_taken_up_again),
		cmocka_unit_test(what_json_cannot_hold_does_not_begin),
		cmocka_unit_test(a_folder_without_a_journal_never_began),
		cmocka_unit_test(a_journal_that_cannot_be_seen_is_not_none),
		cmocka_unit_test(
			another_spelling_of_a_number_is_no_transaction),
		cmocka_unit_test(a_damaged_journal_blocks_and_says_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/err.h"
#include "sys/hash.h"
#include "write/journal.h"

static const struct journal_head head = {
	.id = 7,
	.time = "2026-01-02T03:04:05Z",
	.uid = 0,
	.sudo_user = "ann",
	.profile = "oltp",
	.profile_hash = "aa",
	.plan_hash = "bb",
	.boot_id = "boot",
	.kernel = "6.1.0",
	.initramfs = "dracut",
};

static const struct journal_who nobody = { .uid = -1 };

/* A name of the longest there is, of the costliest bytes. */
static const struct journal_who alice = {
	.time = "2026-01-02T03:04:06Z",
	.uid = UINT32_MAX,
	.sudo_user =
		"\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1"
		"\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1",
};

static const struct step value = {
	.nr = 1,
	.kind = STEP_VALUE,
	.role = ROLE_SET,
	.key = "queue.nr_requests",
	.target = { .kind = TARGET_QUEUE,
		    .name = "nvme0n1",
		    .dir = "sys/class/block/nvme0n1",
		    .id = "eui.1 \"\x1b" },
	.attr = "queue/nr_requests",
	.before = "256",
	.after = "1023",
	.nudge = true,
	.unsettled = true,
	.lasts = true,
};

static const struct step folder = { .nr = 2,
				    .kind = STEP_FOLDER,
				    .path = "/etc/nvmetune" };

static const struct step file = {
	.nr = 3,
	.kind = STEP_FILE,
	.path = "/etc/nvmetune/applied.ini",
	.old_text = NULL,
	.new_text = "# line\nzwei \xc3\xa4\t\x01\n",
	.new_mode = 0640,
};

struct fixture {
	struct arena *arena;
	struct strbuf text;
	struct err err;
};

static struct fixture begin(void)
{
	struct fixture it = { .arena = arena_new() };

	strbuf_init(&it.text, it.arena);
	journal_put_head(&it.text, &head);
	journal_put_step(&it.text, &value);
	journal_put_step(&it.text, &folder);
	journal_put_step(&it.text, &file);
	return it;
}

static struct journal parse(struct fixture *it)
{
	struct journal journal;

	if (journal_parse(it->arena, it->text.text, &journal, &it->err) < 0)
		fail_msg("%s", it->err.text);
	return journal;
}

static void refuse(struct fixture *it, const char *why)
{
	struct journal journal;

	assert_int_equal(journal_parse(it->arena, it->text.text, &journal,
				       &it->err),
			 -EBADMSG);
	if (!strstr(it->err.text, why))
		fail_msg("\"%s\" does not say \"%s\"", it->err.text, why);
	arena_free(it->arena);
}

/* A line with a right sum, whatever it says. */
static void put_line(struct fixture *it, const char *json)
{
	char sum[HASH_TEXT_SIZE];

	hash_text(json, strlen(json), sum);
	strbuf_put(&it->text, sum, 16);
	strbuf_printf(&it->text, " %s\n", json);
}

static void what_is_written_reads_back(void **state)
{
	struct fixture it = begin();
	struct journal journal = parse(&it);
	const struct step *step = journal.list.steps.items;

	(void)state;
	assert_int_equal(journal.state, JOURNAL_OPEN);
	assert_int_equal(journal.head.id, 7);
	assert_string_equal(journal.head.sudo_user, "ann");
	assert_string_equal(journal.head.initramfs, "dracut");
	assert_int_equal(journal.list.steps.n, 3);
	assert_string_equal(step[0].target.id, value.target.id);
	assert_string_equal(step[0].before, "256");
	assert_string_equal(step[0].after, "1023");
	assert_true(step[0].nudge && step[0].unsettled && step[0].lasts);
	assert_string_equal(step[1].path, folder.path);
	assert_null(step[2].old_text);
	assert_string_equal(step[2].new_text, file.new_text);
	assert_int_equal(step[2].new_mode, 0640);
	assert_int_equal(journal.size, it.text.len);
	arena_free(it.arena);
}

static void an_action_reads_back_and_an_unknown_one_is_damage(void **state)
{
	const struct step action = { .nr = 4,
				     .kind = STEP_ACTION,
				     .action = ACTION_INITRAMFS,
				     .path = "initramfs" };
	struct fixture it = begin();
	struct journal journal;

	(void)state;
	journal_put_step(&it.text, &action);
	journal = parse(&it);
	assert_int_equal(journal.list.steps.n, 4);
	assert_int_equal(journal.list.steps.items[3].kind, STEP_ACTION);
	assert_string_equal(journal.list.steps.items[3].path, "initramfs");
	put_line(
		&it,
		"{\"record\":\"action\",\"step\":5,\"action\":\"reboot\",\"path\":\"x\"}");
	/* The last line may be torn, so one that is whole follows it. */
	put_line(&it, "{\"record\":\"undo\"}");
	refuse(&it, "an action is unknown");
}

static void the_way_of_a_transaction_is_followed(void **state)
{
	struct fixture it = begin();
	struct journal journal = parse(&it);
	struct step *step = journal.list.steps.items;

	(void)state;
	journal_put_start(&it.text, &step[0]);
	assert_int_equal(parse(&it).list.steps.items[0].progress, STEP_STARTED);
	step[0].has_left = true;
	strcpy(step[0].left, "1023");
	journal_put_done(&it.text, &step[0]);
	journal_put_refused(&it.text, &step[1], "no");
	assert_int_equal(parse(&it).list.steps.items[0].progress, STEP_DONE);
	assert_int_equal(parse(&it).list.steps.items[1].progress, STEP_REFUSED);
	strcpy(step[0].left, "1000");
	journal_put_commit(&it.text, &journal);
	assert_int_equal(parse(&it).state, JOURNAL_COMMITTED);
	assert_string_equal(parse(&it).list.steps.items[0].left, "1000");
	journal_put_undo(&it.text, false, &nobody);
	assert_int_equal(parse(&it).state, JOURNAL_UNDOING);
	step[0].kept = true;
	step[2].gone = true;
	journal_put_undone(&it.text, &journal);
	journal = parse(&it);
	assert_int_equal(journal.state, JOURNAL_UNDONE);
	assert_true(journal.was_committed);
	assert_true(journal.list.steps.items[0].kept);
	assert_false(journal.list.steps.items[0].gone);
	assert_true(journal.list.steps.items[2].gone);
	assert_int_equal(journal.undone_by.uid, -1);
	assert_null(journal.undone_by.time);
	journal_put_undo(&it.text, true, &alice);
	journal = parse(&it);
	assert_int_equal(journal.undone_by.uid, UINT32_MAX);
	assert_string_equal(journal.undone_by.time, alice.time);
	assert_string_equal(journal.undone_by.sudo_user, alice.sudo_user);
	arena_free(it.arena);
}

static void a_last_line_torn_anywhere_has_not_happened(void **state)
{
	struct fixture it = begin();
	size_t whole = it.text.len;

	(void)state;
	journal_put_start(&it.text, &value);
	for (size_t n = it.text.len - 1; n > whole; n--) {
		struct journal journal;

		it.text.text[n] = '\0';
		journal = parse(&it);
		assert_int_equal(journal.size, whole);
		assert_int_equal(journal.list.steps.items[0].progress,
				 STEP_PLANNED);
	}
	arena_free(it.arena);
}

static void any_changed_byte_before_the_last_line_is_damage(void **state)
{
	struct fixture it = begin();
	size_t inner = it.text.len;
	unsigned int damaged = 0;

	(void)state;
	journal_put_start(&it.text, &value);
	for (size_t i = 0; i < inner; i += 7) {
		struct journal journal;
		char byte = it.text.text[i];

		it.text.text[i] = (char)(byte ^ 1);
		assert_int_equal(journal_parse(it.arena, it.text.text, &journal,
					       &it.err),
				 -EBADMSG);
		assert_non_null(strstr(it.err.text, "damaged"));
		it.text.text[i] = byte;
		damaged++;
	}
	assert_true(damaged > 100);
	arena_free(it.arena);
}

static void records_that_do_not_add_up_are_refused(void **state)
{
	static const struct {
		const char *json, *why;
	} rows[] = {
		{ "{\"record\":\"begin\"}", "begins twice" },
		{ "{\"record\":\"dance\"}", "unknown record \"dance\"" },
		{ "{\"record\":\"start\",\"step\":4}", "unknown step" },
		{ "{\"record\":\"start\",\"step\":0}", "unknown step" },
		{ "{\"record\":\"done\",\"step\":1}", "not started" },
		{ "{\"record\":\"folder\",\"step\":9,\"path\":\"/etc/a\"}",
		  "not in order" },
		{ "{\"record\":\"folder\",\"step\":4,\"path\":\"/etc/../a\"}",
		  "incomplete" },
		{ "{\"record\":\"file\",\"step\":4,\"path\":\"etc/a\"}",
		  "incomplete" },
		{ "{\"record\":\"file\",\"step\":4,\"path\":\"/a\","
		  "\"after\":\"x\"}",
		  "incomplete" },
		{ "{\"record\":\"value\",\"step\":4,\"role\":\"set\","
		  "\"key\":\"k\",\"kind\":\"queue\",\"target\":\"n\","
		  "\"dir\":\"etc/x\",\"id\":\"i\",\"attr\":\"a\","
		  "\"before\":\"1\",\"after\":\"2\"}",
		  "incomplete" },
		{ "{\"record\":\"value\",\"step\":4,\"role\":\"set\","
		  "\"key\":\"k\",\"kind\":\"queue\",\"target\":\"n\","
		  "\"dir\":\"sys/x\",\"id\":\"i\",\"attr\":\"a\","
		  "\"before\":\"1\"}",
		  "contradicts" },
		{ "{\"record\":\"commit\"}", "says nothing" },
		{ "{\"record\":\"undone\",\"kept\":[9],\"gone\":[]}",
		  "unknown step" },
		{ "[]", "unknown record" },
		{ "{", "line 5" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture it = begin();

		put_line(&it, rows[i].json);
		refuse(&it, rows[i].why);
	}
}

static void a_value_lies_where_its_kind_of_target_is(void **state)
{
	static const struct {
		const char *kind, *dir, *attr;
		bool legal;
	} rows[] = {
		{ "vector", "proc/irq/40", "smp_affinity_list", true },
		{ "vector", "proc/sys/kernel", "core_pattern", false },
		{ "vector", "proc/irq/../sys/kernel", "core_pattern", false },
		{ "controller", "proc/irq/40", "smp_affinity_list", false },
		{ "controller", "sys/class/nvme/nvme0", "feature/08", true },
		{ "host", "", "proc/sys/kernel/numa_balancing", true },
		{ "host", "", "etc/passwd", false },
		{ "host", "", "proc/sys/../../etc/passwd", false },
		{ "host", "sys/x", "proc/sys/kernel/numa_balancing", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture it = begin();
		char line[512];

		(void)snprintf(line, sizeof(line),
			       "{\"record\":\"value\",\"step\":4,"
			       "\"role\":\"set\",\"key\":\"k\","
			       "\"kind\":\"%s\",\"target\":\"n\","
			       "\"dir\":\"%s\",\"id\":\"i\","
			       "\"attr\":\"%s\",\"before\":\"1\","
			       "\"after\":\"2\"}",
			       rows[i].kind, rows[i].dir, rows[i].attr);
		put_line(&it, line);
		if (!rows[i].legal) {
			refuse(&it, "incomplete");
			continue;
		}
		assert_int_equal(parse(&it).list.steps.n, 4);
		arena_free(it.arena);
	}
}

static void another_schema_or_no_beginning_is_refused(void **state)
{
	struct fixture it = { .arena = arena_new() };

	(void)state;
	strbuf_init(&it.text, it.arena);
	put_line(&it,
		 "{\"record\":\"begin\",\"schema\":\"nvmetune.journal/9\"}");
	refuse(&it, "another version");
	it = (struct fixture){ .arena = arena_new() };
	strbuf_init(&it.text, it.arena);
	put_line(&it, "{\"record\":\"start\",\"step\":1}");
	refuse(&it, "does not begin");
	it = (struct fixture){ .arena = arena_new() };
	strbuf_init(&it.text, it.arena);
	refuse(&it, "is empty");
}

static void the_room_is_enough_for_the_longest_lines(void **state)
{
	struct fixture it = begin();
	struct journal journal = parse(&it);
	size_t before = it.text.len;

	(void)state;
	VEC_EACH(&journal.list.steps, struct step, step) {
		step->has_left = true;
		memset(step->left, 1, sizeof(step->left) - 1);
		for (int twice = 0; twice < 2; twice++) {
			journal_put_start(&it.text, step);
			journal_put_done(&it.text, step);
		}
		step->kept = step->gone = true;
	}
	journal_put_commit(&it.text, &journal);
	journal_put_undo(&it.text, true, &alice);
	journal_put_undone(&it.text, &journal);
	assert_true(it.text.len - before <= journal_room(&journal.list));
	arena_free(it.arena);
}

/* The address sanitizer keeps what is freed. */
#if defined(__SANITIZE_ADDRESS__)
#define KEEPS_FREED 1
#elif defined(__has_feature)
#define KEEPS_FREED __has_feature(address_sanitizer)
#else
#define KEEPS_FREED 0
#endif

static long most_kib(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

/* Years of a host with hundreds of disks: every journal is in memory at once
 * when the history is read. */
static void many_journals_take_little_more_than_their_steps(void **state)
{
	struct fixture it = { .arena = arena_new() };
	struct step step = value;
	long before;

	(void)state;
	strbuf_init(&it.text, it.arena);
	journal_put_head(&it.text, &head);
	for (step.nr = 1; step.nr <= 1000; step.nr++)
		journal_put_step(&it.text, &step);
	for (step.nr = 1; step.nr <= 1000; step.nr++) {
		journal_put_start(&it.text, &step);
		journal_put_done(&it.text, &step);
	}
	before = most_kib();
	for (unsigned int i = 0; i < 24; i++)
		assert_int_equal(parse(&it).list.steps.n, 1000);
	assert_true(KEEPS_FREED || most_kib() - before < 64L * 1024);
	arena_free(it.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(
			an_action_reads_back_and_an_unknown_one_is_damage),
		cmocka_unit_test(the_way_of_a_transaction_is_followed),
		cmocka_unit_test(a_last_line_torn_anywhere_has_not_happened),
		cmocka_unit_test(
			any_changed_byte_before_the_last_line_is_damage),
		cmocka_unit_test(records_that_do_not_add_up_are_refused),
		cmocka_unit_test(a_value_lies_where_its_kind_of_target_is),
		cmocka_unit_test(another_schema_or_no_beginning_is_refused),
		cmocka_unit_test(the_room_is_enough_for_the_longest_lines),
		cmocka_unit_test(
			many_journals_take_little_more_than_their_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

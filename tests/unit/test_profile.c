/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/profile.h"

/*
 * Profiles are built here line by line, with three knobs of the test's own:
 * no file and no registry is in between.
 */

static const char *const schedulers[] = { "none", "mq-deadline", NULL };
static const struct knob scheduler = {
	.name = "queue.scheduler",
	.scope = SCOPE_QUEUE,
	.type = VALUE_TEXT,
	.choices = schedulers,
};
static const struct knob io_timeout = {
	.name = "queue.io_timeout",
	.scope = SCOPE_QUEUE,
	.type = VALUE_UINT,
	.unit = UNIT_MS,
	.min = 1,
	.max = UINT32_MAX,
	.evidence = EVIDENCE_NONE,
};

static int any_text(const struct knob *knob, const char *param,
		    const char *text, struct value *ret, struct err *err)
{
	(void)knob;
	(void)param;
	(void)err;
	return value_text(text, ret) ? 0 : -1;
}

static const struct knob module = {
	.name = "module.",
	.scope = SCOPE_MODULE,
	.type = VALUE_TEXT,
	.flags = KNOB_ALLOWS_SHARE,
	.parse = any_text,
};
static const struct knob *const items[] = { &module, &scheduler, &io_timeout };
static const struct knob_set knobs = { items, 3 };

static struct arena *arena;
static struct problems problems;
static struct profile profile;
static struct profile_source at;

static int make(void **state)
{
	(void)state;
	arena = arena_new();
	problems = (struct problems){ .arena = arena };
	profile = (struct profile){ .name = "t", .file = "t.ini" };
	at = (struct profile_source){ .profile = "t", .file = "t.ini" };
	return 0;
}

static int drop(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static bool section(const char *heading)
{
	at.line++;
	return profile_section(arena, &profile, &at, heading, &problems);
}

static void key(const char *name, const char *text)
{
	at.line++;
	profile_key(arena, &profile, &knobs, &at, name, text, &problems);
}

static void expect_problem(const char *line)
{
	assert_int_equal(problems.lines.n, 1);
	assert_string_equal(problems.lines.items[0], line);
	problems.lines.n = 0;
}

static const struct ctrl old_drive = { .transport = "pcie", .model = "OLD 1" };
static const struct ctrl new_drive = { .transport = "pcie", .model = "NEW 1" };
static const struct ns disk = { .name = "nvme0n1" };

static const char *effective(const char *name, const struct ctrl *ctrl)
{
	const struct setting *setting =
		profile_effective(&profile, name, ctrl, ctrl ? &disk : NULL);

	return setting ? setting->text : NULL;
}

static void a_setting_knows_its_knob_value_and_place(void **state)
{
	const struct setting *setting;

	(void)state;
	assert_true(section("drives"));
	key("queue.io_timeout", "30s");
	assert_int_equal(problems.lines.n, 0);
	setting = &profile.sections.items[0].settings.items[0];
	assert_ptr_equal(setting->knob, &io_timeout);
	assert_int_equal(setting->asked.u.number, 30000);
	assert_string_equal(setting->text, "30s");
	assert_string_equal(setting->file, "t.ini");
	assert_int_equal(setting->line, 2);
	assert_null(setting->param);
}

static void a_parameter_is_the_rest_of_its_key(void **state)
{
	const struct setting *setting;

	(void)state;
	assert_true(section("host"));
	key("module.nvme.poll_queues", "25%");
	setting = profile_effective(&profile, "module.nvme.poll_queues", NULL,
				    NULL);
	assert_non_null(setting);
	assert_string_equal(setting->param, "nvme.poll_queues");
	assert_int_equal(setting->asked.type, VALUE_SHARE);
	assert_null(profile_effective(&profile, "module.nvme.write_queues",
				      NULL, NULL));
}

static void of_sections_that_match_the_last_one_counts(void **state)
{
	(void)state;
	assert_true(section("drives"));
	key("queue.scheduler", "none");
	assert_true(section("drives old"));
	key("match.model", "OLD*");
	key("queue.scheduler", "mq-deadline");
	key("queue.io_timeout", "keep");
	assert_int_equal(problems.lines.n, 0);
	assert_string_equal(effective("queue.scheduler", &old_drive),
			    "mq-deadline");
	assert_string_equal(effective("queue.scheduler", &new_drive), "none");
	assert_string_equal(effective("queue.io_timeout", &old_drive), "keep");
	assert_null(effective("queue.io_timeout", &new_drive));
	assert_null(effective("queue.scheduler", NULL));
}

static void an_unknown_section_names_the_legal_and_the_nearest(void **state)
{
	(void)state;
	assert_false(section("drive"));
	expect_problem(
		"t.ini:1: unknown section [drive]: legal are [profile], [drives], [drives NAME], [host], [service UNIT], [wrapper NAME] and [confirm]; did you mean [drives]?");
	assert_false(section("network eth0"));
	expect_problem(
		"t.ini:2: unknown section [network eth0]: legal are [profile], [drives], [drives NAME], [host], [service UNIT], [wrapper NAME] and [confirm]");
	assert_int_equal(profile.sections.n, 0);
}

static void a_service_is_named_by_its_unit(void **state)
{
	(void)state;
	assert_true(section("service postgresql.service"));
	assert_true(section("service postgresql@15-main.service"));
	assert_true(section("service dev-x\\x2dy@.service"));
	assert_false(section("service"));
	expect_problem(
		"t.ini:4: [service]: a service has a name: write [service UNIT.service]");
	assert_false(section("service postgresql"));
	expect_problem(
		"t.ini:5: [service postgresql]: only services are bound: did you mean [service postgresql.service]?");
	assert_false(section("service ../../x.service"));
	expect_problem(
		"t.ini:6: [service ../../x.service]: a unit's name is made of letters, digits and \":_.@-\\\"");
	assert_false(section("service .service"));
	assert_false(section("service @.service"));
	assert_false(section("service a b.service"));
	problems.lines.n = 0;
	assert_false(section("service irqbalance.service"));
	expect_problem(
		"t.ini:10: [service irqbalance.service]: irqbalance serves all nodes, see the knob irqbalance");
}

static void a_wrapper_is_named_as_a_command(void **state)
{
	static const char *const bad[] = {
		"wrapper",	"wrapper a/b",	    "wrapper ..",
		"wrapper -rf",	"wrapper a;b",	    "wrapper $(x)",
		"wrapper a\"b", "wrapper caf\u00e9"
	};

	(void)state;
	assert_true(section("wrapper oltp-shell_1.2"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(section(bad[i]));
	assert_int_equal(profile.sections.n, 1);
}

static void the_keys_of_a_service_are_checked_as_others(void **state)
{
	(void)state;
	section("service db.service");
	key("drive", "/var/lib/db");
	key("numa", "local");
	key("nodes", "union");
	key("memory", "bind");
	assert_int_equal(problems.lines.n, 0);
	assert_int_equal(profile.sections.items[0].keys.n, 4);
	key("drves", "x");
	expect_problem(
		"t.ini:6: unknown key \"drves\": legal here are drive, numa, nodes and memory; did you mean drive?");
	key("queue.scheduler", "none");
	expect_problem(
		"t.ini:7: unknown key \"queue.scheduler\": legal here are drive, numa, nodes and memory");
	key("memory", "prefered");
	expect_problem(
		"t.ini:8: memory: \"prefered\" is not prefer, bind or keep; did you mean prefer?");
	key("nodes", "all");
	expect_problem("t.ini:9: nodes: \"all\" is not refuse or union");
	key("numa", "-1");
	expect_problem(
		"t.ini:10: numa: \"-1\" is not local, the number of a node or keep");
	key("drive", "");
	expect_problem("t.ini:11: drive has no value");
}

static void only_drives_take_a_name_and_only_a_plain_one(void **state)
{
	(void)state;
	assert_false(section("host big"));
	expect_problem("t.ini:1: [host big]: write [host], without a name");
	assert_false(section("drives a/b"));
	expect_problem(
		"t.ini:2: [drives a/b]: a name is made of letters, digits, \".\", \"_\" and \"-\"");
	assert_true(section("drives \t old-firmware_1.2"));
	assert_string_equal(profile.sections.items[0].name, "old-firmware_1.2");
}

static void a_heading_stands_once_in_a_file(void **state)
{
	(void)state;
	assert_true(section("drives"));
	assert_true(section("drives x"));
	assert_false(section("drives"));
	expect_problem("t.ini:3: [drives] already stands in line 1");
	at.file = "child.ini";
	assert_true(section("drives"));
}

static void an_unknown_key_names_the_legal_and_the_nearest(void **state)
{
	(void)state;
	assert_true(section("drives"));
	key("queue.schedular", "none");
	expect_problem(
		"t.ini:2: unknown key \"queue.schedular\"; did you mean queue.scheduler?");
	key("scheduler", "none");
	expect_problem(
		"t.ini:3: unknown key \"scheduler\"; did you mean queue.scheduler?");
	key("irq.affinity", "local");
	expect_problem(
		"t.ini:4: unknown key \"irq.affinity\": legal are queue.*, see \"nvmetune explain\"");
	assert_true(section("host"));
	key("nvme.poll_queues", "4");
	expect_problem(
		"t.ini:6: unknown key \"nvme.poll_queues\"; did you mean module.nvme.poll_queues?");
}

static void a_key_in_the_wrong_section_is_sent_home(void **state)
{
	(void)state;
	assert_true(section("drives"));
	key("module.nvme.poll_queues", "4");
	expect_problem("t.ini:2: module.nvme.poll_queues belongs into [host]");
	key("match.model", "X");
	expect_problem(
		"t.ini:3: match.model belongs into a section with a name: [drives NAME]");
	key("include", "base");
	expect_problem("t.ini:4: include belongs into [profile]");
	key("required", "queue.scheduler");
	expect_problem("t.ini:5: required belongs into [confirm]");
	assert_true(section("host"));
	key("queue.scheduler", "none");
	expect_problem("t.ini:7: queue.scheduler belongs into [drives]");
	key("match.model", "X");
	expect_problem(
		"t.ini:8: match.model belongs into a section with a name: [drives NAME]");
}

static void a_wrong_value_is_told_by_its_knob(void **state)
{
	(void)state;
	assert_true(section("drives"));
	key("queue.scheduler", "mq-deadlin");
	expect_problem(
		"t.ini:2: queue.scheduler: \"mq-deadlin\" is not none, mq-deadline, or keep; did you mean mq-deadline?");
	key("queue.scheduler", "");
	expect_problem(
		"t.ini:3: queue.scheduler has no value: \"keep\" leaves it as it is");
	assert_int_equal(profile.sections.items[0].settings.n, 0);
}

static void a_wrong_match_is_told_with_its_line(void **state)
{
	(void)state;
	assert_true(section("drives x"));
	key("match.zoned", "yes");
	expect_problem(
		"t.ini:2: match.zoned: \"yes\" matches none of none, host-aware, host-managed");
}

static void confirm_requires_knobs_that_can_be_measured(void **state)
{
	(void)state;
	assert_true(section("confirm"));
	key("required", "queue.scheduler, queue.io_timeout queue.scheduler");
	expect_problem(
		"t.ini:2: queue.io_timeout has no effect that can be measured, so confirm cannot require it");
	assert_int_equal(profile.required.n, 1);
	assert_string_equal(profile.required.items[0], "queue.scheduler");
	key("needed", "x");
	expect_problem(
		"t.ini:3: unknown key \"needed\": legal in [confirm] is required");
}

static void each_wrong_name_of_a_list_is_a_line(void **state)
{
	(void)state;
	assert_true(section("confirm"));
	key("required", "a.b,c.d");
	assert_int_equal(problems.lines.n, 2);
	assert_non_null(strstr(problems.lines.items[0], "\"a.b\""));
	assert_non_null(strstr(problems.lines.items[1], "\"c.d\""));
}

static void names_are_plain_words(void **state)
{
	char longest[66];

	(void)state;
	memset(longest, 'x', sizeof(longest));
	longest[64] = '\0';
	assert_true(profile_name_is_legal(longest));
	longest[64] = 'x';
	longest[65] = '\0';
	assert_false(profile_name_is_legal(longest));
	assert_true(profile_name_is_legal("low-latency_2.0"));
	assert_false(profile_name_is_legal(""));
	assert_false(profile_name_is_legal("."));
	assert_false(profile_name_is_legal(".."));
	assert_false(profile_name_is_legal("a b"));
	assert_false(profile_name_is_legal("a/b"));
	assert_false(profile_name_is_legal("\xc3\xa4"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_setting_knows_its_knob_value_and_place),
		TEST(a_parameter_is_the_rest_of_its_key),
		TEST(of_sections_that_match_the_last_one_counts),
		TEST(an_unknown_section_names_the_legal_and_the_nearest),
		TEST(a_service_is_named_by_its_unit),
		TEST(a_wrapper_is_named_as_a_command),
		TEST(the_keys_of_a_service_are_checked_as_others),
		TEST(only_drives_take_a_name_and_only_a_plain_one),
		TEST(a_heading_stands_once_in_a_file),
		TEST(an_unknown_key_names_the_legal_and_the_nearest),
		TEST(a_key_in_the_wrong_section_is_sent_home),
		TEST(a_wrong_value_is_told_by_its_knob),
		TEST(a_wrong_match_is_told_with_its_line),
		TEST(confirm_requires_knobs_that_can_be_measured),
		TEST(each_wrong_name_of_a_list_is_a_line),
		TEST(names_are_plain_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

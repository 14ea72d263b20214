/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/owner.h"
#include "core/rules_device.h"
#include "host.h"
#include "knobs/knob_list.h"
#include "render/files.h"
#include "render/udev_rules.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static int setup(void **state)
{
	*state = arena_new();
	return 0;
}

static int teardown(void **state)
{
	arena_free(*state);
	return 0;
}

static struct plan plan_of(struct arena *arena, const struct facts *facts,
			   const struct applied *applied,
			   const char *const *lines)
{
	struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
		.applied = applied,
	};
	struct problems problems = { .arena = arena };
	struct plan plan;

	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	render_files(arena, facts, applied, &plan);
	return plan;
}

static const struct planned_file *file_of(const struct plan *plan,
					  const char *path)
{
	VEC_EACH(&plan->files, struct planned_file, file)
		if (strcmp(file->path, path) == 0)
			return file;
	fail_msg("the plan has no file %s", path);
	return NULL;
}

/* A file in /etc masks one of the same name in /usr/lib. */
static void no_file_of_ours_masks_the_packaged_rule(void **state)
{
	const struct plan plan =
		plan_of(*state, host_new(*state), NULL,
			LINES("[drives]", "queue.scheduler = none", "[host]",
			      "module.nvme.poll_queues = 2",
			      "kernel.numa_balancing = 0"));

	assert_true(plan.files.n >= 4);
	VEC_EACH(&plan.files, const struct planned_file, file)
		assert_null(strstr(file->path, OWNER_HELPER_RULE));
}

/* The rules behind the fixed part, from the first knob's comment on. */
static const char *rules_of(struct arena *arena, const char *const *lines)
{
	struct plan plan = plan_of(arena, host_new(arena), NULL, lines);
	const char *text = file_of(&plan, OWNER_RULES)->want;
	const char *body = text ? strstr(text, "# test.ini") : NULL;

	assert_non_null(body);
	assert_true(owner_is_us(text));
	assert_non_null(
		strstr(text, "\nTEST!=\"mq\", GOTO=\"nvmetune_disk_end\"\n"));
	assert_non_null(strstr(
		text,
		"\nENV{DEVTYPE}!=\"disk\", GOTO=\"nvmetune_disk_end\"\n"));
	assert_non_null(
		strstr(text, "\nACTION!=\"add\", GOTO=\"nvmetune_end\"\n"));
	assert_non_null(strstr(text, "\nTEST!=\"" OWNER_APPLIED
				     "\", GOTO=\"nvmetune_end\"\n"));
	return body;
}

static void one_section_is_one_plain_line(void **state)
{
	assert_string_equal(
		rules_of(*state, LINES("[drives]", "queue.scheduler = none")),
		"# test.ini:2\n"
		"ATTRS{transport}==\"pcie\", ATTR{queue/zoned}==\"none\", "
		"TEST==\"queue/scheduler\", ATTR{queue/scheduler}=\"none\"\n"
		"\nLABEL=\"nvmetune_disk_end\"\n"
		"\nLABEL=\"nvmetune_end\"\n");
}

static void the_last_section_stands_first_and_jumps(void **state)
{
	assert_string_equal(
		rules_of(*state,
			 LINES("[drives]", "queue.nomerges = 1", "[drives a]",
			       "match.model = A*|B*", "match.firmware = !9C*",
			       "queue.nomerges = keep")),
		"# test.ini:6\n"
		"ATTRS{transport}==\"pcie\", ATTRS{model}==\"A*|B*\", "
		"ATTRS{firmware_rev}!=\"9C*\", GOTO=\"nvmetune_disk_nomerges_end\"\n"
		"# test.ini:2\n"
		"ATTRS{transport}==\"pcie\", TEST==\"queue/nomerges\", "
		"ATTR{queue/nomerges}=\"1\", GOTO=\"nvmetune_disk_nomerges_end\"\n"
		"LABEL=\"nvmetune_disk_nomerges_end\"\n"
		"\nLABEL=\"nvmetune_disk_end\"\n"
		"\nLABEL=\"nvmetune_end\"\n");
}

static void a_driver_is_matched_in_a_rule_of_its_own(void **state)
{
	assert_string_equal(
		rules_of(*state, LINES("[drives a]", "match.driver = nvme",
				       "queue.iostats = 0")),
		"# test.ini:3\n"
		"SUBSYSTEMS==\"pci\", ATTRS{class}==\"0x0108*|0x018002\", "
		"DRIVERS==\"nvme\", GOTO=\"nvmetune_disk_iostats_0_0\"\n"
		"GOTO=\"nvmetune_disk_iostats_0\"\n"
		"LABEL=\"nvmetune_disk_iostats_0_0\"\n"
		"ATTRS{transport}==\"pcie\", TEST==\"queue/iostats\", "
		"ATTR{queue/iostats}=\"0\"\n"
		"LABEL=\"nvmetune_disk_iostats_0\"\n"
		"\nLABEL=\"nvmetune_disk_end\"\n"
		"\nLABEL=\"nvmetune_end\"\n");
}

/* The rules of our file, for somebody else's: ours do not count as foreign. */
static struct rule_set parsed(struct arena *arena, const char *text)
{
	struct rule_set set = { 0 };
	char *rest = arena_strdup(arena, text), *line;
	int64_t nr = 0;

	while ((line = strsep(&rest, "\n")))
		if (nr++, *line && *line != '#')
			rule_set_add(arena, &set, "/a/90-a.rules", nr, line);
	rule_set_done(&set);
	return set;
}

/* What runs for the first disk when it appears: one assignment or none. */
static enum rule_truth runs(struct arena *arena, const struct facts *facts,
			    const char *text)
{
	const struct rule_set set = parsed(arena, text);
	struct rule_effects effects;
	struct rule_device device;

	rules_device_of_ns(arena, facts, &facts->namespaces.items[0], &device);
	rules_evaluate(arena, &set, &device, &effects);
	assert_true(effects.effects.n <= 1);
	return effects.effects.n ? effects.effects.items[0].on_add : RULE_NO;
}

/* The bridges above a drive have the driver pcieport. */
static void match_and_rule_agree_on_a_driver(void **state)
{
	static const char *const patterns[] = {
		"nvme",	     "!nvme",	 "pcieport",	 "!pcieport",
		"!vfio-pci", "nvme|foo", "!nvme|vfio-*",
	};
	static const char *const drivers[] = { "nvme", "vfio-pci" };

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		const char *const lines[] = {
			"[drives a]",
			arena_printf(*state, "match.driver = %s", patterns[i]),
			"queue.iostats = 0", NULL
		};

		for (size_t j = 0; j < 2; j++) {
			struct facts *facts = host_new(*state);
			struct ctrl *ctrl = &facts->ctrls.items[0];
			struct plan plan = plan_of(*state, facts, NULL, lines);
			const struct udev_intent *intent =
				&plan.intents.udev.items[0];
			const char *text = file_of(&plan, OWNER_RULES)->want;
			bool holds;

			ctrl->driver = drivers[j];
			ctrl->pci_class = "0x010802";
			holds = match_holds(&intent->match, ctrl,
					    &facts->namespaces.items[0]);
			assert_int_equal(runs(*state, facts, text),
					 holds ? RULE_YES : RULE_NO);
		}
	}
}

static void a_pattern_cannot_leave_its_quotes(void **state)
{
	const char *rules = rules_of(
		*state,
		LINES("[drives a]", "match.model = X\", RUN+=\"evil",
		      "match.serial = a\\*\\b\\|\\[", "queue.iostats = 0"));

	assert_null(strstr(rules, "RUN+=\""));
	assert_non_null(strstr(rules, "ATTRS{model}==\"X?, RUN+=?evil\", "));
	assert_non_null(strstr(rules, "ATTRS{serial}==\"a[*]b?[[]\", "));
}

static void an_unknown_node_is_no_other_node(void **state)
{
	assert_non_null(
		strstr(rules_of(*state, LINES("[drives a]", "match.node = !0",
					      "queue.iostats = 0")),
		       "ATTRS{numa_node}!=\"0\", ATTRS{numa_node}!=\"-1\", "));
}

static void what_differs_per_drive_is_in_no_rule(void **state)
{
	struct plan plan =
		plan_of(*state, host_new(*state), NULL,
			LINES("[drives]", "queue.nr_requests = max"));

	assert_null(file_of(&plan, OWNER_RULES)->want);
	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_SAME);
}

static void units_are_the_attributes_own(void **state)
{
	const char *rules =
		rules_of(*state, LINES("[drives]", "queue.io_timeout = 60s",
				       "queue.max_sectors_kb = 1M"));

	assert_non_null(strstr(rules, "ATTR{queue/io_timeout}=\"60000\""));
	assert_non_null(strstr(rules, "ATTR{queue/max_sectors_kb}=\"1024\""));
}

static void an_option_is_a_line_without_a_trailing_comment(void **state)
{
	struct plan plan =
		plan_of(*state, host_new(*state), NULL,
			LINES("[host]", "module.nvme.poll_queues = 25%",
			      "module.nvme_core.io_timeout = 60"));
	const char *text = file_of(&plan, OWNER_OPTIONS)->want;

	assert_non_null(text);
	assert_true(owner_is_us(text));
	assert_string_equal(strstr(text, "\n\n"),
			    "\n\n# test.ini:2, 25% on this host\n"
			    "options nvme poll_queues=2\n"
			    "\n# test.ini:3\n"
			    "options nvme_core io_timeout=60\n");
}

static void set_file(struct facts *facts, const char *path, const char *content)
{
	VEC_EACH(&facts->own_files, struct own_file, file)
		if (strcmp(file->path, path) == 0) {
			file->content = content;
			file->present = num_known(content != NULL);
		}
}

static void files_are_made_kept_and_taken_away(void **state)
{
	struct facts *facts = host_new(*state);
	struct plan plan = plan_of(*state, facts, NULL,
				   LINES("[drives]", "queue.scheduler = none"));

	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_CREATE);
	set_file(facts, OWNER_RULES, file_of(&plan, OWNER_RULES)->want);
	plan = plan_of(*state, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_SAME);
	plan = plan_of(*state, facts, NULL,
		       LINES("[drives]", "queue.scheduler = kyber"));
	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_REPLACE);
	plan = plan_of(*state, facts, NULL, LINES("[drives]"));
	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_REMOVE);
}

static void foreign_and_edited_files_are_conflicts(void **state)
{
	struct facts *facts = host_new(*state);
	struct applied applied = { .profile = "test" };
	struct plan plan;

	set_file(facts, OWNER_RULES, "# mine\n");
	plan = plan_of(*state, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_CONFLICT);

	set_file(facts, OWNER_RULES, OWNER_MARK "\nedited\n");
	*vec_add(*state, &applied.files) = (struct own_file){
		.path = OWNER_RULES,
		.present = num_known(1),
		.content = OWNER_MARK "\n",
	};
	plan = plan_of(*state, facts, &applied,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_CONFLICT);
}

/* rollback compares bytes, so plan and verify do. */
static void a_comment_by_hand_is_a_change_by_hand(void **state)
{
	const char *const *lines = LINES("[drives]", "queue.scheduler = none");
	struct facts *facts = host_new(*state);
	struct applied applied = { 0 };
	struct plan plan = plan_of(*state, facts, NULL, lines);
	const char *text = file_of(&plan, OWNER_RULES)->want;

	*vec_add(*state, &applied.files) = (struct own_file){
		.path = OWNER_RULES,
		.present = num_known(1),
		.content = text,
	};
	set_file(facts, OWNER_RULES, text);
	plan = plan_of(*state, facts, &applied, lines);
	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_SAME);
	set_file(facts, OWNER_RULES,
		 arena_printf(*state, "%s# see ticket 7\n", text));
	plan = plan_of(*state, facts, &applied, lines);
	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_CONFLICT);
	/* Without a record nobody can tell. */
	plan = plan_of(*state, facts, NULL, lines);
	assert_int_equal(file_of(&plan, OWNER_RULES)->action, FILE_SAME);
}

static void equal_plans_give_equal_bytes(void **state)
{
	const char *const *lines = LINES("[drives]", "queue.scheduler = none",
					 "[host]",
					 "module.nvme.poll_queues = 2");
	struct plan a = plan_of(*state, host_new(*state), NULL, lines);
	struct plan b = plan_of(*state, host_new(*state), NULL, lines);

	for (size_t i = 0; i < a.files.n; i++)
		if (a.files.items[i].want)
			assert_string_equal(a.files.items[i].want,
					    b.files.items[i].want);
		else
			assert_null(b.files.items[i].want);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_section_is_one_plain_line),
		TEST(no_file_of_ours_masks_the_packaged_rule),
		TEST(the_last_section_stands_first_and_jumps),
		TEST(a_driver_is_matched_in_a_rule_of_its_own),
		TEST(match_and_rule_agree_on_a_driver),
		TEST(a_pattern_cannot_leave_its_quotes),
		TEST(an_unknown_node_is_no_other_node),
		TEST(what_differs_per_drive_is_in_no_rule),
		TEST(units_are_the_attributes_own),
		TEST(an_option_is_a_line_without_a_trailing_comment),
		TEST(files_are_made_kept_and_taken_away),
		TEST(foreign_and_edited_files_are_conflicts),
		TEST(a_comment_by_hand_is_a_change_by_hand),
		TEST(equal_plans_give_equal_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

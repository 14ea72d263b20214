/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "core/rules_device.h"
#include "unit/host.h"

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

/* Rules of one file, one a line. */
static struct rule_set rules_from(struct arena *arena, const char *text)
{
	struct rule_set set = { 0 };
	char *rest = arena_strdup(arena, text), *line;
	int64_t nr = 0;

	while ((line = strsep(&rest, "\n")))
		rule_set_add(arena, &set, "1.rules", ++nr, line);
	rule_set_done(&set);
	return set;
}

static const char
	letters[] = { [RULE_NO] = '-', [RULE_MAYBE] = '?', [RULE_YES] = '+' };

/* "1+- scheduler=none ": the line, on add, on change. */
static const char *effects_on(struct arena *arena,
			      const struct rule_device *device,
			      const char *text)
{
	const struct rule_set set = rules_from(arena, text);
	struct rule_effects effects;
	struct strbuf sb;

	strbuf_init(&sb, arena);
	rules_evaluate(arena, &set, device, &effects);
	VEC_EACH(&effects.effects, struct rule_effect, it)
		strbuf_printf(&sb, "%d%c%c %s=%s;", (int)it->rule->line,
			      letters[it->on_add], letters[it->on_change],
			      it->attr, it->value);
	return sb.text;
}

static const char *effects(struct arena *arena, const char *text)
{
	struct facts *facts = host_new(arena);
	struct rule_device device;

	facts->ctrls.items[0].driver = "nvme";
	rules_device_of_ns(arena, facts, &facts->namespaces.items[0], &device);
	return effects_on(arena, &device, text);
}

/* Does a rule with these conditions run for nvme0n1 when it appears? */
static char runs(struct arena *arena, const char *conditions)
{
	const char *text = effects(
		arena, arena_printf(arena, "%s, ATTR{a}=\"1\"", conditions));

	return *text ? text[1] : '-';
}

static const char *why_not(struct arena *arena, const char *text)
{
	const char *why = "it is one";
	struct rule rule;

	return rule_parse(arena, text, &rule, &why) ? "it is one" : why;
}

static void what_is_known_decides(void **state)
{
	assert_int_equal(runs(*state, "KERNEL==\"nvme[0-9]n[0-9]\""), '+');
	assert_int_equal(runs(*state, "KERNEL==\"nvme[0-9]\""), '-');
	assert_int_equal(runs(*state, "KERNEL!=\"sd*|nvme*\""), '-');
	assert_int_equal(runs(*state, "KERNEL==\"sda|nvme0n1\""), '+');
	assert_int_equal(runs(*state, "SUBSYSTEM==\"block\""), '+');
	assert_int_equal(runs(*state, "SUBSYSTEM==\"nvme\""), '-');
	assert_int_equal(runs(*state, "ENV{DEVTYPE}==\"partition\""), '-');
	assert_int_equal(runs(*state, "ENV{DEVTYPE}==\"disk\""), '+');
	assert_int_equal(runs(*state, "ATTR{queue/rotational}==\"1\""), '-');
	assert_int_equal(runs(*state, "DRIVERS==\"nvme\""), '+');
	assert_int_equal(runs(*state, "SUBSYSTEMS==\"pci\""), '+');
	assert_int_equal(runs(*state, "SUBSYSTEMS==\"scsi\""), '-');
	assert_int_equal(runs(*state, "ATTRS{transport}==\"pcie\""), '+');
	assert_int_equal(runs(*state, "ATTRS{transport}==\"tcp\""), '-');
	assert_int_equal(runs(*state, "ATTR{device/transport}==\"pcie\""), '+');
	assert_int_equal(runs(*state, "DEVPATH==\"/devices/virtual/*\""), '-');
}

static void what_is_not_known_is_no_answer(void **state)
{
	assert_int_equal(runs(*state, "ENV{MY_OWN}==\"1\""), '?');
	assert_int_equal(runs(*state, "PROGRAM==\"/bin/true\""), '?');
	assert_int_equal(runs(*state, "PROGRAM=\"/bin/true\""), '?');
	assert_int_equal(runs(*state, "RESULT==\"x\""), '?');
	assert_int_equal(runs(*state, "IMPORT{program}=\"x\""), '?');
	assert_int_equal(runs(*state, "CONST{virt}==\"kvm\""), '?');
	assert_int_equal(runs(*state, "ATTR{queue/scheduler}==\"*none*\""),
			 '?');
	assert_int_equal(runs(*state, "ATTRS{vendor}==\"0x144d\""), '?');
	assert_int_equal(runs(*state, "KERNELS==\"0000:99:00.0\""), '?');
	assert_int_equal(runs(*state, "TEST==\"/etc/machine-id\""), '?');
	assert_int_equal(runs(*state, "KERNEL==i\"NVME*\""), '?');
	/* But one thing that is known not to hold is enough. */
	assert_int_equal(runs(*state, "ENV{MY_OWN}==\"1\", KERNEL==\"sda\""),
			 '-');
	/* Properties of other kinds of disks are empty here. */
	assert_int_equal(runs(*state, "ENV{DM_NAME}==\"?*\""), '-');
	assert_int_equal(runs(*state, "ENV{MD_LEVEL}!=\"raid0\""), '+');
}

static void a_model_is_compared_as_udev_does(void **state)
{
	struct arena *arena = *state;
	const char *model = host_new(arena)->ctrls.items[0].model;

	assert_int_equal(
		runs(arena, arena_printf(arena, "ATTRS{model}==\"%s\"", model)),
		'+');
	assert_int_equal(runs(arena, "ATTRS{model}==\"Other*\""), '-');
	assert_int_equal(runs(arena, "ENV{ID_MODEL}==\"Other*\""), '-');
	assert_int_equal(runs(arena, "ENV{ID_MODEL}!=\"Other*\""), '+');
	assert_int_equal(
		runs(arena,
		     arena_printf(arena, "ENV{ID_MODEL}==\"%s\"", model)),
		'?');
}

static void conditions_on_parents_meet_in_one_parent(void **state)
{
	struct arena *arena = *state;

	assert_int_equal(runs(arena, "SUBSYSTEMS==\"nvme\", "
				     "ATTRS{transport}==\"pcie\""),
			 '+');
	assert_int_equal(runs(arena, "SUBSYSTEMS==\"pci\", "
				     "ATTRS{transport}==\"pcie\""),
			 '-');
	assert_int_equal(runs(arena, "KERNELS==\"nvme0\", DRIVERS==\"nvme\""),
			 '-');
}

static void attributes_that_are_missing_match_nothing(void **state)
{
	struct arena *arena = *state;

	assert_int_equal(runs(arena, "TEST==\"mq\""), '+');
	assert_int_equal(runs(arena, "TEST!=\"mq\""), '-');
	assert_int_equal(runs(arena, "ATTR{model}!=\"x\""), '-');
	assert_int_equal(runs(arena, "TEST==\"vendor\""), '-');
}

static void order_and_action_are_kept(void **state)
{
	assert_string_equal(
		effects(*state,
			"ACTION==\"add|change\", ATTR{q}=\"1\"\n"
			"# nothing\n"
			"ACTION==\"change\", ATTR{q}=\"2\"\n"
			"ACTION!=\"remove\", ATTR{q}:=\"3\"\n"
			"ACTION==\"add\", ATTR{q}=\"4\", ATTR{r}+=\"5\"\n"),
		"1++ q=1;3-+ q=2;4++ q=3;5+- q=4;5+- r=5;");
}

static void goto_jumps_forward_in_its_file(void **state)
{
	assert_string_equal(effects(*state, "KERNEL!=\"sd*\", GOTO=\"end\"\n"
					    "ATTR{q}=\"1\"\n"
					    "LABEL=\"end\"\n"
					    "ATTR{q}=\"2\""),
			    "4++ q=2;");
	/* Backward, or to nowhere: udev ignores it. */
	assert_string_equal(effects(*state, "LABEL=\"top\"\n"
					    "ATTR{q}=\"1\", GOTO=\"top\"\n"
					    "GOTO=\"nowhere\"\n"
					    "ATTR{q}=\"2\""),
			    "2++ q=1;4++ q=2;");
	/* The rule with the label runs itself. */
	assert_string_equal(effects(*state, "GOTO=\"end\"\n"
					    "ATTR{q}=\"1\"\n"
					    "LABEL=\"end\", ATTR{q}=\"2\""),
			    "3++ q=2;");
}

static void a_jump_in_doubt_leaves_in_doubt(void **state)
{
	assert_string_equal(effects(*state, "ENV{X}==\"1\", GOTO=\"a\"\n"
					    "ATTR{q}=\"1\"\n"
					    "KERNEL==\"nvme*\", GOTO=\"b\"\n"
					    "LABEL=\"a\"\n"
					    "ATTR{q}=\"2\"\n"
					    "LABEL=\"b\", ATTR{q}=\"3\"\n"),
			    "2?? q=1;5?? q=2;6++ q=3;");
}

static void a_label_of_another_file_is_none(void **state)
{
	struct arena *arena = *state;
	struct rule_set set = { 0 };

	rule_set_add(arena, &set, "1.rules", 1, "GOTO=\"end\"");
	rule_set_add(arena, &set, "1.rules", 2, "ATTR{q}=\"1\"");
	rule_set_add(arena, &set, "2.rules", 1, "LABEL=\"end\"");
	rule_set_done(&set);
	assert_int_equal(set.rules.n, 3);
	assert_int_equal(set.rules.items[0].target, 0);
}

static void what_udev_ignores_is_ignored_and_said(void **state)
{
	struct arena *arena = *state;

	assert_string_equal(why_not(arena, "KERNEL=\"nvme*\", ATTR{q}=\"1\""),
			    "KERNEL is compared with == or !=, not =");
	assert_string_equal(why_not(arena, "ATTR{q}=\"1"),
			    "a quote is not closed");
	assert_string_equal(why_not(arena, "ATTR=\"1\""),
			    "ATTR needs a name in {}");
	assert_string_equal(why_not(arena, "RUN==\"x\""), "RUN takes no ==");
	assert_string_equal(why_not(arena, "SYSFS{model}==\"x\""),
			    "there is no key SYSFS");
	assert_string_equal(
		why_not(arena, "ATTR{q}=none"),
		"a key, an operator and a value in quotes are expected");
	assert_string_equal(effects(arena, "BUS==\"pci\", ATTR{q}=\"1\""), "");
}

static void partitions_and_controllers_are_not_disks(void **state)
{
	struct arena *arena = *state;
	struct rule_device part, ctrl, bare;

	rules_device_named(arena, "nvme0n1p1", false, &part);
	rules_device_named(arena, "nvme0", false, &ctrl);
	rules_device_named(arena, "nvme0n1", true, &bare);
	assert_string_equal(effects_on(arena, &part,
				       "KERNEL==\"nvme*\", ATTR{q}=\"1\"\n"
				       "TEST==\"queue/x\", ATTR{q}=\"2\"\n"
				       "ENV{DEVTYPE}==\"disk\", ATTR{q}=\"3\""),
			    "1++ q=1;");
	assert_string_equal(effects_on(arena, &ctrl,
				       "SUBSYSTEM==\"block\", ATTR{q}=\"1\"\n"
				       "KERNEL==\"nvme*\", ATTR{q}=\"2\""),
			    "2++ q=2;");
	assert_string_equal(effects_on(arena, &bare,
				       "TEST==\"mq\", ATTR{q}=\"1\"\n"
				       "KERNEL==\"nvme*\", ATTR{q}=\"2\""),
			    "2++ q=2;");
}

/* Ten thousand rules that all jump to nowhere are read in no time. */
static void many_rules_take_no_time(void **state)
{
	struct arena *arena = *state;
	struct rule_set set = { 0 };
	struct rule_device device;
	struct rule_effects all;

	for (int64_t i = 0; i < 10000; i++)
		rule_set_add(arena, &set, "1.rules", i,
			     "LABEL=\"a\", GOTO=\"b\", ATTR{q}=\"1\"");
	rule_set_done(&set);
	rules_device_named(arena, "nvme0n1", false, &device);
	rules_evaluate(arena, &set, &device, &all);
	assert_int_equal(all.effects.n, 10000);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_is_known_decides),
		T(what_is_not_known_is_no_answer),
		T(a_model_is_compared_as_udev_does),
		T(conditions_on_parents_meet_in_one_parent),
		T(attributes_that_are_missing_match_nothing),
		T(order_and_action_are_kept),
		T(goto_jumps_forward_in_its_file),
		T(a_jump_in_doubt_leaves_in_doubt),
		T(a_label_of_another_file_is_none),
		T(what_udev_ignores_is_ignored_and_said),
		T(partitions_and_controllers_are_not_disks),
		T(many_rules_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

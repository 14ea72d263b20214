/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include "base/strbuf.h"
#include "sys/udev_rules.h"

static const char *const queue_attrs[] = { "queue/", NULL };

static int set_up(void **state)
{
	*state = tree_new();
	return 0;
}

static int tear_down(void **state)
{
	tree_free(*state);
	return 0;
}

/* One line for each assignment: "file:line attr=value [kernel]". */
static const char *assignments(struct tree *tree)
{
	struct udev_rules rules;
	struct strbuf sb;

	strbuf_init(&sb, tree->arena);
	udev_rules_read(tree->root, tree->arena, queue_attrs, &rules);
	VEC_EACH(&rules.assignments, struct udev_assignment, it)
		strbuf_printf(&sb, "%s:%d %s=%s [%s]\n", it->line.file,
			      (int)it->line.line,
			      it->line.attr ? it->line.attr : "",
			      it->line.value ? it->line.value : "",
			      it->kernel ? it->kernel : "");
	return sb.text;
}

static void assignments_are_found_and_conditions_are_not(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/udev/rules.d/60-io.rules",
		 "# ATTR{queue/scheduler}=\"bfq\"\n"
		 "ACTION==\"add|change\", KERNEL==\"nvme[0-9]*\", "
		 "ATTR{queue/rotational}==\"0\", "
		 "ATTR{queue/scheduler}=\"mq-deadline\", "
		 "ATTR{queue/nr_requests}:=\"512\"\n"
		 "SUBSYSTEM==\"block\", ATTR{queue/scheduler}!=\"none\", "
		 "ATTR{device/x}=\"1\", GOTO=\"end\"\n"
		 "LABEL=\"end\"\n");
	assert_string_equal(assignments(tree),
			    "/etc/udev/rules.d/60-io.rules:2 "
			    "queue/scheduler=mq-deadline [nvme[0-9]*]\n"
			    "/etc/udev/rules.d/60-io.rules:2 "
			    "queue/nr_requests=512 [nvme[0-9]*]\n"
			    "/etc/udev/rules.d/60-io.rules:3 = []\n"
			    "/etc/udev/rules.d/60-io.rules:4 = []\n");
}

static void jumps_of_files_without_assignments_stay_out(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/udev/rules.d/60-io.rules",
		 "ACTION!=\"add\", GOTO=\"end\"\n"
		 "ATTR{device/x}=\"1\"\n"
		 "LABEL=\"end\"\n");
	assert_string_equal(assignments(tree), "");
}

static void continued_rule_counts_from_its_first_line(void **state)
{
	struct tree *tree = *state;
	struct udev_rules rules;

	tree_put(tree, "etc/udev/rules.d/60-io.rules",
		 "# a comment ends here \\\n"
		 "KERNEL==\"nvme*\", \\\n"
		 "# in between\n"
		 "  ATTR{queue/scheduler}=\"none\"\n"
		 "ATTR{queue/wbt_lat_usec}=\"0\"");
	assert_string_equal(assignments(tree),
			    "/etc/udev/rules.d/60-io.rules:2 "
			    "queue/scheduler=none [nvme*]\n"
			    "/etc/udev/rules.d/60-io.rules:5 "
			    "queue/wbt_lat_usec=0 []\n");
	udev_rules_read(tree->root, tree->arena, queue_attrs, &rules);
	assert_string_equal(
		rules.assignments.items[0].line.text,
		"KERNEL==\"nvme*\",   ATTR{queue/scheduler}=\"none\"");
}

static void all_folders_count_as_one_and_etc_masks(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "usr/lib/udev/rules.d/60-a.rules",
		 "ATTR{queue/scheduler}=\"lib\"\n");
	tree_put(tree, "usr/lib/udev/rules.d/70-b.rules",
		 "ATTR{queue/scheduler}=\"b\"\n");
	tree_put(tree, "etc/udev/rules.d/60-a.rules",
		 "ATTR{queue/scheduler}=\"etc\"\n");
	tree_put(tree, "run/udev/rules.d/65-c.rules",
		 "ATTR{queue/scheduler}=\"run\"\n");
	tree_put(tree, "usr/lib/udev/rules.d/99-m.rules",
		 "ATTR{queue/scheduler}=\"masked\"\n");
	tree_link(tree, "etc/udev/rules.d/99-m.rules", "/dev/null");
	tree_put(tree, "etc/udev/rules.d/10-x.rules.bak",
		 "ATTR{queue/scheduler}=\"bak\"\n");
	assert_string_equal(assignments(tree),
			    "/etc/udev/rules.d/60-a.rules:1 "
			    "queue/scheduler=etc []\n"
			    "/run/udev/rules.d/65-c.rules:1 "
			    "queue/scheduler=run []\n"
			    "/usr/lib/udev/rules.d/70-b.rules:1 "
			    "queue/scheduler=b []\n");
}

static void spelling_that_udev_accepts_is_accepted(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/udev/rules.d/60-io.rules",
		 "  KERNEL == \"nvme*\" , ATTR{queue/scheduler} = \"none\"\n"
		 "ATTR{queue/scheduler}=e\"a\\\"b\" ATTR{queue/nomerges}=\"2\""
		 "\n");
	assert_string_equal(assignments(tree),
			    "/etc/udev/rules.d/60-io.rules:1 "
			    "queue/scheduler=none [nvme*]\n"
			    "/etc/udev/rules.d/60-io.rules:2 "
			    "queue/scheduler=a\"b []\n"
			    "/etc/udev/rules.d/60-io.rules:2 "
			    "queue/nomerges=2 []\n");
}

static void broken_lines_end_quietly(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/udev/rules.d/60-io.rules",
		 "ATTR{queue/scheduler\n"
		 "ATTR{queue/scheduler}=\"none\n"
		 "ATTR{queue/scheduler}\n"
		 "ATTR{queue/}=\"x\"\n"
		 "=\"x\"\n"
		 "ATTR{queue/scheduler}=none\n"
		 "\\");
	assert_string_equal(assignments(tree), "");
}

/* Each byte in turn left out, cut after, or replaced: whatever comes of it,
 * what is found lies inside the file and names an attribute of a queue. */
static void damaged_rules_never_lead_astray(void **state)
{
	static const char rule[] =
		"KERNEL==\"nvme*\", \\\n#x\n ATTR{queue/scheduler}=e\"a\\\"b\", "
		"ATTR{queue/nomerges}:=\"2\"\n\\";
	static const char bytes[] = "\"\\{}=\n#\xff ";
	struct tree *tree = *state;

	for (size_t i = 0; i < strlen(rule); i++) {
		for (size_t b = 0; b < sizeof(bytes); b++) {
			char *text = arena_strdup(tree->arena, rule);
			struct udev_rules rules;

			text[i] = bytes[b];
			tree_put(tree, "etc/udev/rules.d/1.rules", text);
			udev_rules_read(tree->root, tree->arena, queue_attrs,
					&rules);
			VEC_EACH(&rules.assignments, struct udev_assignment,
				 it) {
				assert_ptr_equal(strstr(it->line.attr,
							"queue/"),
						 it->line.attr);
				assert_non_null(it->line.value);
				assert_in_range(it->line.line, 1, 4);
			}
		}
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(assignments_are_found_and_conditions_are_not),
		T(jumps_of_files_without_assignments_stay_out),
		T(continued_rule_counts_from_its_first_line),
		T(all_folders_count_as_one_and_etc_masks),
		T(spelling_that_udev_accepts_is_accepted),
		T(broken_lines_end_quietly),
		T(damaged_rules_never_lead_astray),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

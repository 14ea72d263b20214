/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "core/irqbalance.h"

#define UNIT "lib/systemd/system/irqbalance.service"
#define DROP_IN "etc/systemd/system/irqbalance.service.d/"

static int set_up(void **state)
{
	struct tree *tree = tree_new();

	tree_put(tree, "usr/sbin/irqbalance", "\177ELF ... banirq banmod ...");
	*state = tree;
	return 0;
}

static int tear_down(void **state)
{
	tree_free(*state);
	return 0;
}

static const struct irqbalance *seen(struct tree *tree)
{
	return &scanned(tree)->irqbalance;
}

/* It takes arguments from this variable, which has this value from there. */
static void expect(const struct irqbalance *it, const char *variable,
		   const char *arguments, const char *set_by)
{
	assert_string_equal(it->variable, variable);
	if (!arguments) {
		assert_null(it->arguments);
		assert_null(it->set_by);
		return;
	}
	assert_string_equal(it->arguments, arguments);
	assert_string_equal(it->set_by, set_by);
}

static void debian_has_two_files_and_the_second_need_not_set_it(void **state)
{
	const struct irqbalance *it;

	tree_put(
		*state, UNIT,
		"[Unit]\nDescription=spreads interrupts\n"
		"[Service]\n"
		"EnvironmentFile=-/usr/lib/irqbalance/defaults.env\n"
		"EnvironmentFile=-/etc/default/irqbalance\n"
		"ExecStart=/usr/sbin/irqbalance --foreground $IRQBALANCE_ARGS\n"
		"[Install]\nWantedBy=multi-user.target\n");
	tree_put(*state, "etc/default/irqbalance",
		 "# arguments:\n#IRQBALANCE_ARGS=\n");
	it = seen(*state);
	assert_string_equal(it->unit, "/" UNIT);
	assert_string_equal(it->enabled, "disabled");
	assert_int_equal(it->bans_modules.value, 1);
	expect(it, "IRQBALANCE_ARGS", NULL, NULL);

	tree_put(*state, "usr/lib/irqbalance/defaults.env",
		 "IRQBALANCE_ARGS=--deepestcache=2\n");
	tree_link(
		*state,
		"etc/systemd/system/multi-user.target.wants/irqbalance.service",
		"/" UNIT);
	it = seen(*state);
	assert_string_equal(it->enabled, "enabled");
	expect(it, "IRQBALANCE_ARGS", "--deepestcache=2",
	       "/usr/lib/irqbalance/defaults.env:1");
}

static void a_unit_may_call_the_variable_as_it_likes(void **state)
{
	tree_put(*state, UNIT,
		 "[Service]\n"
		 "EnvironmentFile=/etc/default/irqbalance\n"
		 "ExecStart=/usr/sbin/irqbalance --foreground $OPTIONS\n");
	tree_put(*state, "etc/default/irqbalance",
		 "OPTIONS=--banirq=7\n\nOPTIONS='--banirq=8 -t 5'\n");
	expect(seen(*state), "OPTIONS", "--banirq=8 -t 5",
	       "/etc/default/irqbalance:3");
}

static void fedora_and_suse_keep_it_in_sysconfig(void **state)
{
	tree_put(*state, "usr/lib/systemd/system/irqbalance.service",
		 "[Service]\n"
		 "EnvironmentFile=/etc/sysconfig/irqbalance\n"
		 "ExecStart=/usr/sbin/irqbalance --foreground \\\n"
		 "; a comment between\n"
		 "\t$IRQBALANCE_ARGS\n");
	tree_put(*state, "etc/sysconfig/irqbalance",
		 "IRQBALANCE_BANNED_CPULIST=\n"
		 "IRQBALANCE_ARGS=\"--policyscript=/etc/irqbalance/p \\\n"
		 "--banirq=3\"\n");
	expect(seen(*state), "IRQBALANCE_ARGS",
	       "--policyscript=/etc/irqbalance/p --banirq=3",
	       "/etc/sysconfig/irqbalance:2");
}

static void ubuntu_may_have_its_unit_replaced_in_etc(void **state)
{
	const struct irqbalance *it;

	tree_put(*state, UNIT,
		 "[Service]\nExecStart=/usr/sbin/irqbalance $NOT_THIS\n");
	tree_put(
		*state, "etc/systemd/system/irqbalance.service",
		"[Service]\n"
		"Environment=\"IRQBALANCE_ARGS=--powerthresh=1 -d\" X=1\n"
		"EnvironmentFile=-/etc/default/irqbalance\n"
		"ExecStart=/usr/sbin/irqbalance --foreground $IRQBALANCE_ARGS\n");
	it = seen(*state);
	assert_string_equal(it->unit, "/etc/systemd/system/irqbalance.service");
	expect(it, "IRQBALANCE_ARGS", "--powerthresh=1 -d",
	       "/etc/systemd/system/irqbalance.service:2");
}

static void drop_ins_count_in_their_order_and_ours_does_not(void **state)
{
	tree_put(*state, UNIT,
		 "[Service]\n"
		 "EnvironmentFile=/etc/a\n"
		 "ExecStart=/usr/sbin/irqbalance $ARGS\n");
	tree_put(*state, "etc/a", "ARGS=a\n");
	tree_put(*state, "etc/b", "ARGS=b\n");
	tree_put(*state, "run/systemd/system/irqbalance.service.d/20-b.conf",
		 "[Service]\nEnvironmentFile=/etc/b\n");
	tree_put(*state, DROP_IN "50-nvmetune.conf",
		 "[Service]\nEnvironmentFile=-/etc/nvmetune/irqbalance.env\n");
	tree_put(*state, "etc/nvmetune/irqbalance.env", "ARGS=ours\n");
	expect(seen(*state), "ARGS", "b", "/etc/b:1");
	assert_null(seen(*state)->overridden);

	/* What takes ours back, or sets it again, is told. */
	tree_put(*state, DROP_IN "60-c.conf", "[Service]\nEnvironmentFile=\n");
	expect(seen(*state), "ARGS", NULL, NULL);
	assert_string_equal(seen(*state)->overridden,
			    "/" DROP_IN "60-c.conf:2");
	tree_put(*state, DROP_IN "60-c.conf",
		 "[Service]\nEnvironmentFile=/etc/b\n");
	assert_string_equal(seen(*state)->overridden, "/etc/b:1");
}

static void a_unit_without_a_variable_is_told_with_its_command(void **state)
{
	tree_put(*state, UNIT,
		 "[Service]\nExecStart=/usr/sbin/irqbalance ${ARGS} $A-B\n");
	assert_null(seen(*state)->variable);
	assert_string_equal(seen(*state)->command,
			    "/usr/sbin/irqbalance ${ARGS} $A-B");
}

static void a_link_to_nothing_masks_the_unit(void **state)
{
	tree_put(*state, UNIT,
		 "[Service]\nExecStart=/usr/sbin/irqbalance $ARGS\n");
	tree_link(*state, "etc/systemd/system/irqbalance.service", "/dev/null");
	assert_string_equal(seen(*state)->enabled, "masked");
}

static void the_one_that_runs_tells_how_it_was_called(void **state)
{
	static const char call[] = "/usr/sbin/irqbalance\0--foreground\0"
				   "--banmod=nvme";
	const char *pids =
		"sys/fs/cgroup/system.slice/irqbalance.service/cgroup.procs";
	FILE *file;

	tree_put(*state, pids, "612\n613\n");
	assert_null(seen(*state)->running);
	file = fopen(tree_path(*state, "proc/612/cmdline"), "we");
	assert_non_null(file);
	assert_int_equal(fwrite(call, 1, sizeof(call), file), sizeof(call));
	assert_int_equal(fclose(file), 0);
	assert_string_equal(seen(*state)->running,
			    "/usr/sbin/irqbalance --foreground --banmod=nvme");
	assert_true(irqbalance_bans_nvme(seen(*state)->running));
}

static void an_old_program_does_not_know_the_option(void **state)
{
	tree_put(*state, "usr/sbin/irqbalance", "\177ELF ... banirq ...");
	assert_true(seen(*state)->bans_modules.known);
	assert_int_equal(seen(*state)->bans_modules.value, 0);
	/* A tree that was captured without programs tells nothing. */
	tree_put(*state, "usr/sbin/irqbalance", "");
	assert_false(seen(*state)->bans_modules.known);
}

static void nothing_is_said_where_it_is_not_installed(void **state)
{
	tree_remove(*state, "usr/sbin/irqbalance");
	tree_put(*state, "etc/default/irqbalance", "IRQBALANCE_ARGS=-d\n");
	tree_put(*state, DROP_IN "20-left.conf",
		 "[Service]\nEnvironmentFile=/etc/default/irqbalance\n");
	assert_null(seen(*state)->unit);
	assert_null(seen(*state)->arguments);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(debian_has_two_files_and_the_second_need_not_set_it),
		TEST(a_unit_may_call_the_variable_as_it_likes),
		TEST(fedora_and_suse_keep_it_in_sysconfig),
		TEST(ubuntu_may_have_its_unit_replaced_in_etc),
		TEST(drop_ins_count_in_their_order_and_ours_does_not),
		TEST(a_unit_without_a_variable_is_told_with_its_command),
		TEST(a_link_to_nothing_masks_the_unit),
		TEST(the_one_that_runs_tells_how_it_was_called),
		TEST(an_old_program_does_not_know_the_option),
		TEST(nothing_is_said_where_it_is_not_installed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "base/strbuf.h"

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

/* "who file:line attr[device]=value when", a line each. */
static const char *writers(struct tree *tree)
{
	const struct facts *facts = scanned(tree);
	struct strbuf sb;

	strbuf_init(&sb, tree->arena);
	VEC_EACH(&facts->writers, struct attr_writer, it)
		strbuf_printf(&sb, "%s %s:%d %s[%s]=%s %s\n", it->who, it->file,
			      (int)it->line, it->attr,
			      it->device ? it->device : "", it->value,
			      it->when);
	return sb.text;
}

static void active(struct tree *tree, const char *profile)
{
	tree_put(tree, "usr/sbin/tuned", "");
	tree_put(tree, "etc/tuned/active_profile", profile);
}

static void the_include_chain_of_tuned_is_followed(void **state)
{
	struct tree *tree = *state;

	active(tree, "mine\n");
	tree_put(tree, "etc/tuned/mine/tuned.conf",
		 "[main]\n"
		 "include=distro\n"
		 "\n"
		 "[disk]\n"
		 "# of ours\n"
		 "readahead = 8192 s\n");
	tree_put(tree, "usr/lib/tuned/profiles/distro/tuned.conf",
		 "[main]\ninclude = base\n"
		 "[disk]\nelevator=kyber\ndevices=sda,nvme*\n"
		 "[cpu]\ngovernor=performance\n");
	tree_put(tree, "usr/lib/tuned/base/tuned.conf",
		 "[disk]\nreadahead=>4096\nelevator=bfq\n"
		 "[sysctl]\nkernel.numa_balancing=0\nvm.swappiness=10\n"
		 "[irqbalance]\nbanned_cpus=2-3\n");
	assert_string_equal(
		writers(tree),
		"tuned profile mine /etc/tuned/mine/tuned.conf:6 "
		"queue/read_ahead_kb[sda|nvme*]=4096 tuned\n"
		"tuned profile mine "
		"/usr/lib/tuned/profiles/distro/tuned.conf:4 "
		"queue/scheduler[sda|nvme*]=kyber tuned\n"
		"tuned profile mine /usr/lib/tuned/base/tuned.conf:5 "
		"kernel/numa_balancing[]=0 tuned\n"
		"tuned profile mine /usr/lib/tuned/base/tuned.conf:8 "
		"irqbalance/banned_cpus[]=2-3 tuned\n"
		"tuned profile mine "
		"/usr/lib/tuned/profiles/distro/tuned.conf:7 "
		"scaling_governor[]=performance tuned\n");
}

static void files_below_sys_that_tuned_writes_are_found(void **state)
{
	struct tree *tree = *state;

	active(tree, "x");
	tree_put(tree, "etc/tuned/x/tuned.conf",
		 "[sysfs]\n"
		 "/sys/block/nvme*/queue/nomerges=2\n"
		 "/sys/class/nvme/nvme0/power/control=on\n"
		 "/sys/kernel/mm/ksm/run=0\n"
		 "/sys/block/=1\n"
		 "[other]\ntype=disk\nelevator=none\n");
	assert_string_equal(writers(tree),
			    "tuned profile x /etc/tuned/x/tuned.conf:2 "
			    "queue/nomerges[nvme*]=2 tuned\n"
			    "tuned profile x /etc/tuned/x/tuned.conf:3 "
			    "power/control[nvme0]=on tuned\n"
			    "tuned profile x /etc/tuned/x/tuned.conf:8 "
			    "queue/scheduler[]=none tuned\n");
}

static void tuned_is_known_by_its_unit(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/systemd/system/tuned.service",
		 "[Service]\nExecStart=/opt/tuned/tuned -l -P\n");
	tree_put(tree, "etc/tuned/active_profile", "x\n");
	tree_put(tree, "etc/tuned/x/tuned.conf", "[disk]\nelevator=bfq\n");
	assert_string_equal(writers(tree),
			    "tuned profile x /etc/tuned/x/tuned.conf:2 "
			    "queue/scheduler[]=bfq tuned\n");
}

static void profiles_in_a_circle_or_gone_end(void **state)
{
	struct tree *tree = *state;
	struct strbuf include;

	strbuf_init(&include, tree->arena);
	strbuf_puts(&include, "[main]\ninclude=");
	for (unsigned int i = 0; i < 200; i++)
		strbuf_puts(&include, "a, ");
	strbuf_puts(&include, "\n[disk]\nelevator=none\n");
	active(tree, "a ../../etc .x gone");
	tree_put(tree, "etc/tuned/a/tuned.conf", include.text);
	assert_string_equal(writers(tree), "tuned profile a ../../etc .x gone "
					   "/etc/tuned/a/tuned.conf:4 "
					   "queue/scheduler[]=none tuned\n");
}

static void tmpfiles_and_sysctl_lines_are_found(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/tmpfiles.d/disk.conf",
		 "# comment\n"
		 "w /sys/block/nvme0n1/queue/scheduler - - - - mq-deadline\n"
		 "w+ /sys/kernel/x - - - - 1\n"
		 "d /sys/block/nvme0n1/queue - - - - x\n"
		 "w /sys/block/nvme0n1/queue/nomerges\n");
	tree_put(tree, "usr/lib/sysctl.d/50-default.conf",
		 "kernel.numa_balancing = 1\n");
	tree_put(tree, "etc/sysctl.d/99-mine.conf",
		 "vm.x = 1\n-kernel/numa_balancing=0\n");
	tree_put(tree, "etc/sysctl.d/90-nvmetune.conf",
		 "kernel.numa_balancing = 0\n");
	assert_string_equal(writers(tree),
			    "systemd-tmpfiles /etc/tmpfiles.d/disk.conf:2 "
			    "queue/scheduler[nvme0n1]=mq-deadline tmpfiles\n"
			    "sysctl /usr/lib/sysctl.d/50-default.conf:1 "
			    "kernel/numa_balancing[]=1 sysctl\n"
			    "sysctl /etc/sysctl.d/99-mine.conf:2 "
			    "kernel/numa_balancing[]=0 sysctl\n");
}

static void a_section_that_replaces_or_is_off_sets_less(void **state)
{
	struct tree *tree = *state;

	active(tree, "child");
	tree_put(tree, "etc/tuned/child/tuned.conf",
		 "[main]\ninclude=parent\n"
		 "[disk]\nreplace=1\nreadahead=64\n"
		 "[cpu]\nenabled=0\n");
	tree_put(tree, "usr/lib/tuned/parent/tuned.conf",
		 "[disk]\nelevator=kyber\n[cpu]\ngovernor=powersave\n");
	assert_string_equal(writers(tree),
			    "tuned profile child /etc/tuned/child/tuned.conf:5 "
			    "queue/read_ahead_kb[]=64 tuned\n");
}

static void files_of_functions_subsystems_and_cpus_are_found(void **state)
{
	struct tree *tree = *state;

	tree_put(
		tree, "etc/tmpfiles.d/power.conf",
		"w /sys/bus/pci/devices/0000:41:00.0/power/control - - - - on\n"
		"w /sys/class/nvme-subsystem/nvme-subsys0/iopolicy - - - - numa\n"
		"w /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor - - - - powersave\n"
		"w /sys/devices/system/cpu/cpufreq/policy0/scaling_governor - - - - ondemand\n");
	assert_string_equal(
		writers(tree),
		"systemd-tmpfiles /etc/tmpfiles.d/power.conf:1 "
		"power/control[0000:41:00.0]=on tmpfiles\n"
		"systemd-tmpfiles /etc/tmpfiles.d/power.conf:2 "
		"iopolicy[nvme-subsys0]=numa tmpfiles\n"
		"systemd-tmpfiles /etc/tmpfiles.d/power.conf:3 "
		"cpufreq/scaling_governor[cpu*]=powersave tmpfiles\n"
		"systemd-tmpfiles /etc/tmpfiles.d/power.conf:4 "
		"scaling_governor[policy0]=ondemand tmpfiles\n");
}

static void sysctl_conf_counts_where_systemd_reads_none(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/sysctl.conf", "# x\nkernel.numa_balancing=1\n");
	assert_string_equal(writers(tree),
			    "sysctl /etc/sysctl.conf:2 "
			    "kernel/numa_balancing[]=1 sysctl\n");
	tree_put(tree, "usr/lib/systemd/systemd-sysctl", "");
	assert_string_equal(writers(tree), "");
}

static void services_that_set_the_governor_are_found(void **state)
{
	static const char wanted[] =
		"etc/systemd/system/multi-user.target.wants/cpupower.service";
	struct tree *tree = *state;

	tree_put(tree, "etc/sysconfig/cpupower",
		 "# CPUPOWER_START_OPTS=\"-g ondemand\"\n"
		 "CPUPOWER_START_OPTS=\"frequency-set -g powersave\"\n"
		 "CPUPOWER_STOP_OPTS=\"frequency-set -g ondemand\"\n");
	assert_string_equal(writers(tree), "");
	tree_put(tree, wanted, "");
	assert_string_equal(writers(tree), "cpupower /etc/sysconfig/cpupower:2 "
					   "scaling_governor[]=powersave "
					   "service\n");
	tree_put(tree, "etc/sysconfig/cpupower", "");
	tree_put(tree, "etc/default/cpupower", "governor='performance'\n");
	tree_put(tree, "etc/default/cpufrequtils", "GOVERNOR=ondemand\n");
	tree_put(tree, "etc/rc2.d/S01cpufrequtils", "");
	assert_string_equal(writers(tree), "cpupower /etc/default/cpupower:1 "
					   "scaling_governor[]=performance "
					   "service\n"
					   "cpufrequtils "
					   "/etc/default/cpufrequtils:1 "
					   "scaling_governor[]=ondemand "
					   "service\n");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_include_chain_of_tuned_is_followed),
		T(files_below_sys_that_tuned_writes_are_found),
		T(tuned_is_known_by_its_unit),
		T(profiles_in_a_circle_or_gone_end),
		T(tmpfiles_and_sysctl_lines_are_found),
		T(a_section_that_replaces_or_is_off_sets_less),
		T(files_of_functions_subsystems_and_cpus_are_found),
		T(sysctl_conf_counts_where_systemd_reads_none),
		T(services_that_set_the_governor_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

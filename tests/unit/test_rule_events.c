/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Rules of other files against the settings of everything but disks. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host.h"
#include "knobs/knob_list.h"

#define EARLY "/usr/lib/udev/rules.d/60-a.rules"
#define LATE "/etc/udev/rules.d/99-b.rules"

struct fixture {
	struct arena *arena;
	struct facts *facts;
};

static void see(struct fixture *f, enum target_kind kind, const char *target,
		const char *knob, const char *text)
{
	struct observation *it = vec_add(f->arena, &f->facts->observed);
	const char *param;

	*it = (struct observation){ .knob = knob,
				    .target_kind = kind,
				    .target = target };
	assert_int_equal(
		knob_read_value(knob_set_find(knobs_all(), knob, &param), text,
				&it->value),
		0);
}

/* One drive at 0000:41:00.0, in nvme-subsys0, and CPUs with a frequency. */
static int set_up(void **state)
{
	struct arena *arena = arena_new();
	struct fixture *f = ARENA_NEW(arena, struct fixture);
	struct ctrl *ctrl;

	f->arena = arena;
	f->facts = host_new(arena);
	ctrl = &f->facts->ctrls.items[0];
	ctrl->address = "0000:41:00.0";
	ctrl->driver = "nvme";
	ctrl->pci_class = "0x010802";
	ctrl->pci_vendor = "0x144d";
	ctrl->apsta = num_known(1);
	ctrl->pm_qos_latency_us = num_known(100000);
	ctrl->runtime_pm = "on";
	ctrl->d3cold_allowed = num_known(1);
	ctrl->subsystem = "nvme-subsys0";
	*vec_add(arena, &f->facts->subsystems) =
		(struct subsystem){ .name = "nvme-subsys0",
				    .nqn = ctrl->nqn,
				    .type = "nvm",
				    .iopolicy = "numa" };
	*vec_add(arena, &f->facts->cpu_policies) = "policy4";
	see(f, TARGET_CPUS, "policy4", "cpu.governor", "powersave");
	see(f, TARGET_SUBSYSTEM, "nvme-subsys0", "subsystem.iopolicy", "numa");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	arena_free(f->arena);
	return 0;
}

static void rule(struct fixture *f, const char *file, const char *text)
{
	const size_t n = f->facts->rules.n;

	*vec_add(f->arena, &f->facts->rules) = (struct rule_line){
		.file = file, .line = (int64_t)n + 1, .text = text
	};
}

/* The change that one setting comes to. */
static const struct change *planned(struct fixture *f, const char *section,
				    const char *setting, const char *id)
{
	const char *const lines[] = { section, setting, NULL };
	const struct plan_input input = {
		.facts = f->facts,
		.profile = host_profile(f->arena, lines),
		.knobs = knobs_all(),
	};
	struct problems problems = { .arena = f->arena };
	struct plan *plan = ARENA_NEW(f->arena, struct plan);
	const struct change *change;

	assert_int_equal(plan_build(f->arena, &input, plan, &problems), 0);
	change = plan_find(plan, id);
	assert_non_null(change);
	return change;
}

static const struct change *runtime(struct fixture *f, const char *value)
{
	return planned(f, "[drives]",
		       arena_printf(f->arena, "power.runtime = %s", value),
		       "power.runtime@nvme0");
}

static void expect_kept(const struct change *change)
{
	assert_int_equal(change->persistence, PERSIST_RULE);
	assert_null(change->persist_reason);
}

static void expect_lost(const struct change *change, const char *reason)
{
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_string_equal(change->persist_reason, reason);
}

static void each_kind_of_device_has_who_set_it(void **state)
{
	struct fixture *f = *state;
	const struct change *it;

	rule(f, EARLY,
	     "ACTION==\"add\", SUBSYSTEM==\"pci\", ATTR{class}==\"0x010802\", "
	     "ATTR{power/control}=\"on\"");
	rule(f, EARLY,
	     "SUBSYSTEM==\"nvme-subsystem\", ATTR{subsystype}==\"nvm\", "
	     "ACTION==\"add\", ATTR{iopolicy}=\"numa\"");
	rule(f, EARLY,
	     "SUBSYSTEM==\"cpu\", ACTION==\"add\", "
	     "DEVPATH==\"/devices/system/cpu/cpu*\", "
	     "ATTR{cpufreq/scaling_governor}=\"powersave\"");
	it = runtime(f, "auto");
	assert_int_equal(it->set_by.n, 1);
	assert_ptr_equal(strstr(it->set_by.items[0], EARLY ":1: "),
			 it->set_by.items[0]);
	expect_kept(it);
	it = planned(f, "[host]", "subsystem.iopolicy = round-robin",
		     "subsystem.iopolicy@nvme-subsys0");
	assert_int_equal(it->set_by.n, 1);
	assert_ptr_equal(strstr(it->set_by.items[0], EARLY ":2: "),
			 it->set_by.items[0]);
	expect_kept(it);
	it = planned(f, "[host]", "cpu.governor = performance",
		     "cpu.governor@policy4");
	assert_int_equal(it->set_by.n, 1);
	assert_ptr_equal(strstr(it->set_by.items[0], EARLY ":3: "),
			 it->set_by.items[0]);
	expect_kept(it);
}

static void a_later_file_wins_at_each_of_them(void **state)
{
	struct fixture *f = *state;

	rule(f, LATE,
	     "ACTION==\"add\", SUBSYSTEM==\"nvme\", "
	     "ATTR{device/power/control}=\"on\"");
	rule(f, LATE,
	     "ACTION==\"add\", SUBSYSTEM==\"nvme-subsystem\", "
	     "ATTR{iopolicy}=\"queue-depth\"");
	rule(f, LATE,
	     "ACTION==\"add\", SUBSYSTEM==\"cpu\", KERNEL==\"cpu[0-9]*\", "
	     "ATTR{cpufreq/scaling_governor}=\"schedutil\"");
	rule(f, LATE,
	     "ACTION==\"add\", SUBSYSTEM==\"block\", KERNEL==\"nvme*\", "
	     "ATTR{device/power/pm_qos_latency_tolerance_us}=\"0\"");
	expect_lost(runtime(f, "auto"),
		    LATE ":1 runs after our rule and sets on");
	expect_lost(planned(f, "[host]", "subsystem.iopolicy = round-robin",
			    "subsystem.iopolicy@nvme-subsys0"),
		    LATE ":2 runs after our rule and sets queue-depth");
	expect_lost(planned(f, "[host]", "cpu.governor = performance",
			    "cpu.governor@policy4"),
		    LATE ":3 runs after our rule and sets schedutil");
	expect_lost(planned(f, "[drives]", "power.apst = 5500us",
			    "power.apst@nvme0"),
		    LATE ":4 runs after our rule and sets 0");
}

/* Our rule acts when the controller comes, which is after its function. */
static void the_order_of_events_goes_before_that_of_files(void **state)
{
	struct fixture *f = *state;

	rule(f, LATE,
	     "ACTION==\"add\", SUBSYSTEM==\"pci\", ATTR{power/control}=\"on\"");
	expect_kept(runtime(f, "auto"));
	rule(f, EARLY,
	     "ACTION==\"add\", SUBSYSTEM==\"block\", KERNEL==\"nvme*\", "
	     "ATTR{device/device/power/control}=\"on\"");
	expect_lost(runtime(f, "auto"),
		    EARLY ":2 runs after our rule and sets on");
}

/* Since 4.14 the kernel tells when a driver has bound; a rule that does not
 * ask for an action runs then, too. */
static void a_rule_for_any_action_runs_when_the_driver_has_bound(void **state)
{
	struct fixture *f = *state;

	rule(f, EARLY,
	     "SUBSYSTEM==\"pci\", DRIVER==\"nvme\", ATTR{power/control}=\"on\"");
	expect_lost(
		runtime(f, "auto"), EARLY
		":1 runs when the driver has bound, behind our rule, and sets on");
}

/* NVME_EVENT=connected is a change event. */
static void a_controller_sends_a_change_event_when_it_is_live(void **state)
{
	struct fixture *f = *state;

	rule(f, EARLY,
	     "ACTION==\"change\", SUBSYSTEM==\"nvme\", KERNEL==\"nvme[0-9]*\", "
	     "ATTR{power/pm_qos_latency_tolerance_us}=\"0\"");
	expect_lost(planned(f, "[drives]", "power.apst = 5500us",
			    "power.apst@nvme0"),
		    "will be overridden by " EARLY
		    ":1, which sets 0 at each change event");
	rule(f, EARLY,
	     "ACTION==\"change\", SUBSYSTEM==\"nvme\", "
	     "ATTR{device/power/control}=\"on\"");
	expect_lost(runtime(f, "auto"),
		    "will be overridden by " EARLY
		    ":2, which sets on at each change event");
}

static void a_rule_of_the_disk_reaches_its_function(void **state)
{
	struct fixture *f = *state;

	rule(f, EARLY,
	     "ACTION==\"change\", SUBSYSTEM==\"block\", "
	     "ATTR{device/device/power/control}=\"on\"");
	expect_lost(runtime(f, "auto"),
		    "will be overridden by " EARLY
		    ":1, which sets on at each change event");
}

static void rules_for_other_devices_do_not_count(void **state)
{
	struct fixture *f = *state;

	rule(f, LATE,
	     "SUBSYSTEM==\"pci\", ATTR{vendor}==\"0x8086\", "
	     "ATTR{power/control}=\"on\"");
	rule(f, LATE,
	     "SUBSYSTEM==\"pci\", DRIVER==\"xhci_hcd\", "
	     "ATTR{power/control}=\"on\"");
	rule(f, LATE, "SUBSYSTEM==\"usb\", ATTR{power/control}=\"on\"");
	rule(f, LATE,
	     "SUBSYSTEM==\"cpu\", KERNEL==\"cpu0\", "
	     "ATTR{cpufreq/scaling_governor}=\"schedutil\"");
	rule(f, LATE,
	     "SUBSYSTEM==\"nvme-subsystem\", ATTR{model}==\"Other\", "
	     "ATTR{iopolicy}=\"queue-depth\"");
	expect_kept(runtime(f, "auto"));
	expect_kept(planned(f, "[host]", "cpu.governor = performance",
			    "cpu.governor@policy4"));
	expect_kept(planned(f, "[host]", "subsystem.iopolicy = round-robin",
			    "subsystem.iopolicy@nvme-subsys0"));
}

/* The page cache's read-ahead has a second name. */
static void read_ahead_is_reached_through_bdi(void **state)
{
	struct fixture *f = *state;

	host_number(f->arena, f->facts, "nvme0n1", "queue.read_ahead_kb", 128);
	rule(f, LATE,
	     "ACTION==\"add\", KERNEL==\"nvme*\", "
	     "ATTR{bdi/read_ahead_kb}=\"4096\"");
	expect_lost(planned(f, "[drives]", "queue.read_ahead_kb = 16",
			    "queue.read_ahead_kb@nvme0n1"),
		    LATE ":1 runs after our rule and sets 4096");
}

static void writer(struct fixture *f, const char *attr, const char *device,
		   const char *value)
{
	*vec_add(f->arena, &f->facts->writers) =
		(struct attr_writer){ .who = "systemd-tmpfiles",
				      .file = "/etc/tmpfiles.d/a.conf",
				      .line = 3,
				      .attr = attr,
				      .device = device,
				      .value = value,
				      .when = "tmpfiles" };
}

#define TMPFILE(value)                                                      \
	"will be overridden by systemd-tmpfiles (/etc/tmpfiles.d/a.conf:3)" \
	", which sets " value

static void files_are_known_under_each_of_their_paths(void **state)
{
	struct fixture *f = *state;

	writer(f, "power/control", "0000:41:00.0", "on");
	expect_lost(runtime(f, "auto"), TMPFILE("on"));
	f->facts->writers.items[0].device = "0000:42:00.0";
	expect_kept(runtime(f, "auto"));
	f->facts->writers.items[0].device = "nvme*";
	f->facts->writers.items[0].attr = "device/power/control";
	expect_lost(runtime(f, "auto"), TMPFILE("on"));
	writer(f, "cpufreq/scaling_governor", "cpu*", "schedutil");
	expect_lost(planned(f, "[host]", "cpu.governor = performance",
			    "cpu.governor@policy4"),
		    TMPFILE("schedutil"));
	f->facts->writers.items[1].attr = "scaling_governor";
	f->facts->writers.items[1].device = "policy4";
	expect_lost(planned(f, "[host]", "cpu.governor = performance",
			    "cpu.governor@policy4"),
		    TMPFILE("schedutil"));
}

static void a_sysctl_of_another_file_wins_by_its_name(void **state)
{
	struct fixture *f = *state;
	static const char key[] = "kernel.numa_balancing";
	struct attr_writer *it;

	see(f, TARGET_HOST, "host", key, "1");
	writer(f, "kernel/numa_balancing", NULL, "1");
	it = &f->facts->writers.items[0];
	it->who = it->when = "sysctl";
	it->file = "/etc/sysctl.d/10-a.conf";
	assert_int_equal(planned(f, "[host]", "kernel.numa_balancing = 0",
				 "kernel.numa_balancing@host")
				 ->persistence,
			 PERSIST_SYSCTL);
	it->file = "/etc/sysctl.d/99-a.conf";
	expect_lost(planned(f, "[host]", "kernel.numa_balancing = 0",
			    "kernel.numa_balancing@host"),
		    "will be overridden by sysctl (/etc/sysctl.d/99-a.conf:3), "
		    "which sets 1");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(each_kind_of_device_has_who_set_it),
		T(a_later_file_wins_at_each_of_them),
		T(the_order_of_events_goes_before_that_of_files),
		T(a_rule_for_any_action_runs_when_the_driver_has_bound),
		T(a_controller_sends_a_change_event_when_it_is_live),
		T(a_rule_of_the_disk_reaches_its_function),
		T(rules_for_other_devices_do_not_count),
		T(read_ahead_is_reached_through_bdi),
		T(files_are_known_under_each_of_their_paths),
		T(a_sysctl_of_another_file_wins_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

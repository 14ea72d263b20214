/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Knobs of power and of the host, on hosts made by hand. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/owner.h"
#include "host.h"
#include "knobs/knob_list.h"
#include "render/files.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

struct fixture {
	struct arena *arena;
	struct facts *facts;
	struct plan plan;
};

static void add_state(struct fixture *f, int64_t idle, int64_t exit_us)
{
	struct power_state *it =
		vec_add(f->arena, &f->facts->ctrls.items[0].power_states);

	it->non_operational = num_known(idle);
	it->exit_us = num_known(exit_us);
}

static void add_aspm(struct fixture *f, const char *name, int64_t value)
{
	struct named_num *it =
		vec_add(f->arena, &f->facts->ctrls.items[0].aspm);

	it->name = name;
	it->value = num_known(value);
}

/* A drive with the states of a Samsung 950, below a port, and a host that has
 * everything that these knobs set. */
static int set_up(void **state)
{
	struct fixture *f;
	struct arena *arena = arena_new();
	struct ctrl *ctrl;
	struct subsystem *subsystem;

	f = ARENA_NEW(arena, struct fixture);
	f->arena = arena;
	f->facts = host_new(arena);
	ctrl = &f->facts->ctrls.items[0];
	ctrl->apsta = num_known(1);
	ctrl->pm_qos_latency_us = num_known(100000);
	ctrl->runtime_pm = "on";
	ctrl->d3cold_allowed = num_known(1);
	ctrl->port.width = num_known(4);
	ctrl->subsystem = "nvme-subsys0";
	add_state(f, 0, 5);
	add_state(f, 0, 30);
	add_state(f, 0, 100);
	add_state(f, 1, 5000);
	add_state(f, 1, 22000);
	subsystem = vec_add(arena, &f->facts->subsystems);
	*subsystem = (struct subsystem){ .name = "nvme-subsys0",
					 .nqn = ctrl->nqn,
					 .type = "nvm",
					 .iopolicy = "numa" };
	*vec_add(arena, &f->facts->cpu_policies) = "policy0";
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	arena_free(f->arena);
	return 0;
}

static void see(struct fixture *f, enum target_kind kind, const char *target,
		const char *knob, const char *text, const char *choices)
{
	struct observation *it = vec_add(f->arena, &f->facts->observed);
	const char *param;

	*it = (struct observation){ .knob = knob,
				    .target_kind = kind,
				    .target = target,
				    .choices = choices };
	if (!text)
		it->why = ENOENT;
	else
		assert_int_equal(knob_read_value(knob_set_find(knobs_all(),
							       knob, &param),
						 text, &it->value),
				 0);
}

static void plan(struct fixture *f, const char *const *lines)
{
	struct plan_input input = {
		.facts = f->facts,
		.profile = host_profile(f->arena, lines),
		.knobs = knobs_all(),
	};
	struct problems problems = { .arena = f->arena };

	assert_int_equal(plan_build(f->arena, &input, &f->plan, &problems), 0);
	render_files(f->arena, f->facts, NULL, &f->plan);
}

static const struct change *change(struct fixture *f, const char *id)
{
	const struct change *found = plan_find(&f->plan, id);

	if (!found)
		fail_msg("the plan has no %s", id);
	return found;
}

/* The one change of a profile with this line for drives, or for the host. */
static const struct change *plan_drive(struct fixture *f, const char *line,
				       const char *id)
{
	plan(f, LINES("[drives]", line));
	return change(f, id);
}

static const struct change *plan_host(struct fixture *f, const char *line,
				      const char *id)
{
	plan(f, LINES("[host]", line));
	return change(f, id);
}

static const char *file_text(struct fixture *f, const char *path)
{
	VEC_EACH(&f->plan.files, struct planned_file, it)
		if (strcmp(it->path, path) == 0)
			return it->want ? it->want : "";
	fail_msg("no file %s", path);
	return NULL;
}

static void expect_line(struct fixture *f, const char *path, const char *line)
{
	if (!strstr(file_text(f, path), line))
		fail_msg("%s\nis not in\n%s", line, file_text(f, path));
}

static void a_latency_is_explained_by_the_states_that_it_keeps(void **state)
{
	static const char both[] =
		"keeps PS3 (exit 5000 us), PS4 (exit 22000 us)";
	static const char one[] =
		"keeps PS3 (exit 5000 us), not PS4 (exit 22000 us)";
	static const char none[] =
		"warning: keeps no state of this drive, which has PS3 (exit 5000 us), PS4 (exit 22000 us): write off if that is meant";
	const struct {
		const char *line;
		const char *note;
	} rows[] = {
		{ "power.apst = 15ms", one },  { "power.apst = 5500", one },
		{ "power.apst = 5000", one },  { "power.apst = 4999us", none },
		{ "power.apst = 2000", none }, { "power.apst = 22000", both },
	};
	const struct change *it;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		it = plan_drive(*state, rows[i].line, "power.apst@nvme0");
		assert_int_equal(it->verdict, VERDICT_CHANGE);
		assert_string_equal(it->note, rows[i].note);
		assert_int_equal(it->persistence, PERSIST_RULE);
	}
	it = plan_drive(*state, "power.apst = off", "power.apst@nvme0");
	assert_int_equal(it->verdict, VERDICT_CHANGE);
	assert_int_equal(it->want.u.number, 0);
	assert_null(it->note);
	it = plan_drive(*state, "power.apst = default", "power.apst@nvme0");
	assert_int_equal(it->verdict, VERDICT_KEEP);
	assert_string_equal(it->note, both);
}

static void the_deepest_state_is_that_of_each_drive(void **state)
{
	struct fixture *f = *state;
	const struct change *it = plan_drive(f, "power.apst = no-deepest-state",
					     "power.apst@nvme0");

	assert_int_equal(it->verdict, VERDICT_CHANGE);
	assert_int_equal(it->want.u.number, 5000);
	assert_int_equal(it->persistence, PERSIST_CANNOT);
	assert_string_equal(
		it->persist_reason,
		"it differs from drive to drive, and a udev rule holds constants only, and whether the device helper is installed is not known");
	assert_string_equal(file_text(f, OWNER_RULES), "");
	f->facts->ctrls.items[0].power_states.n = 4;
	it = plan_drive(f, "power.apst = no-deepest-state", "power.apst@nvme0");
	assert_int_equal(it->want.u.number, 0);
	f->facts->ctrls.items[0].power_states.n = 3;
	it = plan_drive(f, "power.apst = no-deepest-state", "power.apst@nvme0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	assert_string_equal(it->reason,
			    "this drive has no state that it enters when idle");
	f->facts->ctrls.items[0].power_states.n = 0;
	it = plan_drive(f, "power.apst = no-deepest-state", "power.apst@nvme0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
}

/* Field case A5. */
static void a_drive_without_transitions_is_no_failure(void **state)
{
	struct fixture *f = *state;
	struct ctrl *ctrl = &f->facts->ctrls.items[0];
	const struct change *it;

	ctrl->apsta = num_known(0);
	ctrl->pm_qos_latency_us = num_unknown(ENOENT);
	it = plan_drive(f, "power.apst = off", "power.apst@nvme0");
	assert_int_equal(it->verdict, VERDICT_KEEP);
	assert_int_equal(it->have.type, VALUE_NONE);
	assert_string_equal(
		it->reason,
		"not applicable: this drive has no autonomous power state transitions");
	assert_int_equal(plan_count(&f->plan, VERDICT_CANNOT), 0);
	/* Its successor may have them. */
	expect_line(f, OWNER_RULES,
		    "ATTR{power/pm_qos_latency_tolerance_us}=\"0\"");
	ctrl->apsta = num_unknown(EACCES);
	it = plan_drive(f, "power.apst = 5ms", "power.apst@nvme0");
	assert_int_equal(it->verdict, VERDICT_KEEP);
	/* A drive that could, and a kernel that does not let it. */
	ctrl->apsta = num_known(1);
	it = plan_drive(f, "power.apst = off", "power.apst@nvme0");
	assert_int_equal(it->verdict, VERDICT_KEEP);
	it = plan_drive(f, "power.apst = 5ms", "power.apst@nvme0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	ctrl->pm_qos_latency_us = num_unknown(EACCES);
	it = plan_drive(f, "power.apst = off", "power.apst@nvme0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
}

static void no_limit_is_the_number_that_brings_it_back(void **state)
{
	struct fixture *f = *state;
	const struct change *it;
	const char *param;
	const struct knob *knob =
		knob_set_find(knobs_all(), "power.apst", &param);
	struct value any, number;

	f->facts->ctrls.items[0].pm_qos_latency_us = num_known(-1);
	it = plan_drive(f, "power.apst = off", "power.apst@nvme0");
	assert_string_equal(value_string(f->arena, &it->have), "2147483647");
	assert_int_equal(knob_read_value(knob, "any", &any), 0);
	assert_int_equal(knob_read_value(knob, "2147483647", &number), 0);
	assert_true(knob_same(knob, &any, &number));
	assert_int_equal(knob_read_value(knob, "many", &any), -EBADMSG);
}

/* Field cases A3 and A12. */
static void a_rule_sets_the_latency_again_when_a_disk_comes(void **state)
{
	plan_drive(*state, "power.apst = off", "power.apst@nvme0");
	expect_line(
		*state, OWNER_RULES,
		"TEST==\"power/pm_qos_latency_tolerance_us\", ATTR{power/pm_qos_latency_tolerance_us}=\"0\"\n");
	expect_line(
		*state, OWNER_RULES,
		"TEST==\"device/power/pm_qos_latency_tolerance_us\", ATTR{device/power/pm_qos_latency_tolerance_us}=\"0\"\n");
	assert_null(strstr(file_text(*state, OWNER_RULES), "set-feature"));
	assert_string_equal(file_text(*state, OWNER_OPTIONS), "");
}

static void rules_of_functions_are_by_class_and_name_no_address(void **state)
{
	plan(*state, LINES("[drives]", "power.runtime = auto",
			   "power.d3cold = forbidden"));
	assert_int_equal(change(*state, "power.runtime@nvme0")->verdict,
			 VERDICT_CHANGE);
	assert_int_equal(change(*state, "power.d3cold@nvme0")->want.u.number,
			 0);
	expect_line(
		*state, OWNER_RULES,
		"TEST==\"device/power/control\", ATTR{device/power/control}=\"auto\"\n");
	expect_line(
		*state, OWNER_RULES,
		"TEST==\"device/d3cold_allowed\", ATTR{device/d3cold_allowed}=\"0\"\n");
	assert_null(strstr(file_text(*state, OWNER_RULES), "0000:"));
}

static void aspm_is_every_state_that_the_link_has(void **state)
{
	struct fixture *f = *state;

	add_aspm(f, "clkpm", 1);
	add_aspm(f, "l1_aspm", 1);
	add_aspm(f, "l1_2_aspm", 1);
	plan_drive(f, "power.aspm = off", "power.aspm@nvme0");
	assert_int_equal(f->plan.changes.n, 2);
	assert_int_equal(change(f, "power.aspm_l1_2@nvme0")->verdict,
			 VERDICT_CHANGE);
	expect_line(f, OWNER_RULES, "ATTR{device/link/l1_aspm}=\"0\"");
	/* For the drive that comes tomorrow. */
	expect_line(f, OWNER_RULES, "ATTR{device/link/l0s_aspm}=\"0\"");
	assert_non_null(
		strstr(file_text(f, OWNER_APPLIED), "power.aspm = off\n"));
	assert_null(strstr(file_text(f, OWNER_APPLIED), "power.aspm_"));
}

static void a_state_of_its_own_counts_for_more(void **state)
{
	struct fixture *f = *state;

	add_aspm(f, "l1_aspm", 1);
	add_aspm(f, "l1_2_aspm", 1);
	for (int i = 0; i < 2; i++) {
		plan(f, i ? LINES("[drives]", "power.aspm = on",
				  "power.aspm_l1_2 = off") :
			    LINES("[drives]", "power.aspm_l1_2 = off",
				  "power.aspm = on"));
		assert_int_equal(change(f, "power.aspm@nvme0")->verdict,
				 VERDICT_KEEP);
		assert_int_equal(change(f, "power.aspm_l1_2@nvme0")->verdict,
				 VERDICT_CHANGE);
	}
}

static void who_owns_the_link_is_the_reason(void **state)
{
	struct fixture *f = *state;
	struct ctrl *ctrl = &f->facts->ctrls.items[0];
	const struct change *it;

	/* Field case B2, and a kernel that was told so. */
	it = plan_drive(f, "power.aspm = off", "power.aspm@nvme0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	assert_string_equal(
		it->reason,
		"the kernel shows no power states of this link: the firmware keeps ASPM to itself, or one end has none");
	*vec_add(f->arena, &f->facts->log) =
		(struct log_count){ .kind = "aspm-firmware", .count = 1 };
	it = plan_drive(f, "power.aspm = off", "power.aspm@nvme0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	assert_string_equal(
		it->reason,
		"the firmware keeps ASPM to itself, says the kernel's log: no link can be set from here");
	see(f, TARGET_HOST, "host", "pcie.aspm_policy",
	    "[default] performance powersave", "default performance powersave");
	it = plan_host(f, "pcie.aspm_policy = performance",
		       "pcie.aspm_policy@host");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	f->facts->cmdline = "quiet pcie_aspm=force";
	it = plan_host(f, "pcie.aspm_policy = performance",
		       "pcie.aspm_policy@host");
	assert_int_equal(it->verdict, VERDICT_CHANGE);
	f->facts->observed.n = 0;
	f->facts->cmdline = "quiet pcie_aspm=off iommu=pt";
	it = plan_drive(f, "power.aspm = off", "power.aspm@nvme0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	assert_string_equal(
		it->reason,
		"the kernel was told not to touch ASPM (pcie_aspm=off): what the firmware left stays");
	it = plan_host(f, "pcie.aspm_policy = performance",
		       "pcie.aspm_policy@host");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	/* "pcie_aspm=offline" and the like are none of it. */
	f->facts->cmdline = "xpcie_aspm=off pcie_aspm=offline";
	ctrl->port.width = num_unknown(ENOENT);
	it = plan_drive(f, "power.aspm = off", "power.aspm@nvme0");
	assert_int_equal(it->verdict, VERDICT_KEEP);
	assert_string_equal(
		it->reason,
		"not applicable: no port is seen above the drive, and so no link that could save power");
	ctrl->port.width = num_known(4);
	add_aspm(f, "l0s_aspm", 0);
	it = plan_drive(f, "power.aspm = off", "power.aspm@nvme0");
	assert_int_equal(it->verdict, VERDICT_KEEP);
	it = plan_drive(f, "power.aspm = on", "power.aspm@nvme0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
}

static void the_policy_is_kept_by_the_command_line_alone(void **state)
{
	struct fixture *f = *state;
	const struct change *it;

	add_aspm(f, "l1_aspm", 0);
	/* Before L1 substates there were three words. */
	see(f, TARGET_HOST, "host", "pcie.aspm_policy",
	    "[default] performance powersave", "default performance powersave");
	it = plan_host(f, "pcie.aspm_policy = performance",
		       "pcie.aspm_policy@host");
	assert_int_equal(it->verdict, VERDICT_CHANGE);
	assert_int_equal(it->persistence, PERSIST_CANNOT);
	assert_non_null(strstr(it->persist_reason, "pcie_aspm.policy="));
	it = plan_host(f, "pcie.aspm_policy = powersupersave",
		       "pcie.aspm_policy@host");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	f->facts->cmdline = "ro pcie_aspm.policy=performance";
	it = plan_host(f, "pcie.aspm_policy = performance",
		       "pcie.aspm_policy@host");
	assert_int_equal(it->persistence, PERSIST_KERNEL);
	/* A link cannot be on under the policy that comes with it. */
	plan(f, LINES("[host]", "pcie.aspm_policy = performance", "[drives]",
		      "power.aspm = on"));
	it = change(f, "power.aspm@nvme0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	assert_string_equal(
		it->reason,
		"the policy \"performance\" keeps every link awake: see pcie.aspm_policy");
}

static void a_governor_is_one_that_the_driver_offers(void **state)
{
	struct fixture *f = *state;
	const struct change *it;

	see(f, TARGET_CPUS, "policy0", "cpu.governor", "powersave",
	    "performance powersave");
	it = plan_host(f, "cpu.governor = performance", "cpu.governor@policy0");
	assert_int_equal(it->verdict, VERDICT_CHANGE);
	assert_int_equal(it->persistence, PERSIST_RULE);
	expect_line(
		f, OWNER_RULES,
		"TEST==\"cpufreq/scaling_governor\", ATTR{cpufreq/scaling_governor}=\"performance\"\n");
	it = plan_host(f, "cpu.governor = schedutil", "cpu.governor@policy0");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	assert_string_equal(
		it->reason,
		"this kernel does not offer schedutil for these CPUs: it offers performance powersave");
}

static void a_guest_has_no_governor_and_misses_none(void **state)
{
	struct fixture *f = *state;
	const struct change *it;

	f->facts->cpu_policies.n = 0;
	f->facts->hypervisor = "kvm";
	it = plan_host(f, "cpu.governor = performance", "cpu.governor@cpufreq");
	assert_int_equal(it->verdict, VERDICT_KEEP);
	assert_string_equal(
		it->reason,
		"not applicable: the frequency of a guest's CPUs is the hypervisor's");
}

static void the_policy_of_paths_is_told_to_be_idle_with_one(void **state)
{
	struct fixture *f = *state;
	const struct change *it = plan_host(f,
					    "subsystem.iopolicy = round-robin",
					    "subsystem.iopolicy@nvme-subsys0");

	assert_int_equal(it->verdict, VERDICT_CHANGE);
	assert_string_equal(it->note,
			    "one path: there is nothing to choose from yet");
	expect_line(f, OWNER_RULES, "ATTR{subsystype}!=\"nvm\"");
	expect_line(f, OWNER_RULES, "ATTR{iopolicy}=\"round-robin\"\n");
	f->facts->subsystems.items[0].iopolicy = NULL;
	it = plan_host(f, "subsystem.iopolicy = numa",
		       "subsystem.iopolicy@nvme-subsys0");
	assert_int_equal(it->verdict, VERDICT_KEEP);
}

static void balancing_is_kept_by_sysctl(void **state)
{
	struct fixture *f = *state;
	const struct change *it;

	see(f, TARGET_HOST, "host", "kernel.numa_balancing", "1", NULL);
	it = plan_host(f, "kernel.numa_balancing = 0",
		       "kernel.numa_balancing@host");
	assert_int_equal(it->verdict, VERDICT_CHANGE);
	assert_int_equal(it->persistence, PERSIST_SYSCTL);
	assert_null(it->note);
	expect_line(f, OWNER_SYSCTL, "\nkernel.numa_balancing = 0\n");
	f->facts->nodes.n = 1;
	it = plan_host(f, "kernel.numa_balancing = 0",
		       "kernel.numa_balancing@host");
	assert_non_null(it->note);
}

static void a_kernel_without_balancing_has_it_off(void **state)
{
	struct fixture *f = *state;
	const struct change *it;

	see(f, TARGET_HOST, "host", "kernel.numa_balancing", NULL, NULL);
	it = plan_host(f, "kernel.numa_balancing = 0",
		       "kernel.numa_balancing@host");
	assert_int_equal(it->verdict, VERDICT_KEEP);
	it = plan_host(f, "kernel.numa_balancing = 1",
		       "kernel.numa_balancing@host");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	assert_string_equal(it->reason,
			    "this kernel does not balance memory over nodes");
}

static void words_are_legal_and_listed(void **state)
{
	const char *param;
	const struct knob *knob =
		knob_set_find(knobs_all(), "power.apst", &param);
	struct value value;
	struct err err;

	(void)state;
	assert_true(knob_parse(knob, NULL, "never", &value, &err) < 0);
	assert_string_equal(
		err.text,
		"power.apst: \"never\" is not a number: legal is 0..2147483647 us, off, default, no-deepest-state or keep");
	knob = knob_set_find(knobs_all(), "power.aspm", &param);
	assert_int_equal(knob_parse(knob, NULL, "on", &value, &err), 0);
	assert_int_equal(value.u.number, 1);
	assert_true(knob_parse(knob, NULL, "default", &value, &err) < 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* A word that the module does not know keeps it from loading. */
static void a_policy_is_one_that_the_module_names(void **state)
{
	static const char line[] = "module.nvme_core.iopolicy = queue-depth";
	struct fixture *f = *state;
	struct module *module = &f->facts->modules.items[1];
	struct module_param *param = vec_add(f->arena, &module->params);
	const struct change *it;

	*param = (struct module_param){
		.name = "iopolicy",
		.live = "numa",
		.description =
			"Default multipath I/O policy; 'numa' (default), 'round-robin' or 'queue-depth'",
	};
	it = plan_host(f, line, "module.nvme_core.iopolicy");
	assert_int_equal(it->verdict, VERDICT_LATER);
	expect_line(f, OWNER_OPTIONS,
		    "options nvme_core iopolicy=queue-depth\n");

	param->description =
		"Default multipath I/O policy; 'numa' (default) or 'round-robin'";
	it = plan_host(f, line, "module.nvme_core.iopolicy");
	assert_int_equal(it->verdict, VERDICT_CANNOT);
	assert_string_equal(
		it->reason,
		"nvme_core of kernel 6.1.0-53-amd64 does not name queue-depth among its policies, and would not load with it");
	it = plan_host(f, "module.nvme_core.iopolicy = round-robin",
		       "module.nvme_core.iopolicy");
	assert_int_equal(it->verdict, VERDICT_LATER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_latency_is_explained_by_the_states_that_it_keeps),
		TEST(the_deepest_state_is_that_of_each_drive),
		TEST(a_drive_without_transitions_is_no_failure),
		TEST(no_limit_is_the_number_that_brings_it_back),
		TEST(a_rule_sets_the_latency_again_when_a_disk_comes),
		TEST(rules_of_functions_are_by_class_and_name_no_address),
		TEST(aspm_is_every_state_that_the_link_has),
		TEST(a_state_of_its_own_counts_for_more),
		TEST(who_owns_the_link_is_the_reason),
		TEST(the_policy_is_kept_by_the_command_line_alone),
		TEST(a_governor_is_one_that_the_driver_offers),
		TEST(a_guest_has_no_governor_and_misses_none),
		TEST(the_policy_of_paths_is_told_to_be_idle_with_one),
		TEST(balancing_is_kept_by_sysctl),
		TEST(a_kernel_without_balancing_has_it_off),
		TEST(words_are_legal_and_listed),
		TEST(a_policy_is_one_that_the_module_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

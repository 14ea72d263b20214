/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Kernels that say no, each in its own way, and a profile that goes on.
 */
#include "tree.h"

#include "knobs/knob_list.h"
#include "write/execute.h"

#define PCI "sys/class/nvme/nvme0/device"
#define SUBSYSTEM "sys/class/nvme-subsystem/nvme-subsys0"
#define POLICY "sys/module/pcie_aspm/parameters/policy"
#define BALANCING "proc/sys/kernel/numa_balancing"

struct fixture {
	struct tree *tree;
	struct strbuf talk;
};

/* What the kernel makes of a write: an error, nothing at all, or the value. */
static ssize_t kernel_write(void *data, int fd, const char *path,
			    const char *text, size_t n)
{
	(void)data;
	if (strstr(path, "iopolicy") && strstr(text, "queue-depth"))
		return -EINVAL; /* before 6.11 */
	if (strstr(path, "policy") && strstr(path, "aspm"))
		return -EPERM; /* the firmware owns it */
	if (strstr(path, "l1_aspm"))
		return (ssize_t)n; /* the policy does not allow it */
	if (ftruncate(fd, 0) < 0)
		return -errno;
	return pwrite(fd, text, n, 0);
}

static int set_up(void **state)
{
	const struct sysroot_hooks hooks = { .write = kernel_write };
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->tree = tree_new();
	tree_put(f->tree, "sys/class/nvme/nvme0/subsysnqn", "nqn.lab\n");
	tree_put(f->tree, "sys/class/nvme/nvme0/cntlid", "1\n");
	tree_put(f->tree, PCI "/link/l1_aspm", "0\n");
	tree_put(f->tree, SUBSYSTEM "/subsysnqn", "nqn.lab\n");
	tree_put(f->tree, SUBSYSTEM "/iopolicy", "numa\n");
	tree_put(f->tree, POLICY, "[default] performance powersave\n");
	tree_put(f->tree, BALANCING, "1\n");
	sysroot_set_hooks(f->tree->root, &hooks);
	strbuf_init(&f->talk, f->tree->arena);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	tree_free(f->tree);
	free(f);
	return 0;
}

static void hear(void *data, const struct execute_event *event)
{
	static const char *const names[] = { "done", "refused", "failed" };
	struct fixture *f = data;

	strbuf_printf(&f->talk, "%s %s: %s\n", names[event->what],
		      event->step->key, event->why ? event->why : "");
}

static struct value word(const char *text)
{
	struct value value;

	assert_true(value_text(text, &value));
	return value;
}

static struct execute_result run(struct fixture *f, struct plan *plan)
{
	const struct execute_input input = {
		.root = f->tree->root,
		.plan = plan,
		.head = { .profile = "test", .boot_id = "boot-1" },
		.plan_json = "{}\n",
		.facts_json = "{}\n",
		.values = true,
		.tell = hear,
		.data = f,
	};
	struct execute_result result;
	struct err err = { 0 };

	if (execute_plan(f->tree->arena, &input, &result, &err) < 0)
		fail_msg("%s", err.text);
	return result;
}

static void expect_text(struct fixture *f, const char *path, const char *want)
{
	char now[64];

	assert_true(sysroot_read(f->tree->root, path, now, sizeof(now)) > 0);
	assert_string_equal(now, want);
}

static const struct target host = { TARGET_HOST, "host", "", "host" };

static void what_a_kernel_refuses_stays_and_the_rest_is_done(void **state)
{
	struct fixture *f = *state;
	struct change changes[] = {
		{ .key = "subsystem.iopolicy",
		  .knob = &knob_subsystem_iopolicy,
		  .target = { TARGET_SUBSYSTEM, "nvme-subsys0", SUBSYSTEM,
			      "nqn.lab" },
		  .have = word("numa"),
		  .want = word("queue-depth") },
		{ .key = "pcie.aspm_policy",
		  .knob = &knob_pcie_aspm_policy,
		  .target = host,
		  .have = word("default"),
		  .want = word("performance") },
		{ .key = "power.aspm",
		  .knob = &knob_power_aspm,
		  .target = { TARGET_FUNCTION, "nvme0", PCI, "nqn.lab/1" },
		  .have = value_uint(0),
		  .want = value_uint(1) },
		{ .key = "kernel.numa_balancing",
		  .knob = &knob_kernel_numa_balancing,
		  .target = host,
		  .have = value_uint(1),
		  .want = value_uint(0) },
	};
	const size_t n = sizeof(changes) / sizeof(changes[0]);
	struct plan plan = { .changes = { changes, n, n } };
	struct execute_result result;

	for (size_t i = 0; i < n; i++)
		changes[i].verdict = VERDICT_CHANGE;
	result = run(f, &plan);
	assert_int_equal(result.changed, 1);
	assert_int_equal(result.refused, 3);
	assert_int_equal(result.failed, 0);
	assert_string_equal(
		f->talk.text,
		"refused subsystem.iopolicy: nvme-subsys0: subsystem.iopolicy: cannot write \"queue-depth\": Invalid argument\n"
		"refused pcie.aspm_policy: host: pcie.aspm_policy: cannot write \"performance\": Operation not permitted\n"
		"refused power.aspm: nvme0: power.aspm: wrote \"1\" without an error, but it reads \"0\"\n"
		"done kernel.numa_balancing: \n");
	expect_text(f, SUBSYSTEM "/iopolicy", "numa\n");
	expect_text(f, PCI "/link/l1_aspm", "0\n");
	expect_text(f, BALANCING, "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			what_a_kernel_refuses_stays_and_the_rest_is_done,
			set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

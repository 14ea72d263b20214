/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "core/owner.h"
#include "core/stack.h"

static struct tree *tree;
static const struct facts *facts;

static int load(void **state)
{
	(void)state;
	tree = tree_load("two-nodes");
	facts = scanned(tree);
	return 0;
}

static int unload(void **state)
{
	(void)state;
	tree_free(tree);
	return 0;
}

static void kernel_and_distribution_are_known(void **state)
{
	(void)state;
	assert_string_equal(facts->hostname, "lab1");
	assert_string_equal(facts->kernel, "6.1.0-50-amd64");
	assert_string_equal(facts->machine, "x86_64");
	assert_string_equal(facts->os_id, "debian");
	assert_string_equal(facts->os_version, "12");
	assert_string_equal(facts->os_name, "Debian GNU/Linux 12 (bookworm)");
	assert_int_equal(strlen(facts->boot_id), 36);
	assert_null(facts->container);
	assert_string_equal(facts->initramfs_tool, "update-initramfs");
	assert_int_equal(num_or(facts->multipath, -1), 1);
	/* The CPU says "hypervisor", the firmware names none that we know. */
	assert_string_equal(facts->hypervisor, "unknown");
}

static void nodes_have_their_cpus_memory_and_distances(void **state)
{
	const struct node *node = facts_node(facts, 1);

	(void)state;
	assert_int_equal(facts->nodes.n, 2);
	assert_string_equal(cpus_of(tree, &node->cpus), "2-3");
	assert_int_equal(num_or(node->memory_kb, 0), 984000);
	assert_int_equal(node->distances.n, 2);
	assert_int_equal(node->distances.items[0], 21);
	assert_int_equal(node->distances.items[1], 10);
	assert_string_equal(cpus_of(tree, &facts->possible), "0-3");
	assert_string_equal(cpus_of(tree, &facts->allowed), "0-3");
	assert_true(cpuset_is_empty(&facts->isolated));
	assert_string_equal(facts->governor, "mixed");
	assert_string_equal(facts->iommu, "intel");
	assert_string_equal(facts->iommu_type, "DMA-FQ");
}

static void controller_is_described_without_padding(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme0");

	(void)state;
	assert_int_equal(facts->ctrls.n, 2);
	assert_string_equal(ctrl->model, "QEMU NVMe Ctrl");
	assert_string_equal(ctrl->serial, "LAB1");
	assert_string_equal(ctrl->firmware, "7.2.22");
	assert_string_equal(ctrl->nqn, "nqn.2019-08.org.qemu:LAB1");
	assert_string_equal(ctrl->subsystem, "nvme-subsys0");
	assert_string_equal(ctrl->address, "0000:41:00.0");
	assert_string_equal(ctrl->driver, "nvme");
	assert_string_equal(ctrl->iommu_type, "DMA-FQ");
	assert_string_equal(ctrl->runtime_pm, "on");
	assert_int_equal(num_or(ctrl->node, -1), 1);
	assert_int_equal(num_or(ctrl->sqsize, 0), 1023);
	assert_int_equal(num_or(ctrl->pm_qos_latency_us, 0), 100000);
	assert_int_equal(ctrl->pools.n, 2);
	assert_string_equal(ctrl->pools.items[1].name, "prp list page");
	assert_string_equal(facts->subsystems.items[0].type, "nvm");
	assert_string_equal(facts->subsystems.items[0].iopolicy, "numa");
}

static void no_limit_of_latency_is_the_kernels_largest(void **state)
{
	(void)state;
	assert_int_equal(num_or(facts_ctrl(facts, "nvme1")->pm_qos_latency_us,
				0),
			 INT32_MAX);
}

static void both_ends_of_the_link_are_seen(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme1");

	(void)state;
	assert_int_equal(num_or(ctrl->link.speed_mts, 0), 5000);
	assert_int_equal(num_or(ctrl->link.width, 0), 2);
	assert_int_equal(num_or(ctrl->link.max_speed_mts, 0), 16000);
	assert_int_equal(num_or(ctrl->link.max_width, 0), 4);
	assert_int_equal(num_or(ctrl->port.speed_mts, 0), 5000);
	assert_int_equal(num_or(ctrl->port.max_width, 0), 4);
	assert_int_equal(num_or(facts_ctrl(facts, "nvme0")->link.speed_mts, 0),
			 2500);
}

static void aspm_states_come_by_name(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme0");

	(void)state;
	assert_int_equal(ctrl->aspm.n, 2);
	assert_string_equal(ctrl->aspm.items[1].name, "l1_aspm");
	assert_int_equal(num_or(ctrl->aspm.items[1].value, -1), 1);
}

/* The emulated drive's table has 65 entries; the driver uses six. */
static void msix_table_is_found_behind_other_capabilities(void **state)
{
	(void)state;
	assert_int_equal(num_or(facts_ctrl(facts, "nvme0")->msix_size, 0), 65);
}

/* write_queues=1 poll_queues=1 on four CPUs, as the kernel's log had it. */
static void split_is_read_from_the_cpu_maps(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme0");

	(void)state;
	assert_int_equal(num_or(ctrl->queue_count, -1), 7);
	assert_int_equal(num_or(ctrl->queues_default, -1), 1);
	assert_int_equal(num_or(ctrl->queues_read, -1), 4);
	assert_int_equal(num_or(ctrl->queues_poll, -1), 1);
}

static void vectors_are_in_order_and_all_but_the_first_are_managed(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme0");

	(void)state;
	assert_int_equal(ctrl->vectors.n, 6);
	for (size_t i = 0; i < 6; i++) {
		const struct vector *vector = &ctrl->vectors.items[i];

		assert_int_equal(num_or(vector->queue, -1), i);
		assert_int_equal(num_or(vector->managed, -1), i > 0);
		assert_false(cpuset_is_empty(&vector->mask));
		assert_int_equal(cpuset_count(&vector->effective), 1);
	}
	assert_true(num_or(ctrl->vectors.items[0].count, 0) > 0);
}

static void disk_has_its_partitions_and_users(void **state)
{
	const struct ns *ns = facts_ns(facts, "nvme0n1");

	(void)state;
	assert_int_equal(ns->kind, NS_PLAIN);
	assert_string_equal(ns->ctrl, "nvme0");
	assert_string_equal(ns->dev, "259:1");
	assert_int_equal(num_or(ns->size_bytes, 0), 268435456);
	assert_int_equal(ns->partitions.n, 2);
	assert_string_equal(ns->partitions.items[1].name, "nvme0n1p2");
	assert_int_equal(num_or(ns->partitions.items[1].size_bytes, 0),
			 131072 * 512);
	assert_string_equal(mounts_of(tree, ns),
			    "nvme0n1p1 ext4 /srv/data base\n");
	assert_int_equal(ns->swaps.n, 1);
	assert_string_equal(ns->swaps.items[0], "nvme0n1p2");
}

static void users_are_found_through_md_and_lvm(void **state)
{
	const struct ns *ns = facts_ns(facts, "nvme1n1");

	(void)state;
	assert_int_equal(ns->holders.n, 2);
	assert_string_equal(ns->holders.items[0], "md0");
	assert_string_equal(ns->holders.items[1], "dm-0");
	assert_string_equal(mounts_of(tree, ns), "dm-0 xfs /var/lib/pg\n");
	assert_int_equal(ns->swaps.n, 0);
}

static struct stack resolved(const char *name)
{
	struct stack stack = { 0 };
	struct err err = { 0 };

	if (stack_resolve(tree->arena, facts, name, &stack, &err) < 0)
		fail_msg("%s", err.text);
	return stack;
}

static void layers_and_mount_points_lead_down_to_drives(void **state)
{
	const struct stack stack = resolved("/var/lib/pg/base");

	(void)state;
	assert_string_equal(
		stack.text,
		"vg-data (LVM) on md0 (raid1) on nvme1n1, sda (no NVMe)");
	assert_int_equal(stack.leaves.n, 1);
	assert_string_equal(stack.leaves.items[0].ns->name, "nvme1n1");
	assert_string_equal(resolved("/srv/data base/x").text, "nvme0n1p1");
	assert_string_equal(resolved("/srv/bind/x").text, "nvme0n1p1");
	assert_string_equal(resolved("/home/x").text, stack.text);
	assert_int_equal(facts->mount_points.n, 5); /* /run, but not /proc */
}

static void knobs_are_observed_on_each_disk(void **state)
{
	const struct observation *it =
		observed(tree, facts, "queue.scheduler", "nvme0n1");

	(void)state;
	assert_string_equal(it->value.u.text, "mq-deadline");
	assert_string_equal(it->choices, "mq-deadline none");
	it = observed(tree, facts, "queue.nr_requests", "nvme1n1");
	assert_int_equal(it->value.u.number, 512);
	assert_null(it->choices);
	it = observed(tree, facts, "queue.read_ahead_kb", "nvme1n1");
	assert_int_equal(it->value.u.number, 128);
	assert_int_equal(facts->observed.n, 8);
}

static void options_end_with_those_of_the_command_line(void **state)
{
	const struct module_option *it = facts->options.items;

	(void)state;
	assert_int_equal(facts->options.n, 4);
	assert_string_equal(it[0].param, "write_queues");
	assert_string_equal(it[0].file, "/etc/modprobe.d/nvme.conf");
	assert_int_equal(it[0].line, 2);
	assert_string_equal(it[1].param, "poll_queues");
	assert_string_equal(it[2].module, "nvme_core");
	assert_string_equal(it[2].param, "io_timeout");
	assert_string_equal(it[2].value, "60");
	assert_string_equal(it[2].file, "/proc/cmdline");
	assert_string_equal(it[3].module, "nvme_core");
	assert_string_equal(it[3].param, "max_retries");
}

static void rule_for_other_disks_is_not_about_these(void **state)
{
	(void)state;
	assert_int_equal(facts->rules.n, 1);
	assert_string_equal(facts->rules.items[0].file,
			    "/etc/udev/rules.d/60-leftover.rules");
	assert_int_equal(facts->rules.items[0].line, 2);
	assert_string_equal(facts->rules.items[0].attr, "queue/scheduler");
	assert_string_equal(facts->rules.items[0].value, "mq-deadline");
}

static void own_files_are_there_or_known_to_be_absent(void **state)
{
	(void)state;
	assert_int_equal(facts->own_files.n, 6);
	assert_string_equal(facts->own_files.items[0].path, OWNER_RULES);
	assert_int_equal(num_or(facts->own_files.items[0].present, -1), 0);
	assert_null(facts->own_files.items[0].content);
	assert_int_equal(num_or(facts->own_files.items[3].present, -1), 1);
	assert_string_equal(facts->own_files.items[3].content,
			    "[profile]\nsummary = nothing\n");
}

static void services_run_stand_still_or_are_not_installed(void **state)
{
	const struct service *it = facts->services.items;

	(void)state;
	assert_int_equal(facts->services.n, 3);
	assert_string_equal(it[0].name, "irqbalance");
	assert_string_equal(it[0].state, "running");
	assert_string_equal(it[1].name, "tuned");
	assert_string_equal(it[1].state, "stopped");
	assert_string_equal(it[1].detail, "throughput-performance");
	assert_string_equal(it[2].state, "absent");
}

static void drives_of_other_drivers_are_named(void **state)
{
	(void)state;
	assert_int_equal(facts->unmanaged.n, 2);
	assert_string_equal(facts->unmanaged.items[0].address, "0000:81:00.0");
	assert_string_equal(facts->unmanaged.items[0].driver, "vfio-pci");
	assert_string_equal(facts->unmanaged.items[1].address, "0000:82:00.0");
	assert_null(facts->unmanaged.items[1].driver);
}

static void md_recovery_is_a_job_and_aer_counters_are_kept(void **state)
{
	(void)state;
	assert_int_equal(facts->jobs.n, 1);
	assert_string_equal(facts->jobs.items[0], "md0: recovery 12.6%");
	assert_string_equal(log_of(tree, facts), "nvme0 aer-correctable 3\n");
}

static void what_a_tree_cannot_show_is_said_once(void **state)
{
	(void)state;
	assert_string_equal(
		blind_of(tree, facts),
		"modinfo of nvme_core was not found: parameters that sysfs does not show are unknown\n"
		"modinfo of nvme was not found: parameters that sysfs does not show are unknown\n"
		"identify, features and SMART need the live host\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_and_distribution_are_known),
		cmocka_unit_test(nodes_have_their_cpus_memory_and_distances),
		cmocka_unit_test(controller_is_described_without_padding),
		cmocka_unit_test(no_limit_of_latency_is_the_kernels_largest),
		cmocka_unit_test(both_ends_of_the_link_are_seen),
		cmocka_unit_test(aspm_states_come_by_name),
		cmocka_unit_test(msix_table_is_found_behind_other_capabilities),
		cmocka_unit_test(split_is_read_from_the_cpu_maps),
		cmocka_unit_test(
			vectors_are_in_order_and_all_but_the_first_are_managed),
		cmocka_unit_test(disk_has_its_partitions_and_users),
		cmocka_unit_test(users_are_found_through_md_and_lvm),
		cmocka_unit_test(layers_and_mount_points_lead_down_to_drives),
		cmocka_unit_test(knobs_are_observed_on_each_disk),
		cmocka_unit_test(options_end_with_those_of_the_command_line),
		cmocka_unit_test(rule_for_other_disks_is_not_about_these),
		cmocka_unit_test(own_files_are_there_or_known_to_be_absent),
		cmocka_unit_test(services_run_stand_still_or_are_not_installed),
		cmocka_unit_test(drives_of_other_drivers_are_named),
		cmocka_unit_test(
			md_recovery_is_a_job_and_aer_counters_are_kept),
		cmocka_unit_test(what_a_tree_cannot_show_is_said_once),
	};

	return cmocka_run_group_tests(tests, load, unload);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "probe/probe.h"

static void multipath_head_and_paths_are_told_apart(void **state)
{
	struct tree *tree = tree_load("multipath");
	const struct facts *facts = scanned(tree);
	const struct ns *head = facts_ns(facts, "nvme0n1");
	const struct ns *path = facts_ns(facts, "nvme0c1n1");

	(void)state;
	assert_int_equal(facts->namespaces.n, 3);
	assert_int_equal(head->kind, NS_HEAD);
	assert_null(head->ctrl);
	assert_string_equal(head->subsystem, "nvme-subsys0");
	assert_int_equal(num_or(head->has_mq, -1), 0);
	assert_int_equal(path->kind, NS_PATH);
	assert_string_equal(path->ctrl, "nvme1");
	assert_string_equal(path->head, "nvme0n1");
	assert_null(path->dev);
	assert_int_equal(num_or(path->has_mq, -1), 1);
	assert_int_equal(num_or(facts_ns_ctrl(facts, path)->node, -1), 1);
	tree_free(tree);
}

static void queue_knobs_are_observed_on_paths_and_disk_knobs_on_heads(void **s)
{
	struct tree *tree = tree_load("multipath");
	const struct facts *facts = scanned(tree);

	(void)s;
	assert_null(observed(tree, facts, "queue.scheduler", "nvme0n1"));
	assert_string_equal(observed(tree, facts, "queue.scheduler",
				     "nvme0c1n1")
				    ->value.u.text,
			    "none");
	assert_non_null(
		observed(tree, facts, "queue.read_ahead_kb", "nvme0n1"));
	assert_null(observed(tree, facts, "queue.read_ahead_kb", "nvme0c1n1"));
	tree_free(tree);
}

/* Two maps; that the second polls only io_poll tells. */
static void second_map_of_a_polling_disk_is_for_polling(void **state)
{
	struct tree *tree = tree_load("multipath");
	const struct ctrl *ctrl = facts_ctrl(scanned(tree), "nvme0");

	(void)state;
	assert_int_equal(num_or(ctrl->queues_default, -1), 4);
	assert_int_equal(num_or(ctrl->queues_read, -1), 0);
	assert_int_equal(num_or(ctrl->queues_poll, -1), 1);
	tree_free(tree);
}

static void mode_of_the_file_says_managed_on_new_kernels(void **state)
{
	struct tree *tree = tree_load("multipath");
	const struct ctrl *ctrl = facts_ctrl(scanned(tree), "nvme0");

	(void)state;
	assert_int_equal(ctrl->vectors.n, 5);
	assert_int_equal(num_or(ctrl->vectors.items[0].managed, -1), 0);
	assert_int_equal(num_or(ctrl->vectors.items[4].managed, -1), 1);
	tree_free(tree);
}

static void host_without_nvme_has_no_controllers_and_no_complaint(void **state)
{
	struct tree *tree = tree_load("no-nvme");
	const struct facts *facts = scanned(tree);

	(void)state;
	assert_int_equal(facts->ctrls.n, 0);
	assert_int_equal(facts->namespaces.n, 0);
	assert_int_equal(facts->unmanaged.n, 0);
	assert_string_equal(facts_module(facts, "nvme")->state, "absent");
	assert_string_equal(blind_of(tree, facts), "");
	assert_int_equal(facts->nodes.n, 0);
	assert_false(facts->multipath.known);
	tree_free(tree);
}

static void empty_root_is_a_host_of_which_nothing_is_known(void **state)
{
	struct tree *tree = tree_new();
	const struct facts *facts = scanned(tree);

	(void)state;
	assert_null(facts->kernel);
	assert_null(facts->cmdline);
	assert_null(facts->hypervisor);
	assert_true(cpuset_is_empty(&facts->possible));
	assert_int_equal(facts->ctrls.n, 0);
	tree_free(tree);
}

static void put_port(struct tree *tree, const char *dir, const char *speed,
		     const char *width)
{
	tree_put(tree, arena_printf(tree->arena, "%s/current_link_speed", dir),
		 speed);
	tree_put(tree, arena_printf(tree->arena, "%s/current_link_width", dir),
		 width);
}

/* Two drives below one switch: drive, port, switch, root port, root bus. */
static void path_to_the_root_has_each_port_of_a_switch(void **state)
{
#define ROOT_PORT "sys/devices/pci0000:40/0000:40:01.1"
#define UPPER ROOT_PORT "/0000:41:00.0"
	static const char *const drives[] = { UPPER
					      "/0000:42:00.0/0000:43:00.0",
					      UPPER
					      "/0000:42:01.0/0000:44:00.0" };
	struct tree *tree = tree_new();
	const struct facts *found;

	(void)state;
	put_port(tree, ROOT_PORT, "16.0 GT/s PCIe", "8");
	put_port(tree, UPPER, "16.0 GT/s PCIe", "8");
	put_port(tree, UPPER "/0000:42:00.0", "8.0 GT/s PCIe", "4");
	put_port(tree, UPPER "/0000:42:01.0", "16.0 GT/s PCIe", "2");
	for (int i = 0; i < 2; i++) {
		const char *dir = arena_printf(tree->arena, "%s/nvme/nvme%d",
					       drives[i], i);

		tree_put(tree, arena_printf(tree->arena, "%s/transport", dir),
			 "pcie");
		tree_link(tree, arena_printf(tree->arena, "%s/device", dir),
			  "../..");
		tree_link(tree,
			  arena_printf(tree->arena, "sys/class/nvme/nvme%d", i),
			  arena_printf(tree->arena, "../../../%s", dir));
	}
	found = scanned(tree);
	assert_int_equal(found->ctrls.n, 2);
	VEC_EACH(&found->ctrls, struct ctrl, ctrl) {
		assert_int_equal(ctrl->path.n, 3);
		assert_string_equal(ctrl->path.items[1].address,
				    "0000:41:00.0");
		assert_int_equal(num_or(ctrl->path.items[1].link.width, 0), 8);
		assert_string_equal(ctrl->path.items[2].address,
				    "0000:40:01.1");
		assert_int_equal(num_or(ctrl->port.speed_mts, 0),
				 ctrl->path.items[0].link.speed_mts.value);
	}
	assert_string_equal(found->ctrls.items[1].path.items[0].address,
			    "0000:42:01.0");
	assert_int_equal(num_or(found->ctrls.items[1].port.width, 0), 2);
	tree_free(tree);
}

static struct tree *odd;
static const struct facts *facts;

static int load_odd(void **state)
{
	(void)state;
	odd = tree_load("odd");
	facts = scanned(odd);
	return 0;
}

static int unload_odd(void **state)
{
	(void)state;
	tree_free(odd);
	return 0;
}

static void unknown_node_is_never_node_0(void **state)
{
	const struct num node = facts_ctrl(facts, "nvme0")->node;

	(void)state;
	assert_false(node.known);
	assert_int_equal(node.why, ENODATA);
	assert_false(facts_ctrl(facts, "nvme2")->node.known);
}

static void line_interrupt_is_a_vector_that_is_not_managed(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme0");

	(void)state;
	assert_int_equal(ctrl->vectors.n, 1);
	assert_int_equal(ctrl->vectors.items[0].irq, 24);
	assert_int_equal(num_or(ctrl->vectors.items[0].queue, -1), 0);
	assert_int_equal(num_or(ctrl->vectors.items[0].managed, -1), 0);
	assert_int_equal(num_or(ctrl->vectors.items[0].count, -1), 7);
	assert_int_equal(ctrl->vectors.items[0].node.why, ENODATA);
}

static void link_of_a_drive_on_the_root_bus_has_no_port(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme0");

	(void)state;
	assert_int_equal(num_or(ctrl->link.speed_mts, 0), 8000);
	assert_int_equal(num_or(ctrl->link.max_speed_mts, 0), 8000);
	assert_int_equal(ctrl->link.max_width.why, ENODATA);
	assert_false(ctrl->port.speed_mts.known);
}

/* 64 bytes of configuration space are all that others than root get. */
static void size_of_the_msix_table_needs_root(void **state)
{
	(void)state;
	assert_int_equal(facts_ctrl(facts, "nvme0")->msix_size.why, EACCES);
	assert_non_null(strstr(blind_of(odd, facts),
			       "sizes of MSI-X tables need root\n"));
}

static void one_queue_for_all_cpus_is_a_whole_map(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme0");
	const struct ns *ns = facts_ns(facts, "nvme0n1");

	(void)state;
	assert_int_equal(num_or(ctrl->queues_default, -1), 1);
	assert_int_equal(num_or(ctrl->queues_poll, -1), 0);
	assert_int_equal(ns->hw_queues.n, 1);
	assert_string_equal(cpus_of(odd, &ns->hw_queues.items[0].cpus), "0-3");
}

static void value_that_is_no_number_is_unknown(void **state)
{
	const struct observation *it =
		observed(odd, facts, "queue.nr_requests", "nvme0n1");

	(void)state;
	assert_int_equal(it->value.type, VALUE_NONE);
	assert_int_equal(it->why, EBADMSG);
	it = observed(odd, facts, "queue.read_ahead_kb", "nvme0n1");
	assert_int_equal(it->why, ENOENT);
}

static void domain_of_five_digits_is_an_address(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme1");

	(void)state;
	assert_string_equal(ctrl->address, "10000:e1:00.0");
	assert_int_equal(num_or(ctrl->port.speed_mts, 0), 16000);
	assert_int_equal(ctrl->link.speed_mts.why, ENODATA);
	assert_int_equal(ctrl->link.width.why, ENODATA);
}

static void vectors_are_found_where_msi_irqs_is_missing(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme1");

	(void)state;
	assert_int_equal(ctrl->vectors.n, 2);
	assert_int_equal(ctrl->vectors.items[0].irq, 129);
	assert_int_equal(num_or(ctrl->vectors.items[0].managed, -1), 0);
	assert_int_equal(ctrl->vectors.items[1].irq, 130);
	assert_int_equal(num_or(ctrl->vectors.items[1].managed, -1), 1);
	assert_false(ctrl->vectors.items[1].count.known);
}

static void garbage_from_a_resetting_drive_stays_text(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme2");

	(void)state;
	assert_string_equal(ctrl->state, "resetting");
	assert_string_equal(ctrl->model, "@\x1b[31m\xff");
	assert_int_equal(ctrl->mdts.why, EAGAIN);
	assert_int_equal(ctrl->smart.temperature_c.why, EAGAIN);
}

static void fabrics_controller_has_no_pci_facts(void **state)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme3");

	(void)state;
	assert_string_equal(ctrl->transport, "tcp");
	assert_null(ctrl->address);
	assert_false(ctrl->node.known);
	assert_int_equal(ctrl->vectors.n, 0);
}

static void controller_that_went_is_left_out(void **state)
{
	(void)state;
	assert_null(facts_ctrl(facts, "nvme10"));
	assert_int_equal(facts->ctrls.n, 4);
}

static void node_without_cpus_and_node_without_memory_stay(void **state)
{
	(void)state;
	assert_int_equal(facts->nodes.n, 2);
	assert_true(cpuset_is_empty(&facts_node(facts, 2)->cpus));
	assert_int_equal(num_or(facts_node(facts, 2)->memory_kb, -1), 4096);
	assert_int_equal(num_or(facts_node(facts, 0)->memory_kb, -1), 0);
}

static void builtin_module_is_one_without_initstate(void **state)
{
	(void)state;
	assert_string_equal(facts_module(facts, "nvme")->state, "builtin");
	assert_int_equal(num_or(facts->multipath, -1), 0);
}

static void quotes_of_os_release_are_not_part_of_it(void **state)
{
	(void)state;
	assert_string_equal(facts->os_name, "Lab \"one\"");
	assert_string_equal(facts->lockdown, "integrity");
}

static void zone_write_plugging_is_the_whole_symbol_or_nothing(void **state)
{
	struct tree *tree = tree_load("odd");

	(void)state;
	assert_int_equal(num_or(facts->zone_write_plugging, -1), 1);
	tree_put(tree, "proc/kallsyms", "0 T blk_zone_plug_bio_not\n");
	assert_int_equal(num_or(scanned(tree)->zone_write_plugging, -1), 0);
	tree_put(
		tree,
		"sys/devices/pci0000:00/0000:00:04.0/nvme/nvme0/nvme0n1/queue/zoned",
		"none\n");
	assert_false(scanned(tree)->zone_write_plugging.known);
	tree_free(tree);
}

/* More queues than CPUs: those that serve no CPU have no folder. */
static void queue_without_cpus_keeps_its_place_in_the_split(void **state)
{
	static const char mq[] =
		"sys/devices/pci0000:00/0000:00:04.0/nvme/nvme0/nvme0n1/mq";
	struct tree *tree = tree_load("odd");
	const struct ctrl *ctrl;

	(void)state;
	for (int i = 0; i < 4; i++) {
		tree_put(tree,
			 arena_printf(tree->arena, "%s/%d/cpu_list", mq, i),
			 arena_printf(tree->arena, "%d\n", i));
		tree_put(tree,
			 arena_printf(tree->arena, "%s/%d/cpu_list", mq, 6 + i),
			 arena_printf(tree->arena, "%d\n", i));
	}
	tree_put(
		tree,
		"sys/devices/pci0000:00/0000:00:04.0/nvme/nvme0/nvme0n1/queue/io_poll",
		"0\n");
	ctrl = facts_ctrl(scanned(tree), "nvme0");
	assert_int_equal(num_or(ctrl->queues_default, -1), 6);
	assert_int_equal(num_or(ctrl->queues_read, -1), 4);
	assert_int_equal(num_or(ctrl->queues_poll, -1), 0);
	tree_free(tree);
}

/*
 * Linux 6.12 with isolcpus=managed_irq,domain,3, write_queues=2 and
 * poll_queues=1, as a guest had it: CPU 3 is in no list, and the queue that
 * serves only it seems to serve none.
 */
static void put_isolated_queue(struct tree *tree, int index, const char *cpus,
			       const char *mask)
{
	static const char function[] = "sys/devices/pci0000:00/0000:00:04.0";
	const char *mq = arena_printf(
		tree->arena, "%s/nvme/nvme0/nvme0n1/mq/%d", function, index);
	int irq = 31 + index;

	tree_put(tree, arena_printf(tree->arena, "%s/cpu_list", mq), cpus);
	if (!mask)
		return;
	tree_put(tree,
		 arena_printf(tree->arena, "%s/msi_irqs/%d", function, irq),
		 "msix\n");
	tree_put(tree,
		 arena_printf(tree->arena, "sys/kernel/irq/%d/actions", irq),
		 arena_printf(tree->arena, "nvme0q%d\n", index + 1));
	tree_put(tree,
		 arena_printf(tree->arena, "proc/irq/%d/smp_affinity_list",
			      irq),
		 mask);
}

static void isolated_cpus_do_not_hide_the_split(void **state)
{
	static const struct {
		const char *cpus;
		const char *mask;
	} queues[] = {
		{ "0, 1\n", "0-1\n" }, { "2\n", "2-3\n" }, { "\n", "3\n" },
		{ "2\n", "2\n" },      { "0\n", "0\n" },   { "1\n", "1\n" },
		{ "0, 1, 2\n", NULL },
	};
	struct tree *tree = tree_load("odd");
	const struct ctrl *ctrl;

	(void)state;
	for (int i = 0; i < 7; i++)
		put_isolated_queue(tree, i, queues[i].cpus, queues[i].mask);
	tree_put(tree, "sys/devices/pci0000:00/0000:00:04.0/msi_irqs/30",
		 "msix\n");
	tree_put(tree, "sys/kernel/irq/30/actions", "nvme0q0\n");
	tree_put(tree, "sys/devices/system/cpu/isolated", "3\n");
	ctrl = facts_ctrl(scanned(tree), "nvme0");
	assert_int_equal(ctrl->vectors.n, 7);
	assert_int_equal(num_or(ctrl->queues_default, -1), 2);
	assert_int_equal(num_or(ctrl->queues_read, -1), 4);
	assert_int_equal(num_or(ctrl->queues_poll, -1), 1);
	tree_free(tree);
}

static void isolated_cpus_may_be_missing_from_every_list(void **state)
{
	struct tree *tree = tree_load("odd");
	const struct ctrl *ctrl;

	(void)state;
	put_isolated_queue(tree, 0, "0, 1\n", NULL);
	put_isolated_queue(tree, 1, "3\n", NULL);
	ctrl = facts_ctrl(scanned(tree), "nvme0"); /* CPU 2 is isolated */
	assert_int_equal(num_or(ctrl->queues_default, -1), 2);
	tree_free(tree);
}

static void maps_that_do_not_come_round_are_unknown(void **state)
{
	struct tree *tree = tree_load("odd");
	const struct ctrl *ctrl;

	(void)state;
	tree_put(
		tree,
		"sys/devices/pci0000:00/0000:00:04.0/nvme/nvme0/nvme0n1/mq/0/cpu_list",
		"0, 1\n");
	ctrl = facts_ctrl(scanned(tree), "nvme0");
	assert_false(ctrl->queues_default.known);
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(multipath_head_and_paths_are_told_apart),
		cmocka_unit_test(
			queue_knobs_are_observed_on_paths_and_disk_knobs_on_heads),
		cmocka_unit_test(second_map_of_a_polling_disk_is_for_polling),
		cmocka_unit_test(mode_of_the_file_says_managed_on_new_kernels),
		cmocka_unit_test(
			host_without_nvme_has_no_controllers_and_no_complaint),
		cmocka_unit_test(
			empty_root_is_a_host_of_which_nothing_is_known),
		cmocka_unit_test(unknown_node_is_never_node_0),
		cmocka_unit_test(
			line_interrupt_is_a_vector_that_is_not_managed),
		cmocka_unit_test(path_to_the_root_has_each_port_of_a_switch),
		cmocka_unit_test(link_of_a_drive_on_the_root_bus_has_no_port),
		cmocka_unit_test(size_of_the_msix_table_needs_root),
		cmocka_unit_test(one_queue_for_all_cpus_is_a_whole_map),
		cmocka_unit_test(value_that_is_no_number_is_unknown),
		cmocka_unit_test(domain_of_five_digits_is_an_address),
		cmocka_unit_test(vectors_are_found_where_msi_irqs_is_missing),
		cmocka_unit_test(garbage_from_a_resetting_drive_stays_text),
		cmocka_unit_test(fabrics_controller_has_no_pci_facts),
		cmocka_unit_test(controller_that_went_is_left_out),
		cmocka_unit_test(
			node_without_cpus_and_node_without_memory_stay),
		cmocka_unit_test(builtin_module_is_one_without_initstate),
		cmocka_unit_test(quotes_of_os_release_are_not_part_of_it),
		cmocka_unit_test(
			zone_write_plugging_is_the_whole_symbol_or_nothing),
		cmocka_unit_test(
			queue_without_cpus_keeps_its_place_in_the_split),
		cmocka_unit_test(isolated_cpus_do_not_hide_the_split),
		cmocka_unit_test(isolated_cpus_may_be_missing_from_every_list),
		cmocka_unit_test(maps_that_do_not_come_round_are_unknown),
	};

	return cmocka_run_group_tests(tests, load_odd, unload_odd);
}

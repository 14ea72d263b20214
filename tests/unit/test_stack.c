/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What people name, down to the drives and their nodes. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/stack.h"
#include "host.h"

static struct arena *arena;
static struct facts *facts;

static void add_disk(const char *ctrl_name, int64_t node, const char *name,
		     enum ns_kind kind, const char *head)
{
	struct ctrl *ctrl = vec_add(arena, &facts->ctrls);
	struct ns *ns = vec_add(arena, &facts->namespaces);

	*ctrl = (struct ctrl){
		.name = ctrl_name,
		.transport = "pcie",
		.address = "0000:41:00.0",
		.node = node < 0 ? num_unknown(0) : num_known(node),
	};
	*ns = (struct ns){
		.name = name, .kind = kind, .ctrl = ctrl_name, .head = head
	};
}

static void add_partition(const char *disk, const char *name)
{
	struct ns *ns = (struct ns *)(uintptr_t)facts_ns(facts, disk);

	*vec_add(arena, &ns->partitions) = (struct partition){ .name = name };
}

static void add_layer(const char *name, const char *alias, const char *kind,
		      const char *const *below)
{
	struct layer *layer = vec_add(arena, &facts->layers);

	*layer = (struct layer){ .name = name, .alias = alias, .kind = kind };
	for (; *below; below++)
		*vec_add(arena, &layer->below) = *below;
}

static void add_mount(const char *where, const char *type, const char *device)
{
	struct mount_point *point = vec_add(arena, &facts->mount_points);

	*point = (struct mount_point){ .where = where, .type = type };
	if (device)
		*vec_add(arena, &point->devices) = device;
}

static int set_up(void **state)
{
	(void)state;
	arena = arena_new();
	facts = host_new(arena);
	add_partition("nvme0n1", "nvme0n1p2");
	add_disk("nvme1", 1, "nvme1n1", NS_PLAIN, NULL);
	add_partition("nvme1n1", "nvme1n1p2");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static struct stack resolve(const char *name)
{
	struct stack stack = { 0 };
	struct err err = { 0 };

	if (stack_resolve(arena, facts, name, &stack, &err) < 0)
		fail_msg("%s", err.text);
	return stack;
}

static const char *nodes_of(const char *name)
{
	const struct stack stack = resolve(name);
	const char *unknown = NULL;
	struct cpuset nodes;

	if (!stack_nodes(arena, facts, &stack, &nodes, &unknown))
		return arena_printf(arena, "%s?", unknown);
	return cpuset_text(arena, &nodes);
}

static void expect_error(const char *name, const char *want)
{
	struct stack stack;
	struct err err = { 0 };

	assert_int_equal(stack_resolve(arena, facts, name, &stack, &err),
			 -ENOENT);
	assert_string_equal(err.text, want);
}

static void expect(const char *name, const char *text, const char *nodes)
{
	const struct stack stack = resolve(name);

	assert_string_equal(stack.text, text);
	assert_string_equal(nodes_of(name), nodes);
}

static void a_drive_is_named_by_controller_disk_node_or_address(void **state)
{
	(void)state;
	expect("nvme1", "nvme1", "1");
	expect("nvme1n1", "nvme1n1", "1");
	expect("/dev/nvme1n1", "nvme1n1", "1");
	expect("41:00.0", "nvme1", "1");
	assert_true(resolve("nvme1").direct);
	assert_true(resolve("/dev/nvme1n1").direct);
	assert_true(resolve("0000:41:00.0").direct);
}

static void a_partition_is_on_its_disk(void **state)
{
	const struct stack stack = resolve("/dev/nvme1n1p2");

	(void)state;
	assert_true(stack.direct);
	assert_string_equal(stack.text, "nvme1n1p2");
	assert_string_equal(stack.leaves.items[0].ns->name, "nvme1n1");
	assert_string_equal(nodes_of("nvme1n1p2"), "1");
}

static void lvm_on_md_is_named_layer_by_layer(void **state)
{
	(void)state;
	add_layer("md0", NULL, "raid1",
		  (const char *[]){ "nvme0n1", "nvme1n1p2", NULL });
	add_layer("dm-0", "vg-data", "LVM", (const char *[]){ "md0", NULL });
	expect("dm-0", "vg-data (LVM) on md0 (raid1) on nvme0n1, nvme1n1p2",
	       "0-1");
	expect("/dev/mapper/vg-data",
	       "vg-data (LVM) on md0 (raid1) on nvme0n1, nvme1n1p2", "0-1");
	expect("/dev/md0", "md0 (raid1) on nvme0n1, nvme1n1p2", "0-1");
}

static void luks_on_a_partition_is_on_its_disk(void **state)
{
	(void)state;
	add_layer("dm-1", "luks-home", "CRYPT-LUKS2",
		  (const char *[]){ "nvme1n1p2", NULL });
	expect("dm-1", "luks-home (LUKS) on nvme1n1p2", "1");
}

static void a_shared_part_is_named_once(void **state)
{
	(void)state;
	add_layer("md0", NULL, "raid1",
		  (const char *[]){ "nvme0n1", "nvme1n1", NULL });
	add_layer("dm-0", "vg-a", "LVM", (const char *[]){ "md0", NULL });
	add_layer("dm-1", "vg-b", "LVM",
		  (const char *[]){ "dm-0", "md0", "nvme0n1", NULL });
	expect("dm-1",
	       "vg-b (LVM) on vg-a (LVM), md0 (raid1) on nvme0n1, nvme1n1",
	       "0-1");
}

static void drives_of_another_kind_are_told(void **state)
{
	const struct stack stack =
		(add_layer("md0", NULL, "raid1",
			   (const char *[]){ "nvme0n1", "sda1", NULL }),
		 resolve("md0"));

	(void)state;
	assert_string_equal(stack.text,
			    "md0 (raid1) on nvme0n1, sda1 (no NVMe)");
	assert_int_equal(stack.foreign.n, 1);
	assert_string_equal(nodes_of("md0"), "0");
}

static void a_circle_ends(void **state)
{
	(void)state;
	add_layer("dm-0", NULL, NULL, (const char *[]){ "dm-1", NULL });
	add_layer("dm-1", NULL, NULL,
		  (const char *[]){ "dm-0", "nvme0n1", NULL });
	expect("dm-0", "dm-0 on dm-1 on nvme0n1", "0");
}

static void a_head_is_where_all_its_paths_are(void **state)
{
	struct ns *head = vec_add(arena, &facts->namespaces);

	(void)state;
	*head = (struct ns){ .name = "nvme5n1", .kind = NS_HEAD };
	add_disk("nvme3", 1, "nvme5c3n1", NS_PATH, "nvme5n1");
	add_disk("nvme5", 0, "nvme5c5n1", NS_PATH, "nvme5n1");
	expect("nvme5n1", "nvme5n1 (paths over nvme3, nvme5)", "0-1");
	assert_string_equal(nodes_of("nvme5c3n1"), "1");
}

static void an_unknown_node_is_never_node_0(void **state)
{
	(void)state;
	add_disk("nvme7", -1, "nvme7n1", NS_PLAIN, NULL);
	add_layer("md0", NULL, "raid1",
		  (const char *[]){ "nvme1n1", "nvme7n1", NULL });
	assert_string_equal(nodes_of("nvme7"), "nvme7?");
	assert_string_equal(nodes_of("md0"), "nvme7?");
	/* A host with one node leaves no choice. */
	facts->nodes.n = 1;
	assert_string_equal(nodes_of("nvme7"), "0");
}

static void a_folder_is_on_the_nearest_mount_above_it(void **state)
{
	(void)state;
	add_mount("/", "ext4", "nvme0n1p2");
	add_mount("/var", "xfs", "nvme1n1p2");
	add_mount("/var/cache", "tmpfs", NULL);
	assert_string_equal(nodes_of("/"), "0");
	assert_string_equal(nodes_of("/variety"), "0");
	assert_string_equal(nodes_of("/var/lib/postgresql/"), "1");
	assert_string_equal(resolve("/var/lib/postgresql").text, "nvme1n1p2");
	expect_error(
		"/var/cache/x",
		"/var/cache/x: is in a file system (tmpfs, mounted on /var/cache) that is on no NVMe drive");
}

static void a_bind_mount_leads_to_its_own_device(void **state)
{
	(void)state;
	add_mount("/", "ext4", "nvme0n1p2");
	add_mount("/data", "xfs", "nvme1n1p2");
	add_mount("/srv/pg", "xfs", "nvme1n1p2");
	assert_string_equal(nodes_of("/srv/pg/base"), "1");
	assert_string_equal(nodes_of("/srv"), "0");
}

static void of_two_mounts_on_one_place_the_later_is_seen(void **state)
{
	(void)state;
	add_mount("/data", "xfs", "nvme1n1p2");
	add_mount("/data", "xfs", "nvme0n1p2");
	assert_string_equal(nodes_of("/data"), "0");
}

static void a_file_system_over_devices_is_on_all_of_them(void **state)
{
	struct mount_point *point;

	(void)state;
	add_mount("/pool", "btrfs", "nvme0n1p2");
	point = &facts->mount_points.items[facts->mount_points.n - 1];
	*vec_add(arena, &point->devices) = "nvme1n1";
	expect("/pool/vm", "nvme0n1p2, nvme1n1", "0-1");
}

static void links_lead_where_the_facts_say(void **state)
{
	(void)state;
	add_mount("/", "ext4", "nvme0n1p2");
	add_mount("/fast", "xfs", "nvme1n1p2");
	*vec_add(arena, &facts->aliases) =
		(struct alias){ "/dev/disk/by-id/nvme-Lab_1", "nvme1n1" };
	*vec_add(arena, &facts->aliases) =
		(struct alias){ "/var/lib/pg", "/fast/pg" };
	*vec_add(arena, &facts->aliases) = (struct alias){ "/no/such", NULL };
	expect("/dev/disk/by-id/nvme-Lab_1", "nvme1n1", "1");
	assert_string_equal(nodes_of("/var/lib/pg/"), "1");
	expect_error("/no/such", "/no/such: there is no such file");
}

static void captures_without_layers_know_holders_and_mounts(void **state)
{
	struct ns *ns = facts->namespaces.items;

	(void)state;
	*vec_add(arena, &ns[0].holders) = "md0";
	*vec_add(arena, &ns[1].holders) = "md0";
	for (size_t i = 0; i < 2; i++)
		*vec_add(arena, &ns[i].mounts) = (struct mount){
			.device = "md0", .where = "/u01", .type = "xfs"
		};
	expect("md0", "md0 on nvme0n1, nvme1n1", "0-1");
	expect("/u01/oradata", "md0 on nvme0n1, nvme1n1", "0-1");
}

static void what_is_not_there_is_said_with_what_is(void **state)
{
	(void)state;
	expect_error("nvme9",
		     "nvme9: no such drive; there are nvme0n1, nvme1n1");
	expect_error("/dev/sda",
		     "/dev/sda: no such drive; there are nvme0n1, nvme1n1");
	expect_error("/nowhere",
		     "/nowhere: no such drive; there are nvme0n1, nvme1n1");
	expect_error("", ": no such drive; there are nvme0n1, nvme1n1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_drive_is_named_by_controller_disk_node_or_address),
		TEST(a_partition_is_on_its_disk),
		TEST(lvm_on_md_is_named_layer_by_layer),
		TEST(luks_on_a_partition_is_on_its_disk),
		TEST(a_shared_part_is_named_once),
		TEST(drives_of_another_kind_are_told),
		TEST(a_circle_ends),
		TEST(a_head_is_where_all_its_paths_are),
		TEST(an_unknown_node_is_never_node_0),
		TEST(a_folder_is_on_the_nearest_mount_above_it),
		TEST(a_bind_mount_leads_to_its_own_device),
		TEST(of_two_mounts_on_one_place_the_later_is_seen),
		TEST(a_file_system_over_devices_is_on_all_of_them),
		TEST(links_lead_where_the_facts_say),
		TEST(captures_without_layers_know_holders_and_mounts),
		TEST(what_is_not_there_is_said_with_what_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "core/use.h"
#include "probe/uses.h"

/*
 * Who uses disks, from what a tree shows.  nvme0n1 has the partitions p1,
 * mounted, and p2, swap; nvme1n1 is below md0 and dm-0, "vg-data".
 */
enum {
	FREE, /* a disk that the facts know no user of */
	MD,
	NR_DISKS
};

static struct tree *tree;
static struct facts *facts;
static struct uses all[NR_DISKS];

static int load(void **state)
{
	(void)state;
	tree = tree_load("two-nodes");
	tree_put(
		tree, "proc/self/mountinfo",
		"42 29 253:0 / /var/lib/pg rw,relatime - xfs /dev/mapper/vg-data rw\n");
	tree_put(tree, "proc/swaps", "Filename\n");
	tree_link(tree, "proc/self/ns/mnt", "mnt:[1]");
	tree_put(tree, "dev/nvme0n1p1", "");
	tree_link(tree, "dev/disk/by-id/nvme-LAB1-part1", "../../nvme0n1p1");
	facts = (struct facts *)scanned(tree);
	uses_init(tree->arena, facts, facts_ns(facts, "nvme0n1"), &all[FREE]);
	uses_init(tree->arena, facts, facts_ns(facts, "nvme1n1"), &all[MD]);
	return 0;
}

static int unload(void **state)
{
	(void)state;
	tree_free(tree);
	return 0;
}

static const char *of(int which)
{
	const char *text = uses_text(tree->arena, &all[which]);

	return text ? text : "nobody";
}

static void stacked(void)
{
	probe_uses_stacked(tree->root, tree->arena, facts, all, NR_DISKS);
}

static void elsewhere(bool free_held, bool md_held)
{
	const bool held[] = { free_held, md_held };

	probe_uses_elsewhere(tree->root, tree->arena, held, all, NR_DISKS);
}

static void opened(void)
{
	probe_uses_open(tree->root, tree->arena, all, NR_DISKS);
}

static void facts_alone_tell_of_md_and_what_is_mounted_from_it(void **state)
{
	(void)state;
	assert_string_equal(of(FREE), "nobody");
	assert_string_equal(of(MD), "dm-0 at /var/lib/pg, md0");
	assert_string_equal(uses_named(&all[MD], "vg-data")->name, "dm-0");
	assert_string_equal(uses_numbered(&all[FREE], "259:3")->name,
			    "nvme0n1p2");
	assert_null(uses_numbered(&all[FREE], "253:0"));
	stacked();
	elsewhere(false, false);
	opened();
	assert_string_equal(of(FREE), "nobody");
	assert_string_equal(of(MD), "dm-0 at /var/lib/pg, md0");
}

static void loop_on_a_partition_is_a_user(void **state)
{
	(void)state;
	tree_put(tree, "sys/block/loop0/size", "0\n");
	tree_put(tree, "sys/block/loop3/loop/backing_file", "/dev/nvme0n1p1\n");
	stacked();
	assert_string_equal(of(FREE), "loop3 on /dev/nvme0n1p1");
	assert_string_equal(all[FREE].items.items[0].device, "nvme0n1p1");
}

static void loop_on_a_file_uses_what_is_mounted_nearest_above(void **state)
{
	(void)state;
	tree_put(tree, "sys/block/loop0/loop/backing_file",
		 "/var/lib/pgsql/disk.img\n");
	stacked();
	assert_string_equal(of(MD), "dm-0 at /var/lib/pg, md0");
	tree_put(tree, "sys/block/loop0/loop/backing_file",
		 "/var/lib/pg/a b.img (deleted)\n");
	stacked();
	assert_string_equal(
		of(MD),
		"dm-0 at /var/lib/pg, md0, loop0 on /var/lib/pg/a b.img (deleted)");
	assert_string_equal(of(FREE), "nobody");
}

static void target_uses_what_it_gives_away_once_enabled(void **state)
{
	static const char folder[] =
		"sys/kernel/config/nvmet/subsystems/nqn.lab:one/namespaces/1";

	(void)state;
	tree_put(tree, arena_printf(tree->arena, "%s/device_path", folder),
		 "/dev/disk/by-id/nvme-LAB1-part1\n");
	tree_put(tree, arena_printf(tree->arena, "%s/enable", folder), "0\n");
	stacked();
	assert_string_equal(of(FREE), "nobody");
	tree_put(tree, arena_printf(tree->arena, "%s/enable", folder), "1\n");
	stacked();
	assert_string_equal(
		of(FREE),
		"the NVMe target nqn.lab:one with /dev/disk/by-id/nvme-LAB1-part1");
}

static void put_process(const char *pid, const char *comm, const char *mnt,
			const char *mountinfo)
{
	tree_put(tree, arena_printf(tree->arena, "proc/%s/comm", pid), comm);
	tree_link(tree, arena_printf(tree->arena, "proc/%s/ns/mnt", pid), mnt);
	tree_put(tree, arena_printf(tree->arena, "proc/%s/mountinfo", pid),
		 mountinfo);
}

static void mount_of_another_namespace_names_a_process_of_it(void **state)
{
	static const char line[] =
		"50 29 259:3 / /mnt/a\\040b rw - ext4 /dev/nvme0n1p2 rw\n";

	(void)state;
	put_process("70", "systemd\n", "mnt:[1]", line);
	put_process("77", "sh\n", "mnt:[2]", line);
	put_process("78", "sleep\n", "mnt:[2]", line);
	elsewhere(true, true);
	assert_string_equal(of(FREE),
			    "/mnt/a b in the mount namespace of sh (pid 77)");
	assert_string_equal(of(MD), "dm-0 at /var/lib/pg, md0");
}

static void what_is_not_held_is_not_looked_for(void **state)
{
	(void)state;
	put_process("77", "sh\n", "mnt:[2]",
		    "50 29 259:3 / /mnt rw - ext4 /dev/nvme0n1p2 rw\n");
	elsewhere(false, true);
	assert_string_equal(of(FREE), "nobody");
}

static void held_by_nobody_that_is_seen_is_said_so(void **state)
{
	(void)state;
	elsewhere(true, true);
	assert_non_null(strstr(of(FREE), "something that is not seen here"));
	assert_string_equal(of(MD), "dm-0 at /var/lib/pg, md0");
	assert_int_equal(all[FREE].items.items[0].kind, USE_HELD);
}

static void program_that_has_a_device_open_is_named_with_its_pid(void **state)
{
	(void)state;
	tree_put(tree, "proc/123/comm", "mysqld\n");
	tree_link(tree, "proc/123/fd/0", "/dev/null");
	tree_link(tree, "proc/123/fd/4", "/dev/mapper/vg-data");
	tree_link(tree, "proc/124/fd/3", "/dev/nvme0n1");
	tree_link(tree, "proc/124/fd/4", "/dev/nvme0n1");
	tree_link(tree, "proc/125/fd/3", "/dev/nvme10n1");
	tree_link(tree, "proc/125/fd/4", "/srv/nvme0n1");
	opened();
	assert_string_equal(of(FREE),
			    "a program (pid 124), which has nvme0n1 open");
	assert_int_equal(all[FREE].items.items[0].pid, 124);
	assert_string_equal(
		of(MD),
		"dm-0 at /var/lib/pg, md0, mysqld (pid 123), which has dm-0 open");
}

static void member_of_a_btrfs_is_mounted_where_the_others_are(void **state)
{
	struct uses uses;

	(void)state;
	tree_put(tree, "proc/self/mountinfo",
		 "43 29 0:45 / /home rw - btrfs /dev/sda1 rw\n");
	tree_put(tree, "sys/fs/btrfs/b7f2/devices/sda1/size", "1\n");
	tree_put(tree, "sys/fs/btrfs/b7f2/devices/nvme0n1p2/size", "1\n");
	facts = (struct facts *)scanned(tree);
	uses_init(tree->arena, facts, facts_ns(facts, "nvme0n1"), &uses);
	assert_string_equal(uses_text(tree->arena, &uses), "/home");
	assert_string_equal(uses.items.items[0].device, "nvme0n1p2");
}

#define T(name) cmocka_unit_test_setup_teardown(name, load, unload)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(facts_alone_tell_of_md_and_what_is_mounted_from_it),
		T(loop_on_a_partition_is_a_user),
		T(loop_on_a_file_uses_what_is_mounted_nearest_above),
		T(target_uses_what_it_gives_away_once_enabled),
		T(mount_of_another_namespace_names_a_process_of_it),
		T(what_is_not_held_is_not_looked_for),
		T(held_by_nobody_that_is_seen_is_said_so),
		T(program_that_has_a_device_open_is_named_with_its_pid),
		T(member_of_a_btrfs_is_mounted_where_the_others_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

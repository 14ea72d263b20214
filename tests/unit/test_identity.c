/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "tree.h"
#include "write/attr.h"
#include "write/identity.h"

#define NQN "nqn.2014.08.org.example:lab0"

static void put_ctrl(struct tree *tree, const char *name, const char *cntlid)
{
	const char *dir = arena_printf(tree->arena, "sys/class/nvme/%s", name);

	tree_put(tree, arena_printf(tree->arena, "%s/subsysnqn", dir),
		 NQN "\n");
	tree_put(tree, arena_printf(tree->arena, "%s/serial", dir),
		 "LAB0                \n");
	tree_put(tree, arena_printf(tree->arena, "%s/cntlid", dir), cntlid);
}

static void put_disk(struct tree *tree, const char *name, const char *owner,
		     const char *wwid)
{
	const char *dir = arena_printf(tree->arena, "sys/class/block/%s", name);

	tree_put(tree, arena_printf(tree->arena, "%s/nsid", dir), "1\n");
	if (wwid)
		tree_put(tree, arena_printf(tree->arena, "%s/wwid", dir), wwid);
	tree_link(tree, arena_printf(tree->arena, "%s/device", dir), owner);
}

static struct target queue(const char *name, const char *id)
{
	return (struct target){ .kind = TARGET_QUEUE,
				.name = name,
				.dir = "sys/class/block",
				.id = id };
}

static void a_disk_is_known_by_its_wwid(void **state)
{
	struct tree *tree = tree_new();
	struct target disk = queue("nvme0n1", "eui.1");
	struct target found;

	(void)state;
	put_ctrl(tree, "nvme0", "1\n");
	put_disk(tree, "nvme0n1", "../../nvme/nvme0", "eui.1\n");
	assert_int_equal(identity_check(tree->root, tree->arena, &disk), 0);
	disk.id = "eui.2";
	assert_int_equal(identity_check(tree->root, tree->arena, &disk),
			 -ESTALE);
	disk = queue("nvme7n1", "eui.1");
	assert_int_equal(identity_check(tree->root, tree->arena, &disk),
			 -ENODEV);
	assert_int_equal(identity_find(tree->root, tree->arena, &disk, &found),
			 0);
	assert_string_equal(found.name, "nvme0n1");
	assert_string_equal(found.dir, "sys/class/block/nvme0n1");
	disk.id = "eui.2";
	assert_int_equal(identity_find(tree->root, tree->arena, &disk, &found),
			 -ENODEV);
	tree_free(tree);
}

static void without_multipath_each_port_has_a_disk_of_its_own(void **state)
{
	struct tree *tree = tree_new();
	struct target first = queue("nvme0n1", "eui.1 via " NQN "/1");
	struct target second = queue("nvme9n1", "eui.1 via " NQN "/2");
	struct target found;

	(void)state;
	tree_put(tree, "sys/module/nvme_core/parameters/multipath", "N\n");
	put_ctrl(tree, "nvme0", "1\n");
	put_ctrl(tree, "nvme1", "2\n");
	put_disk(tree, "nvme0n1", "../../nvme/nvme0", "eui.1\n");
	put_disk(tree, "nvme1n1", "../../nvme/nvme1", "eui.1\n");
	assert_int_equal(identity_check(tree->root, tree->arena, &first), 0);
	assert_int_equal(
		identity_find(tree->root, tree->arena, &second, &found), 0);
	assert_string_equal(found.name, "nvme1n1");
	tree_free(tree);
}

static void without_a_wwid_serial_and_number_tell(void **state)
{
	struct tree *tree = tree_new();
	struct target plain = queue("nvme0n1", "LAB0/1");
	struct target head = queue("nvme1n1", "LAB1/1");

	(void)state;
	put_ctrl(tree, "nvme0", "1\n");
	put_disk(tree, "nvme0n1", "../../nvme/nvme0", NULL);
	assert_int_equal(identity_check(tree->root, tree->arena, &plain), 0);
	tree_put(tree, "sys/class/nvme-subsystem/nvme-subsys1/serial",
		 "LAB1\n");
	put_disk(tree, "nvme1n1", "../../nvme-subsystem/nvme-subsys1", NULL);
	assert_int_equal(identity_check(tree->root, tree->arena, &head), 0);
	tree_free(tree);
}

static void a_path_is_a_namespace_by_way_of_a_controller(void **state)
{
	struct tree *tree = tree_new();
	struct target path = queue("nvme0c1n1", "eui.1 via " NQN "/2");
	struct target found;

	(void)state;
	put_ctrl(tree, "nvme0", "1\n");
	put_ctrl(tree, "nvme1", "2\n");
	put_disk(tree, "nvme0c0n1", "../../nvme/nvme0", "eui.1\n");
	put_disk(tree, "nvme0c1n1", "../../nvme/nvme1", "eui.1\n");
	assert_int_equal(identity_check(tree->root, tree->arena, &path), 0);
	path.name = "nvme3c3n1";
	assert_int_equal(identity_find(tree->root, tree->arena, &path, &found),
			 0);
	assert_string_equal(found.name, "nvme0c1n1");
	tree_free(tree);
}

static void two_disks_that_answer_are_not_chosen_between(void **state)
{
	struct tree *tree = tree_new();
	struct target disk = queue("nvme5n1", "eui.1");
	struct target found;

	(void)state;
	put_ctrl(tree, "nvme0", "1\n");
	put_ctrl(tree, "nvme1", "2\n");
	put_disk(tree, "nvme0n1", "../../nvme/nvme0", "eui.1\n");
	put_disk(tree, "nvme1n1", "../../nvme/nvme1", "eui.1\n");
	assert_int_equal(identity_find(tree->root, tree->arena, &disk, &found),
			 -ENOTUNIQ);
	tree_free(tree);
}

static void a_controller_is_known_by_subsystem_and_number(void **state)
{
	struct tree *tree = tree_new();
	struct target ctrl = { .kind = TARGET_CTRL,
			       .name = "nvme0",
			       .dir = "sys/class/nvme/nvme0",
			       .id = NQN "/2" };
	struct target found;

	(void)state;
	put_ctrl(tree, "nvme0", "1\n");
	put_ctrl(tree, "nvme1", "2\n");
	assert_int_equal(identity_check(tree->root, tree->arena, &ctrl),
			 -ESTALE);
	assert_int_equal(identity_find(tree->root, tree->arena, &ctrl, &found),
			 0);
	assert_string_equal(found.dir, "sys/class/nvme/nvme1");
	tree_free(tree);
}

static void an_attribute_reads_as_it_would_be_written(void **state)
{
	static const struct {
		const char *text, *value;
	} rows[] = {
		{ "none [mq-deadline] kyber \n", "mq-deadline" },
		{ "[none] mq-deadline \n", "none" },
		{ "none\n", "none" },
		{ "1023\n", "1023" },
		{ "\n", "" },
	};
	struct tree *tree = tree_new();
	char value[VALUE_TEXT_SIZE], long_text[VALUE_TEXT_SIZE + 8];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tree_put(tree, "sys/a", rows[i].text);
		assert_int_equal(attr_read(tree->root, "sys/a", value), 0);
		assert_string_equal(value, rows[i].value);
	}
	memset(long_text, 'x', sizeof(long_text));
	long_text[sizeof(long_text) - 1] = '\0';
	tree_put(tree, "sys/a", long_text);
	assert_int_equal(attr_read(tree->root, "sys/a", value), -EBADMSG);
	assert_int_equal(attr_read(tree->root, "sys/b", value), -ENOENT);
	assert_int_equal(attr_write(tree->root, "sys/b", "1"), -ENOENT);
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_is_known_by_its_wwid),
		cmocka_unit_test(
			without_multipath_each_port_has_a_disk_of_its_own),
		cmocka_unit_test(without_a_wwid_serial_and_number_tell),
		cmocka_unit_test(a_path_is_a_namespace_by_way_of_a_controller),
		cmocka_unit_test(two_disks_that_answer_are_not_chosen_between),
		cmocka_unit_test(a_controller_is_known_by_subsystem_and_number),
		cmocka_unit_test(an_attribute_reads_as_it_would_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <fcntl.h>

#include "sys/record.h"
#include "write/raw.h"

/* What is read from one tree, made into another on which the same reads give
 * the same. */

#define BUSY "sys/class/block/nvme0n1/queue/wbt_lat_usec"

static struct tree *tree;
static struct record record;
static char *dir;
static struct sysroot *again;

static int fail_some(void *data, const char *path)
{
	(void)data;
	if (strcmp(path, BUSY) == 0)
		return -EINVAL;
	return strcmp(path, "proc/secret") == 0 ? -EACCES : 0;
}

static int begin(void **state)
{
	const struct sysroot_hooks hooks = { .read = fail_some,
					     .list = fail_some };

	(void)state;
	tree = tree_new();
	record = (struct record){ .arena = tree->arena };
	dir = arena_printf(tree->arena, "%s/raw", tree->dir);
	again = NULL;
	tree_put(tree, "sys/devices/pci/nvme0/nvme0n1/queue/scheduler",
		 "[none] kyber\n");
	tree_put(tree, "sys/devices/pci/nvme0/nvme0n1/queue/wbt_lat_usec", "0");
	tree_put(tree, "sys/devices/pci/nvme0/nvme0n1/mq/0/cpu_list", "0");
	tree_link(tree, "sys/class/block/nvme0n1",
		  "../../devices/pci/nvme0/nvme0n1");
	tree_link(tree, "sys/class/block/absolute", "/sys/devices/pci/nvme0");
	tree_link(tree, "sys/class/block/circle", "circle");
	tree_link(tree, "sys/class/block/outside", "../../../../../etc/hosts");
	tree_put(tree, "proc/irq/9/smp_affinity", "f\n");
	assert_int_equal(
		chmod(tree_path(tree, "proc/irq/9/smp_affinity"), 0444), 0);
	sysroot_set_hooks(tree->root, &hooks);
	sysroot_set_record(tree->root, &record);
	return 0;
}

static int end(void **state)
{
	(void)state;
	sysroot_close(again);
	tree_free(tree);
	return 0;
}

static const struct sysroot *remade(void)
{
	struct err err = { 0 };

	sysroot_set_record(tree->root, NULL);
	if (raw_write(&record, tree->root, tree->arena, dir, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(sysroot_open(dir, &again, &err), 0);
	return again;
}

static const char *text(const struct sysroot *root, const char *path, int *why)
{
	*why = 0;
	return sysroot_text(root, tree->arena, path, why);
}

static void a_file_behind_links_is_read_by_the_same_path(void **state)
{
	int why;

	(void)state;
	(void)text(tree->root, "sys/class/block/nvme0n1/queue/scheduler", &why);
	(void)text(tree->root, "sys/class/block/absolute/nvme0n1/mq/0/cpu_list",
		   &why);
	(void)remade();
	assert_string_equal(
		text(again, "sys/class/block/nvme0n1/queue/scheduler", &why),
		"[none] kyber");
	assert_string_equal(
		text(again, "sys/class/block/absolute/nvme0n1/mq/0/cpu_list",
		     &why),
		"0");
	assert_string_equal(sysroot_link_name(again, tree->arena,
					      "sys/class/block/nvme0n1"),
			    "nvme0n1");
	/* What nobody read is not there. */
	assert_null(text(again, BUSY, &why));
	assert_int_equal(why, ENOENT);
}

static void an_error_comes_again_and_absence_is_no_error(void **state)
{
	struct names names;
	int why;

	(void)state;
	(void)text(tree->root, BUSY, &why);
	(void)text(tree->root, "sys/none", &why);
	assert_int_equal(sysroot_list(tree->root, tree->arena, "proc/secret",
				      &names),
			 -EACCES);
	(void)remade();
	assert_null(text(again, BUSY, &why));
	assert_int_equal(why, EINVAL);
	assert_null(text(again, "/" BUSY, &why));
	assert_int_equal(why, EINVAL);
	assert_null(text(again, "sys/none", &why));
	assert_int_equal(why, ENOENT);
	assert_int_equal(sysroot_list(again, tree->arena, "proc/secret",
				      &names),
			 -EACCES);
}

static void a_folder_lists_what_it_listed(void **state)
{
	struct names names;

	(void)state;
	assert_int_equal(sysroot_list(tree->root, tree->arena,
				      "sys/class/block", &names),
			 0);
	assert_int_equal(sysroot_list(tree->root, tree->arena,
				      "sys/class/block/nvme0n1/queue", &names),
			 0);
	(void)remade();
	assert_int_equal(
		sysroot_list(again, tree->arena, "sys/class/block", &names), 0);
	assert_int_equal(names.names.n, 4);
	assert_string_equal(names.names.items[2], "nvme0n1");
	assert_int_equal(sysroot_list(again, tree->arena,
				      "sys/class/block/nvme0n1/queue", &names),
			 0);
	assert_int_equal(names.names.n, 2);
}

static void a_file_that_nobody_may_write_stays_so(void **state)
{
	mode_t mode;
	int why;

	(void)state;
	assert_int_equal(
		sysroot_mode(tree->root, "proc/irq/9/smp_affinity", &mode), 0);
	(void)text(tree->root, "proc/irq/9/smp_affinity", &why);
	(void)remade();
	assert_string_equal(text(again, "proc/irq/9/smp_affinity", &why), "f");
	assert_int_equal(sysroot_mode(again, "proc/irq/9/smp_affinity", &mode),
			 0);
	assert_int_equal(mode & 0222, 0);
}

static void a_file_read_in_part_and_whole_is_there_whole(void **state)
{
	char part[3];
	int why;

	(void)state;
	(void)sysroot_read_bytes(tree->root,
				 "sys/class/block/nvme0n1/queue/scheduler",
				 part, sizeof(part));
	(void)text(tree->root, "sys/class/block/nvme0n1/queue/scheduler", &why);
	(void)remade();
	assert_string_equal(
		text(again, "sys/class/block/nvme0n1/queue/scheduler", &why),
		"[none] kyber");
}

static void of_some_files_only_a_part_is_kept(void **state)
{
	int why;

	(void)state;
	tree_put(tree, "proc/kallsyms",
		 "ffffffff81000000 T a\nffffffff82000000 T b\n");
	assert_non_null(text(tree->root, "proc/kallsyms", &why));
	record_instead(&record, "proc/kallsyms", "0 T b\n", 6);
	(void)remade();
	assert_string_equal(text(again, "proc/kallsyms", &why), "0 T b");
}

static void links_lead_nowhere_out_of_the_tree(void **state)
{
	struct stat st;
	int why;

	(void)state;
	(void)text(tree->root, "sys/class/block/outside", &why);
	(void)text(tree->root, "sys/class/block/circle", &why);
	assert_int_equal(why, ELOOP);
	assert_non_null(sysroot_link_name(tree->root, tree->arena,
					  "sys/class/block/circle"));
	tree_put(tree, "etc/hosts", "of the tree\n");
	(void)text(tree->root, "sys/class/block/outside", &why);
	(void)remade();
	assert_string_equal(text(again, "sys/class/block/outside", &why),
			    "of the tree");
	assert_int_equal(
		stat(arena_printf(tree->arena, "%s/etc/hosts", dir), &st), 0);
	assert_null(text(again, "sys/class/block/circle", &why));
	assert_int_equal(why, ELOOP);
}

static void what_is_no_file_is_kept_beside_it(void **state)
{
	char bytes[8] = "";

	(void)state;
	sysroot_keep(tree->root, "admin/nvme0/identify", "a\0b", 3, 0);
	sysroot_keep(tree->root, "admin/nvme0/smart-log", NULL, 0, -EIO);
	sysroot_keep(tree->root, "xfs/259:0", "4\n", 2, 0);
	(void)remade();
	assert_int_equal(sysroot_kept(again, "admin/nvme0/identify", bytes, 8),
			 3);
	assert_memory_equal(bytes, "a\0b", 3);
	assert_int_equal(sysroot_kept(again, "admin/nvme0/smart-log", bytes, 8),
			 -EIO);
	assert_int_equal(sysroot_kept(again, "admin/nvme1/identify", bytes, 8),
			 -ENOENT);
	assert_string_equal(sysroot_kept_text(again, tree->arena, "xfs/259:0"),
			    "4");
}

static void nothing_is_kept_without_a_record(void **state)
{
	struct sysroot *live = NULL;
	struct err err = { 0 };
	char byte;

	(void)state;
	sysroot_set_record(tree->root, NULL);
	sysroot_keep(tree->root, "machine", "x", 1, 0);
	assert_int_equal(record.seen.n, 0);
	assert_int_equal(sysroot_open("/", &live, &err), 0);
	assert_int_equal(sysroot_kept(live, "machine", &byte, 1), -ENOENT);
	sysroot_close(live);
}

static void a_folder_that_holds_something_is_refused(void **state)
{
	struct err err = { 0 };

	(void)state;
	tree_put(tree, "raw/file", "mine\n");
	assert_int_equal(raw_write(&record, tree->root, tree->arena, dir, &err),
			 -EEXIST);
	assert_non_null(strstr(err.text, "not empty"));
	assert_string_equal(tree_get(tree, "raw/file"), "mine\n");
}

static void lines_of_errors_that_are_none_are_left_out(void **state)
{
	char text_of[] = "13 a\n0 b\nx c\n5\n99999 d\n2 e f\n";
	struct kept_errors errors = { { 0 } };

	(void)state;
	kept_errors_parse(tree->arena, text_of, &errors);
	assert_int_equal(errors.items.n, 2);
	assert_int_equal(kept_errors_find(&errors, "a"), -13);
	assert_int_equal(kept_errors_find(&errors, "/e f"), -2);
	assert_int_equal(kept_errors_find(&errors, "b"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_behind_links_is_read_by_the_same_path),
		TEST(an_error_comes_again_and_absence_is_no_error),
		TEST(a_folder_lists_what_it_listed),
		TEST(a_file_that_nobody_may_write_stays_so),
		TEST(a_file_read_in_part_and_whole_is_there_whole),
		TEST(of_some_files_only_a_part_is_kept),
		TEST(links_lead_nowhere_out_of_the_tree),
		TEST(what_is_no_file_is_kept_beside_it),
		TEST(nothing_is_kept_without_a_record),
		TEST(a_folder_that_holds_something_is_refused),
		TEST(lines_of_errors_that_are_none_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

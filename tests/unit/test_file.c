/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "tree.h"
#include "write/file.h"
#include "write/folder.h"

#define REL "etc/modprobe.d/nvmetune.conf"
#define PATH "/" REL

/* What a file system without them says; 0: it has them. */
static int rename_errno, link_errno, chmod_errno;

/* Instead of those of the C library. */
int renameat2(int old_folder, const char *old_name, int new_folder,
	      const char *new_name, unsigned int flags)
{
	assert_int_equal(flags, RENAME_NOREPLACE);
	if (!rename_errno &&
	    faccessat(new_folder, new_name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		errno = EEXIST;
	else if (rename_errno)
		errno = rename_errno;
	else
		return renameat(old_folder, old_name, new_folder, new_name);
	return -1;
}

int linkat(int old_folder, const char *old_name, int new_folder,
	   const char *new_name, int flags)
{
	errno = link_errno;
	return link_errno ? -1 :
			    (int)syscall(SYS_linkat, old_folder, old_name,
					 new_folder, new_name, flags);
}

int fchmod(int fd, mode_t mode)
{
	errno = chmod_errno;
	return chmod_errno ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

static struct tree *tree_with_folder(void)
{
	struct tree *tree = tree_new();

	tree_put(tree, "etc/modprobe.d/other.conf", "# other\n");
	return tree;
}

static size_t count_entries(struct tree *tree, const char *path)
{
	struct names names = { { 0 } };

	assert_int_equal(sysroot_list(tree->root, tree->arena, path, &names),
			 0);
	return names.names.n;
}

static void a_staged_file_is_seen_only_when_published(void **state)
{
	struct tree *tree = tree_with_folder();
	struct err err = { 0 };
	mode_t mode;

	(void)state;
	assert_int_equal(file_stage(tree->root, PATH, "new\n", 0640, &err), 0);
	assert_false(sysroot_exists(tree->root, PATH));
	assert_int_equal(file_publish(tree->root, PATH, &err), 0);
	assert_string_equal(tree_get(tree, REL), "new\n");
	assert_int_equal(sysroot_mode(tree->root, PATH, &mode), 0);
	assert_int_equal(mode & 07777, 0640);
	assert_int_equal(count_entries(tree, "etc/modprobe.d"), 2);
	tree_free(tree);
}

static void a_discarded_file_leaves_the_old_one(void **state)
{
	struct tree *tree = tree_with_folder();
	struct err err = { 0 };

	(void)state;
	assert_int_equal(file_put(tree->root, PATH, "old\n", 0644, &err), 0);
	assert_int_equal(file_stage(tree->root, PATH, "new\n", 0644, &err), 0);
	assert_int_equal(file_discard(tree->root, PATH), 0);
	assert_int_equal(file_discard(tree->root, PATH), 0);
	assert_string_equal(tree_get(tree, REL), "old\n");
	assert_int_equal(count_entries(tree, "etc/modprobe.d"), 2);
	assert_int_equal(file_discard(tree->root, "/no/such/folder"), 0);
	tree_free(tree);
}

static void what_a_crash_left_is_in_nobodys_way(void **state)
{
	struct tree *tree = tree_with_folder();
	struct err err = { 0 };

	(void)state;
	tree_put(tree, REL FILE_NEW_SUFFIX,
		 "half of something longer than what comes\n");
	assert_int_equal(file_put(tree->root, PATH, "whole\n", 0644, &err), 0);
	assert_string_equal(tree_get(tree, REL), "whole\n");
	tree_free(tree);
}

static void put_new_twice(void)
{
	struct tree *tree = tree_with_folder();
	struct err err = { 0 };

	assert_int_equal(file_put_new(tree->root, PATH, "one\n", 0644, &err),
			 0);
	assert_int_equal(file_put_new(tree->root, PATH, "two\n", 0644, &err),
			 -EEXIST);
	assert_string_equal(err.text, PATH ": cannot write: File exists");
	assert_string_equal(tree_get(tree, REL), "one\n");
	assert_int_equal(count_entries(tree, "etc/modprobe.d"), 2);
	tree_free(tree);
}

static void a_new_file_never_replaces_what_is_there(void **state)
{
	(void)state;
	put_new_twice();
}

static void nor_where_a_rename_would_replace(void **state)
{
	static const int said[] = { EINVAL, ENOSYS };

	(void)state;
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		rename_errno = said[i];
		put_new_twice();
	}
	rename_errno = 0;
}

static void nor_where_there_are_no_links_and_no_modes_either(void **state)
{
	static const int said[] = { EPERM, EOPNOTSUPP, ENOSYS };

	(void)state;
	rename_errno = EINVAL;
	chmod_errno = EPERM;
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		link_errno = said[i];
		put_new_twice();
	}
	rename_errno = link_errno = chmod_errno = 0;
}

static void a_new_file_that_cannot_be_leaves_nothing(void **state)
{
	struct tree *tree = tree_with_folder();
	struct err err = { 0 };

	(void)state;
	rename_errno = EDQUOT;
	assert_int_equal(file_put_new(tree->root, PATH, "one\n", 0644, &err),
			 -EDQUOT);
	rename_errno = 0;
	assert_int_equal(count_entries(tree, "etc/modprobe.d"), 1);
	tree_free(tree);
}

static void a_file_of_ours_has_its_mode_or_is_none(void **state)
{
	struct tree *tree = tree_with_folder();
	struct err err = { 0 };

	(void)state;
	chmod_errno = EPERM;
	assert_int_equal(file_put(tree->root, PATH, "one\n", 0644, &err),
			 -EPERM);
	chmod_errno = 0;
	assert_int_equal(count_entries(tree, "etc/modprobe.d"), 1);
	tree_free(tree);
}

/* A limit on the size of files stands in for a full disk. */
static void a_write_that_fails_half_way_leaves_nothing(void **state)
{
	struct tree *tree = tree_with_folder();
	const struct rlimit small = { 100, RLIM_INFINITY };
	struct rlimit before;
	char text[1000];
	struct err err = { 0 };
	int r;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(file_put(tree->root, PATH, "old\n", 0644, &err), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	r = file_put(tree->root, PATH, text, 0644, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(r, -EFBIG);
	assert_string_equal(err.text, PATH ": cannot write: File too large");
	assert_string_equal(tree_get(tree, REL), "old\n");
	assert_int_equal(count_entries(tree, "etc/modprobe.d"), 2);
	tree_free(tree);
}

static void a_link_is_no_file_of_ours(void **state)
{
	struct tree *tree = tree_with_folder();
	struct err err = { 0 };
	unsigned int mode;
	char *text = NULL;

	(void)state;
	tree_link(tree, REL, "other.conf");
	assert_int_equal(file_read(tree->root, tree->arena, PATH, &text, &mode,
				   &err),
			 -EEXIST);
	assert_string_equal(err.text, PATH ": is not a plain file");
	assert_int_equal(file_read(tree->root, tree->arena, "/etc/modprobe.d",
				   &text, &mode, &err),
			 -EEXIST);
	assert_int_equal(file_read(tree->root, tree->arena, "/etc/none", &text,
				   &mode, &err),
			 0);
	assert_null(text);
	tree_free(tree);
}

static int read_only(void *data, const char *path, int flags)
{
	(void)data;
	(void)flags;
	return strncmp(path, "etc", 3) == 0 ? -EROFS : 0;
}

static void a_read_only_folder_is_seen_without_writing(void **state)
{
	struct tree *tree = tree_with_folder();
	const struct sysroot_hooks hooks = { .open = read_only };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(file_check_writable(tree->root, PATH, &err), 0);
	assert_int_equal(
		file_check_writable(tree->root, "/etc/no/such/file", &err), 0);
	sysroot_set_hooks(tree->root, &hooks);
	assert_int_equal(file_check_writable(tree->root, PATH, &err), -EROFS);
	assert_string_equal(err.text,
			    PATH ": cannot write: Read-only file system");
	tree_free(tree);
}

static void missing_folders_are_listed_once_and_outermost_first(void **state)
{
	struct tree *tree = tree_with_folder();
	struct folder_list list = { { 0 } };
	struct err err = { 0 };

	(void)state;
	folder_list_missing(tree->root, tree->arena, "/etc/a/b/c", &list);
	folder_list_missing(tree->root, tree->arena, "/etc/a/b/d", &list);
	assert_int_equal(list.paths.n, 2);
	assert_string_equal(list.paths.items[0], "/etc/a");
	assert_string_equal(list.paths.items[1], "/etc/a/b");
	assert_int_equal(folder_make(tree->root, "/etc/a", 0755, &err), 0);
	assert_int_equal(folder_make(tree->root, "/etc/a", 0755, &err), 0);
	tree_put(tree, "etc/a/file", "");
	assert_int_equal(folder_remove(tree->root, "/etc/a"), -ENOTEMPTY);
	tree_remove(tree, "etc/a/file");
	assert_int_equal(folder_remove(tree->root, "/etc/a"), 0);
	assert_int_equal(folder_remove(tree->root, "/etc/a"), 0);
	tree_free(tree);
}

static void links_lead_nowhere_outside_the_root(void **state)
{
	struct tree *tree = tree_with_folder();
	struct err err = { 0 };

	(void)state;
	tree_link(tree, "etc/out", "/");
	assert_int_equal(
		file_put(tree->root, "/etc/out/etc/x", "x\n", 0644, &err), 0);
	assert_string_equal(tree_get(tree, "etc/x"), "x\n");
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_staged_file_is_seen_only_when_published),
		cmocka_unit_test(a_discarded_file_leaves_the_old_one),
		cmocka_unit_test(what_a_crash_left_is_in_nobodys_way),
		cmocka_unit_test(a_new_file_never_replaces_what_is_there),
		cmocka_unit_test(nor_where_a_rename_would_replace),
		cmocka_unit_test(
			nor_where_there_are_no_links_and_no_modes_either),
		cmocka_unit_test(a_new_file_that_cannot_be_leaves_nothing),
		cmocka_unit_test(a_file_of_ours_has_its_mode_or_is_none),
		cmocka_unit_test(a_write_that_fails_half_way_leaves_nothing),
		cmocka_unit_test(a_link_is_no_file_of_ours),
		cmocka_unit_test(a_read_only_folder_is_seen_without_writing),
		cmocka_unit_test(
			missing_folders_are_listed_once_and_outermost_first),
		cmocka_unit_test(links_lead_nowhere_outside_the_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

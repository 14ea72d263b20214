/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>

#ifdef __has_include
#if __has_include(<xfs/xfs.h>)
#include <xfs/xfs.h>
#endif
#endif

/* The layout of a mounted XFS, with a stand-in for the kernel's answer. */

static struct tree *tree;
static const char *opened; /* which mount point */
static int open_fails;	   /* negative errno */
static int asked;	   /* ioctls of XFS */

static int open_mount(void *data, const char *path)
{
	(void)data;
	opened = arena_strdup(tree->arena, path);
	return open_fails ? open_fails :
			    open("/dev/null", O_RDONLY | O_CLOEXEC);
}

__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request,
						 ...);

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
#ifdef XFS_IOC_FSGEOMETRY
	if (request == XFS_IOC_FSGEOMETRY) {
		struct xfs_fsop_geom *geometry = arg;

		asked++;
		geometry->blocksize = 4096;
		geometry->agcount = 4;
		geometry->agblocks = 234421568;
		geometry->logblocks = 457853;
		return 0;
	}
#endif
	return (int)syscall(SYS_ioctl, fd, request, arg);
}

static int load(void **state)
{
	const struct sysroot_hooks hooks = { .mount = open_mount };

	(void)state;
	tree = tree_load("two-nodes");
	sysroot_set_hooks(tree->root, &hooks);
	opened = NULL;
	open_fails = 0;
	asked = 0;
	return 0;
}

static int unload(void **state)
{
	(void)state;
	tree_free(tree);
	return 0;
}

static const struct mount *mounted_as(const char *type)
{
	const struct facts *facts;

	tree_put(tree, "proc/self/mountinfo",
		 arena_printf(tree->arena,
			      "40 29 %s / /srv rw - %s /dev/nvme0n1 rw\n",
			      facts_ns(scanned(tree), "nvme0n1")->dev, type));
	asked = 0; /* of what the tree itself has mounted */
	facts = scanned(tree);
	assert_int_equal(facts_ns(facts, "nvme0n1")->mounts.n, 1);
	return &facts_ns(facts, "nvme0n1")->mounts.items[0];
}

static void layout_of_an_xfs_is_what_the_kernel_says(void **state)
{
	const struct mount *mount = mounted_as("xfs");

	(void)state;
	assert_string_equal(opened, "/srv");
#ifdef XFS_IOC_FSGEOMETRY
	assert_int_equal(asked, 1);
	assert_int_equal(num_or(mount->xfs.agcount, 0), 4);
	assert_int_equal(num_or(mount->xfs.ag_bytes, 0),
			 INT64_C(234421568) * 4096);
	assert_int_equal(num_or(mount->xfs.log_bytes, 0), 1875365888);
#else
	assert_int_equal(mount->xfs.agcount.why, EOPNOTSUPP);
#endif
}

static void another_file_system_is_not_asked(void **state)
{
	const struct mount *mount = mounted_as("ext4");

	(void)state;
	assert_int_equal(asked, 0);
	assert_false(mount->xfs.agcount.known);
	assert_int_equal(mount->xfs.agcount.why, 0);
}

static void a_mount_point_that_may_not_be_opened_is_unknown(void **state)
{
	const struct mount *mount;

	(void)state;
	open_fails = -EACCES;
	mount = mounted_as("xfs");
	assert_int_equal(asked, 0);
	assert_int_equal(mount->xfs.agcount.why, EACCES);
}

static void nothing_is_mounted_in_a_tree(void **state)
{
	const struct sysroot_hooks none = { 0 };
	const struct mount *mount;

	(void)state;
	sysroot_set_hooks(tree->root, &none);
	tree_put(tree, "srv/file", "");
	mount = mounted_as("xfs");
	assert_int_equal(asked, 0);
	assert_int_equal(mount->xfs.agcount.why, ENODEV);
}

static void a_recorded_root_says_what_the_live_one_said(void **state)
{
	const struct sysroot_hooks none = { 0 };
	const struct mount *mount;

	(void)state;
	sysroot_set_hooks(tree->root, &none);
	tree_put(tree,
		 arena_printf(tree->arena, "nvmetune.raw/xfs/%s",
			      facts_ns(scanned(tree), "nvme0n1")->dev),
		 "4 960190742528 1875365888\n");
	mount = mounted_as("xfs");
	assert_int_equal(asked, 0);
	assert_int_equal(num_or(mount->xfs.agcount, 0), 4);
	assert_int_equal(num_or(mount->xfs.log_bytes, 0), 1875365888);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, load, unload)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(layout_of_an_xfs_is_what_the_kernel_says),
		TEST(another_file_system_is_not_asked),
		TEST(a_mount_point_that_may_not_be_opened_is_unknown),
		TEST(nothing_is_mounted_in_a_tree),
		TEST(a_recorded_root_says_what_the_live_one_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

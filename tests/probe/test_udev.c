/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "probe/probe.h"

static void link_of_another_root_is_not_looked_up_here(void **state)
{
	struct tree *tree = tree_new();
	const char *name = NULL;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(probe_udev_resolve(tree->root, tree->arena,
					    "/dev/disk/by-id/x", &name, &err),
			 -EOPNOTSUPP);
	assert_null(name);
	assert_non_null(strstr(err.text, "/dev/disk/by-id/x"));
	tree_free(tree);
}

static void unknown_link_is_an_error_that_names_it(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	_cleanup_sysroot_ struct sysroot *live = NULL;
	const char *name = NULL;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(sysroot_open("/", &live, &err), 0);
	assert_int_equal(probe_udev_resolve(live, arena,
					    "/dev/disk/by-id/no-such-drive",
					    &name, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "no-such-drive"));
}

/* Works without a udev daemon: nodes are known from sysfs alone. */
static void node_of_a_block_device_leads_to_its_kernel_name(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	_cleanup_sysroot_ struct sysroot *live = NULL;
	struct names disks = { { 0 } };
	const char *name = NULL;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(sysroot_open("/", &live, &err), 0);
	(void)sysroot_list(live, arena, "sys/class/block", &disks);
	if (!disks.names.n)
		skip();
	assert_int_equal(probe_udev_resolve(live, arena,
					    arena_printf(arena, "/dev/%s",
							 disks.names.items[0]),
					    &name, &err),
			 0);
	assert_string_equal(name, disks.names.items[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(link_of_another_root_is_not_looked_up_here),
		cmocka_unit_test(unknown_link_is_an_error_that_names_it),
		cmocka_unit_test(
			node_of_a_block_device_leads_to_its_kernel_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

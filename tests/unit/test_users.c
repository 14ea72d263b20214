/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/users.h"
#include "host.h"

static int setup(void **state)
{
	*state = arena_new();
	return 0;
}

static int teardown(void **state)
{
	arena_free(*state);
	return 0;
}

static void nobody_is_no_user(void **state)
{
	assert_null(users_of_drives(*state, host_new(*state)));
}

static void mount_of_a_partition_is_named(void **state)
{
	struct facts *facts = host_new(*state);

	*vec_add(*state, &facts->namespaces.items[0].mounts) = (struct mount){
		.device = "nvme0n1p2", .where = "/", .type = "ext4"
	};
	assert_string_equal(users_of_drives(*state, facts),
			    "nvme0n1p2 is mounted on /");
}

static void md_is_named_with_what_is_mounted_from_it(void **state)
{
	struct facts *facts = host_new(*state);
	struct ns *ns = &facts->namespaces.items[0];

	*vec_add(*state, &ns->holders) = "md0";
	assert_string_equal(users_of_drives(*state, facts),
			    "nvme0n1 is a member of md0");
	*vec_add(*state, &ns->mounts) = (struct mount){ .device = "md0",
							.where = "/data",
							.type = "xfs" };
	assert_string_equal(users_of_drives(*state, facts),
			    "nvme0n1 is a member of md0 (mounted on /data)");
}

static void swap_is_a_user(void **state)
{
	struct facts *facts = host_new(*state);

	*vec_add(*state, &facts->namespaces.items[0].swaps) = "nvme0n1p3";
	assert_string_equal(users_of_drives(*state, facts),
			    "nvme0n1p3 is swap space");
}

static void drive_over_fabrics_needs_no_pcie_driver(void **state)
{
	struct facts *facts = host_new(*state);

	*vec_add(*state, &facts->namespaces.items[0].swaps) = "nvme0n1p3";
	facts->ctrls.items[0].transport = "tcp";
	assert_null(users_of_drives(*state, facts));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_is_no_user),
		cmocka_unit_test(mount_of_a_partition_is_named),
		cmocka_unit_test(md_is_named_with_what_is_mounted_from_it),
		cmocka_unit_test(swap_is_a_user),
		cmocka_unit_test(drive_over_fabrics_needs_no_pcie_driver),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}

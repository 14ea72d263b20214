/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include "bench/limit.h"
#include "bench/owners.h"

/* A disk with a partition that is mounted, on a tree whose counters are set
 * by hand. */
struct host {
	struct tree *tree;
	struct facts facts;
	struct ns *ns;
	struct uses uses;
	struct owners *owners;
};

static void put_stat(struct host *host, const char *device, unsigned int reads,
		     unsigned int read_ms, unsigned int writes,
		     unsigned int write_ms)
{
	tree_put(host->tree,
		 arena_printf(host->tree->arena, "sys/class/block/%s/stat",
			      device),
		 arena_printf(host->tree->arena,
			      "%u 0 %u %u %u 0 %u %u 0 0 0 0 0 0 0 0 0\n",
			      reads, reads * 8, read_ms, writes, writes * 8,
			      write_ms));
}

static int set_up(void **state)
{
	static struct host host;
	struct mount *mount;

	host = (struct host){ .tree = tree_new() };
	host.ns = vec_add(host.tree->arena, &host.facts.namespaces);
	host.ns->name = "nvme0n1";
	host.ns->dev = "259:0";
	vec_add(host.tree->arena, &host.ns->partitions)->name = "nvme0n1p1";
	mount = vec_add(host.tree->arena, &host.ns->mounts);
	mount->device = "nvme0n1p1";
	mount->where = "/srv";
	put_stat(&host, "nvme0n1", 900000, 90000, 900000, 90000);
	put_stat(&host, "nvme0n1p1", 10000, 1000, 500, 50);
	uses_init(host.tree->arena, &host.facts, host.ns, &host.uses);
	host.owners = owners_new(host.tree->arena, host.tree->root);
	*state = &host;
	return 0;
}

static int tear_down(void **state)
{
	struct host *host = *state;

	tree_free(host->tree);
	return 0;
}

static void start(struct host *host)
{
	struct err err = { 0 };

	if (owners_add(host->owners, &host->facts, &host->uses, &err) < 0)
		fail_msg("%s", err.text);
	put_stat(host, "nvme0n1p1", 11000, 1098, 600, 58);
	owners_start(host->owners);
}

static void partition_that_is_used_is_watched_and_not_our_reads(void **state)
{
	struct host *host = *state;
	struct err err = { 0 };

	start(host);
	put_stat(host, "nvme0n1", 910000, 190000, 900000, 90000);
	put_stat(host, "nvme0n1p1", 12000, 1200, 700, 70);
	assert_int_equal(owners_look(host->owners, &err), 0);
}

static void reads_that_wait_twice_as_long_end_it_with_the_figures(void **state)
{
	struct host *host = *state;
	struct err err = { 0 };

	start(host);
	put_stat(host, "nvme0n1p1", 12000, 1298, 600, 58);
	assert_int_equal(owners_look(host->owners, &err), -EBUSY);
	assert_string_equal(
		err.text,
		"nvme0n1p1: its users wait 200 us for a read instead of 100 us: no more is read from it");
}

static void writes_are_watched_apart_from_reads(void **state)
{
	struct host *host = *state;
	struct err err = { 0 };

	start(host);
	put_stat(host, "nvme0n1p1", 21000, 2098, 700, 98);
	assert_int_equal(owners_look(host->owners, &err), -EBUSY);
	assert_non_null(strstr(err.text, "400 us for a write instead of 100"));
}

static void counters_that_stand_still_for_a_while_end_nothing(void **state)
{
	struct host *host = *state;
	struct err err = { 0 };

	start(host);
	for (int i = 0; i < 3; i++)
		assert_int_equal(owners_look(host->owners, &err), 0);
	tree_remove(host->tree, "sys/class/block/nvme0n1p1/stat");
	assert_int_equal(owners_look(host->owners, &err), 0);
}

static void disk_that_does_not_count_cannot_be_watched(void **state)
{
	struct host *host = *state;
	struct err err = { 0 };

	tree_put(host->tree, "sys/class/block/nvme0n1/queue/iostats", "0\n");
	assert_int_equal(owners_add(host->owners, &host->facts, &host->uses,
				    &err),
			 -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "queue/iostats is 0"));
}

static void counters_that_cannot_be_read_are_no_promise(void **state)
{
	struct host *host = *state;
	struct err err = { 0 };

	tree_remove(host->tree, "sys/class/block/nvme0n1p1/stat");
	assert_int_equal(owners_add(host->owners, &host->facts, &host->uses,
				    &err),
			 -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "nvme0n1p1: "));
}

static void rate_is_shared_by_the_jobs_and_large_reads_are_fewer(void **state)
{
	const struct bench_limit limit = { .most_iops = 2000,
					   .most_bytes = 64 << 20 };
	struct bench_shape shape = { .block_bytes = 4096 };

	(void)state;
	assert_int_equal(bench_limit_gap_ns(NULL, &shape, 4), 0);
	assert_int_equal(bench_limit_gap_ns(&limit, &shape, 1), 500000);
	assert_int_equal(bench_limit_gap_ns(&limit, &shape, 4), 2000000);
	shape.block_bytes = 1 << 20;
	assert_int_equal(bench_limit_gap_ns(&limit, &shape, 1), 15625000);
	shape.gap_ns = 20000000;
	assert_int_equal(bench_limit_gap_ns(&limit, &shape, 1), 20000000);
	shape.block_bytes = 128 << 20;
	assert_int_equal(bench_limit_gap_ns(&limit, &shape, 1), 1000000000);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(partition_that_is_used_is_watched_and_not_our_reads),
		T(reads_that_wait_twice_as_long_end_it_with_the_figures),
		T(writes_are_watched_apart_from_reads),
		T(counters_that_stand_still_for_a_while_end_nothing),
		T(disk_that_does_not_count_cannot_be_watched),
		T(counters_that_cannot_be_read_are_no_promise),
		T(rate_is_shared_by_the_jobs_and_large_reads_are_fewer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "host.h"
#include "json/bench_json.h"

/* nvme0n1 of host_new() is on node 0; results name nodes 0 and 1. */

static struct arena *arena;
static struct facts *facts;
static struct bench_matrix matrix;
static struct cross_nodes nodes;

static int begin(void **state)
{
	(void)state;
	arena = arena_new();
	facts = host_new(arena);
	assert_int_equal(cpuset_parse_list(arena, "0-7", &facts->possible), 0);
	matrix = (struct bench_matrix){ 0 };
	nodes = (struct cross_nodes){ { 0 } };
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

/* A drive on node 0 with four slices on either node. */
static void drive(const char *name, uint64_t local, uint64_t remote)
{
	*vec_add(arena, &matrix.drives) = name;
	for (int64_t node = 0; node < 2; node++) {
		struct bench_cell *cell = vec_add(arena, &matrix.cells);
		uint64_t iops = node ? remote : local;

		*cell = (struct bench_cell){
			.drive = matrix.drives.n - 1,
			.node = node,
			.local = node == 0,
			.of_local_ppt = (int64_t)(iops * 1000 / local),
			.method = { .memory_bound = true, .block_bytes = 4096 },
			.summary = { .iops = iops,
				     .iops_min = iops,
				     .iops_max = iops },
		};
		for (int i = 0; i < 4; i++)
			vec_add(arena, &cell->slices)->iops = iops;
	}
}

static struct bench_cell *remote_cell(void)
{
	return &matrix.cells.items[1];
}

static const struct cross_node *judged(void)
{
	cross_node_judge(arena, facts, &matrix, &nodes);
	assert_true(nodes.items.n > 0);
	return &nodes.items.items[0];
}

static bool rules_out(const struct cross_node *item, const char *words)
{
	VEC_EACH(&item->ruled_out, const char *, it)
		if (strstr(*it, words))
			return true;
	return false;
}

static bool leaves(const struct cross_node *item, const char *words)
{
	VEC_EACH(&item->possible, const char *, it)
		if (strstr(*it, words))
			return true;
	return false;
}

static void half_and_more_is_usual_and_has_no_causes(void **state)
{
	const struct cross_node *item;

	(void)state;
	drive("nvme0n1", 900000, 450000);
	item = judged();
	assert_int_equal(item->state, CROSS_NODE_USUAL);
	assert_int_equal(item->kept_ppt, 500);
	assert_int_equal(item->local, 0);
	assert_int_equal(item->remote, 1);
	assert_int_equal(item->ruled_out.n + item->possible.n, 0);
}

static void less_than_half_is_abnormal(void **state)
{
	(void)state;
	drive("nvme0n1", 900000, 449000);
	assert_int_equal(judged()->state, CROSS_NODE_ABNORMAL);
	assert_null(judged()->sibling);
	assert_true(leaves(judged(), "the way between the nodes"));
}

static void less_than_half_of_what_a_sibling_keeps_is_abnormal(void **state)
{
	const struct cross_node *item;

	(void)state;
	drive("nvme0n1", 1000000, 510000);
	drive("nvme1n1", 100000, 103000);
	item = judged();
	assert_int_equal(item->state, CROSS_NODE_ABNORMAL);
	assert_string_equal(item->sibling, "nvme1n1");
	assert_true(
		rules_out(item, "the way between the nodes, which nvme1n1"));
	assert_false(leaves(item, "the way between the nodes"));
	assert_int_equal(item[1].state, CROSS_NODE_USUAL);
}

static void a_drive_on_another_node_is_no_sibling(void **state)
{
	(void)state;
	drive("nvme0n1", 1000000, 510000);
	drive("nvme1n1", 100000, 103000);
	matrix.cells.items[2].local = false;
	matrix.cells.items[3].local = true;
	assert_null(judged()->sibling);
	assert_int_equal(judged()->state, CROSS_NODE_USUAL);
}

static void lists_matter_for_large_reads_that_used_them_only(void **state)
{
	struct dma_pool *pool;

	(void)state;
	drive("nvme0n1", 900000, 100000);
	assert_true(rules_out(judged(), "a read of 4 KiB needs none"));

	remote_cell()->method.block_bytes = 131072;
	nodes.items.n = 0;
	assert_false(rules_out(judged(), "PRP lists"));
	assert_false(leaves(judged(), "PRP lists")); /* nobody looked */

	pool = vec_add(arena, &facts->ctrls.items[0].pools);
	*pool = (struct dma_pool){ .name = "prp list page" };
	nodes.items.n = 0;
	assert_true(rules_out(judged(), "no block was ever taken"));

	pool->blocks_ever = 80;
	nodes.items.n = 0;
	assert_true(leaves(judged(), "one pair of pools"));
}

static void what_the_host_has_decides_what_is_possible(void **state)
{
	struct ctrl *ctrl = &facts->ctrls.items[0];

	(void)state;
	drive("nvme0n1", 900000, 100000);
	assert_true(rules_out(judged(), "each CPU has its own"));
	assert_false(leaves(judged(), "IOMMU") || rules_out(judged(), "IOMMU"));

	ctrl->queues_default = num_known(2);
	ctrl->iommu_type = "DMA";
	facts->governor = "mixed";
	remote_cell()->summary.cpu_bound = true;
	remote_cell()->method.memory_bound = false;
	nodes.items.n = 0;
	assert_true(leaves(judged(), "up to 4 CPUs share a queue"));
	assert_true(leaves(judged(), "the IOMMU, which maps each read (DMA)"));
	assert_true(leaves(judged(), "governors differ"));
	assert_true(leaves(judged(), "the CPUs of node 1"));
	assert_true(leaves(judged(), "memory, which was not bound"));

	ctrl->iommu_type = "identity";
	nodes.items.n = 0;
	assert_true(rules_out(judged(), "it maps nothing"));
}

static void vectors_that_leave_the_node_out_are_possible(void **state)
{
	struct vector *vector = vec_add(arena, &facts->ctrls.items[0].vectors);

	(void)state;
	drive("nvme0n1", 900000, 100000);
	vector->queue = num_known(1);
	assert_false(leaves(judged(), "interrupts")); /* mask unknown */
	assert_int_equal(cpuset_parse_list(arena, "0-3", &vector->mask), 0);
	nodes.items.n = 0;
	assert_true(leaves(judged(), "interrupts: none goes to node 1"));
	assert_int_equal(cpuset_parse_list(arena, "0-5", &vector->mask), 0);
	nodes.items.n = 0;
	assert_false(leaves(judged(), "interrupts"));
}

static void a_link_that_carries_more_locally_is_not_the_cause(void **state)
{
	(void)state;
	facts->ctrls.items[0].link = (struct link){
		.speed_mts = num_known(16000),
		.width = num_known(4),
	};
	drive("nvme0n1", 885000, 179000);
	assert_true(rules_out(judged(), "the link: 9 % used"));
}

static void a_faster_remote_node_is_reversed(void **state)
{
	(void)state;
	drive("nvme0n1", 23800, 47200);
	assert_int_equal(judged()->state, CROSS_NODE_REVERSED);
	assert_int_equal(nodes.items.n, 1);
	assert_int_equal(judged()->possible.n, 0);
}

static void a_tenth_or_few_slices_or_overlap_reverse_nothing(void **state)
{
	(void)state;
	drive("nvme0n1", 100000, 109000);
	assert_int_equal(judged()->state, CROSS_NODE_USUAL);

	drive("nvme1n1", 23800, 47200);
	matrix.cells.items[3].slices.n = 3;
	nodes.items.n = 0;
	assert_int_equal(judged()[1].state, CROSS_NODE_USUAL);

	matrix.cells.items[3].slices.n = 4;
	matrix.cells.items[3].summary.iops_min = 23000;
	nodes.items.n = 0;
	assert_int_equal(judged()[1].state, CROSS_NODE_USUAL);
}

static void nothing_is_said_of_what_was_not_compared(void **state)
{
	(void)state;
	drive("nvme0n1", 900000, 100000);
	matrix.together = true;
	cross_node_judge(arena, facts, &matrix, &nodes);
	assert_int_equal(nodes.items.n, 0);

	matrix.together = false;
	remote_cell()->skipped = "no memory";
	cross_node_judge(arena, facts, &matrix, &nodes);
	assert_int_equal(nodes.items.n, 0);

	remote_cell()->skipped = NULL;
	matrix.cells.items[0].local = false;
	cross_node_judge(arena, facts, &matrix, &nodes);
	assert_int_equal(nodes.items.n, 0);
}

static void a_drive_that_the_facts_lack_is_judged_all_the_same(void **state)
{
	(void)state;
	drive("nvme9n1", 900000, 100000);
	assert_int_equal(judged()->state, CROSS_NODE_ABNORMAL);
	assert_true(rules_out(judged(), "PRP lists"));
	assert_false(rules_out(judged(), "link"));
}

/* As a sweep over the depth has them. */
static void cells_of_one_node_lose_nothing_to_each_other(void **state)
{
	(void)state;
	drive("nvme0n1", 900000, 100000);
	remote_cell()->node = 0;
	remote_cell()->local = true;
	cross_node_judge(arena, facts, &matrix, &nodes);
	assert_int_equal(nodes.items.n, 0);
}

static int read_back(const char *text, struct err *err)
{
	return bench_matrix_from_json(arena, text, strlen(text), &matrix, err);
}

static void a_saved_result_comes_back_as_far_as_it_is_judged(void **state)
{
	static const char text[] =
		"{\"schema\":\"nvmetune.bench/1\",\"cells\":["
		"{\"drive\":\"a\",\"node\":1,\"local\":true,\"iops\":800,"
		"\"iops_min\":700,\"slices\":[{\"iops\":700},{\"iops\":900}],"
		"\"method\":{\"block_bytes\":4096,\"memory_bound\":true}},"
		"{\"drive\":\"a\",\"node\":0,\"local\":false,\"iops\":600},"
		"{\"drive\":\"b\",\"node\":0,\"skipped\":\"why\"}]}";
	struct err err = { 0 };

	(void)state;
	assert_int_equal(read_back(text, &err), 0);
	assert_int_equal(matrix.drives.n, 2);
	assert_int_equal(matrix.cells.n, 3);
	assert_int_equal(matrix.cells.items[0].summary.iops_min, 700);
	assert_int_equal(matrix.cells.items[0].summary.iops_max, 800);
	assert_int_equal(matrix.cells.items[0].slices.n, 2);
	assert_true(matrix.cells.items[0].method.memory_bound);
	assert_int_equal(matrix.cells.items[1].of_local_ppt, 750);
	assert_string_equal(matrix.cells.items[2].skipped, "why");
	assert_int_equal(matrix.cells.items[2].of_local_ppt, -1);
}

static void a_damaged_result_is_refused_with_its_place(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} rows[] = {
		{ "{", "" },
		{ "{\"cells\":[]}", "schema" },
		{ "{\"schema\":\"nvmetune.facts/1\",\"cells\":[]}", "schema" },
		{ "{\"schema\":\"nvmetune.bench/1\"}", "cells: no array" },
		{ "{\"schema\":\"nvmetune.bench/1\",\"cells\":[{}]}",
		  "cells[0]: names no drive" },
		{ "{\"schema\":\"nvmetune.bench/1\",\"cells\":[1]}",
		  "cells[0]" },
		{ "{\"schema\":\"nvmetune.bench/1\",\"cells\":[{\"drive\":\"a\",\"iops\":-1}]}",
		  "cells[0].iops" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };

		assert_int_equal(read_back(rows[i].text, &err), -EBADMSG);
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s: says \"%s\"", rows[i].text, err.text);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(half_and_more_is_usual_and_has_no_causes),
		TEST(less_than_half_is_abnormal),
		TEST(less_than_half_of_what_a_sibling_keeps_is_abnormal),
		TEST(a_drive_on_another_node_is_no_sibling),
		TEST(lists_matter_for_large_reads_that_used_them_only),
		TEST(what_the_host_has_decides_what_is_possible),
		TEST(vectors_that_leave_the_node_out_are_possible),
		TEST(a_link_that_carries_more_locally_is_not_the_cause),
		TEST(a_faster_remote_node_is_reversed),
		TEST(a_tenth_or_few_slices_or_overlap_reverse_nothing),
		TEST(nothing_is_said_of_what_was_not_compared),
		TEST(a_drive_that_the_facts_lack_is_judged_all_the_same),
		TEST(cells_of_one_node_lose_nothing_to_each_other),
		TEST(a_saved_result_comes_back_as_far_as_it_is_judged),
		TEST(a_damaged_result_is_refused_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

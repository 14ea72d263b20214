/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "probe/probe.h"

/* Two looks at the tree two-nodes, between which a test changes files. */

#define VECTOR "sys/kernel/irq/37/per_cpu_count"
#define STAT "sys/class/block/nvme0n1/stat"

static const char softirqs_before[] =
	"                    CPU0       CPU1       CPU3\n"
	"          HI:          0          1          7\n"
	"       BLOCK:        100          0 4294967290\n"
	"         RCU:          1          2          3\n";
static const char softirqs_after[] =
	"                    CPU0       CPU1       CPU3\n"
	"          HI:          0          1          7\n"
	"       BLOCK:       1100          0          4\n"
	"         RCU:          9          9          9\n";

static struct tree *tree;
static struct facts *facts;
static struct counters *before;

static int load(void **state)
{
	(void)state;
	tree = tree_load("two-nodes");
	tree_put(tree, "proc/softirqs", softirqs_before);
	tree_put(tree, "proc/stat",
		 "cpu  9 9 9 9 9 9 9 9 0 0\n"
		 "cpu0 100 10 50 1000 20 1 2 3 0 0\n"
		 "cpu3 7 0 0 0 0 0 0 0 0 0\n"
		 "intr 1 2 3\n");
	tree_put(tree, STAT, "10 0 80 5 20 0 160 9 1 44 50 0 0 0 0 3 1\n");
	facts = (struct facts *)scanned(tree);
	before = probe_counters(tree->root, facts, tree->arena);
	return 0;
}

static int unload(void **state)
{
	(void)state;
	tree_free(tree);
	return 0;
}

static const struct samples *sampled(void)
{
	struct counters *after = probe_counters(tree->root, facts, tree->arena);

	probe_samples(before, after, tree->arena, facts);
	assert_true(facts->samples.interval_ms.known);
	return &facts->samples;
}

static const struct vector_sample *vector(const struct samples *samples,
					  int64_t irq)
{
	VEC_EACH(&samples->vectors, const struct vector_sample, it)
		if (it->irq == irq)
			return it;
	return NULL;
}

static void scanning_alone_takes_no_samples(void **state)
{
	(void)state;
	assert_false(facts->samples.interval_ms.known);
	assert_int_equal(facts->samples.vectors.n, 0);
}

static void interrupts_are_counted_by_cpu(void **state)
{
	const struct vector_sample *it;

	(void)state;
	tree_put(tree, VECTOR, "0,500,0,45\n");
	it = vector(sampled(), 37);
	assert_non_null(it);
	assert_string_equal(it->ctrl, "nvme0");
	assert_int_equal(num_or(it->queue, -1), 3);
	assert_string_equal(cpus_of(tree, &it->interrupts.cpus), "1,3");
	assert_int_equal(it->interrupts.counts.n, 2);
	assert_int_equal(it->interrupts.counts.items[0], 500);
	assert_int_equal(it->interrupts.counts.items[1], 42);
}

static void a_quiet_vector_is_there_without_cpus(void **state)
{
	const struct vector_sample *it = vector(sampled(), 37);

	(void)state;
	assert_non_null(it);
	assert_true(cpuset_is_empty(&it->interrupts.cpus));
}

static void a_vector_that_was_set_back_or_is_gone_is_unknown(void **state)
{
	(void)state;
	tree_put(tree, VECTOR, "0,0,0,2\n");
	assert_null(vector(sampled(), 37));
	tree_put(tree, VECTOR, "0,0,3\n");
	assert_null(vector(sampled(), 37));
	tree_remove(tree, VECTOR);
	assert_null(vector(sampled(), 37));
	assert_non_null(vector(sampled(), 35));
}

static void completion_softirqs_come_round_at_32_bits(void **state)
{
	const struct samples *samples;
	const struct cpu_counts *raised;

	(void)state;
	tree_put(tree, "proc/softirqs", softirqs_after);
	samples = sampled();
	assert_int_equal(samples->softirqs.n, 1);
	assert_string_equal(samples->softirqs.items[0].name, "BLOCK");
	raised = &samples->softirqs.items[0].raised;
	assert_string_equal(cpus_of(tree, &raised->cpus), "0,3");
	assert_int_equal(raised->counts.items[0], 1000);
	assert_int_equal(raised->counts.items[1], 10);
}

static void time_is_in_milliseconds_and_never_goes_back(void **state)
{
	const struct cpu_sample *cpu;
	int64_t tick = 1000 / sysconf(_SC_CLK_TCK);

	(void)state;
	tree_put(tree, "proc/stat",
		 "cpu  9 9 9 9 9 9 9 9 0 0\n"
		 "cpu0 130 15 60 1040 19 3 7 4 0 0\n"
		 "cpu5 7 0 0 0 0 0 0 0 0 0\n");
	assert_int_equal(sampled()->cpus.n, 1);
	cpu = &facts->samples.cpus.items[0];
	assert_int_equal(cpu->cpu, 0);
	assert_int_equal(num_or(cpu->user_ms, -1), 35 * tick);
	assert_int_equal(num_or(cpu->system_ms, -1), 10 * tick);
	assert_int_equal(num_or(cpu->idle_ms, -1), 40 * tick);
	assert_int_equal(num_or(cpu->irq_ms, -1), 2 * tick);
	assert_int_equal(num_or(cpu->softirq_ms, -1), 5 * tick);
	assert_int_equal(num_or(cpu->steal_ms, -1), 1 * tick);
	/* The kernel takes back what it called waiting. */
	assert_false(cpu->iowait_ms.known);
	assert_int_equal(cpu->iowait_ms.why, ERANGE);
}

static void disks_have_what_they_did(void **state)
{
	const struct disk_sample *disk;

	(void)state;
	tree_put(tree, STAT,
		 "1010 0 8080 105 20 0 160 9 7 94 50 0 0 0 0 5 1\n");
	assert_int_equal(sampled()->disks.n, 1);
	disk = &facts->samples.disks.items[0];
	assert_string_equal(disk->disk, "nvme0n1");
	assert_int_equal(num_or(disk->reads, -1), 1000);
	assert_int_equal(num_or(disk->read_kb, -1), 4000);
	assert_int_equal(num_or(disk->read_ms, -1), 100);
	assert_int_equal(num_or(disk->writes, -1), 0);
	assert_int_equal(num_or(disk->flushes, -1), 2);
	assert_int_equal(num_or(disk->busy_ms, -1), 50);
	assert_int_equal(num_or(disk->in_flight, -1), 7);
}

static void an_old_kernel_counts_no_flushes(void **state)
{
	(void)state;
	tree_put(tree, STAT, "1010 0 8080 105 20 0 160 9 7 94 50 0 0 0 0\n");
	assert_int_equal(sampled()->disks.n, 1);
	assert_false(facts->samples.disks.items[0].flushes.known);
	assert_int_equal(num_or(facts->samples.disks.items[0].discards, -1), 0);
	tree_put(tree, STAT, "1010 0 8080\n");
	assert_int_equal(sampled()->disks.n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, load, unload)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(scanning_alone_takes_no_samples),
		TEST(interrupts_are_counted_by_cpu),
		TEST(a_quiet_vector_is_there_without_cpus),
		TEST(a_vector_that_was_set_back_or_is_gone_is_unknown),
		TEST(completion_softirqs_come_round_at_32_bits),
		TEST(time_is_in_milliseconds_and_never_goes_back),
		TEST(disks_have_what_they_did),
		TEST(an_old_kernel_counts_no_flushes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

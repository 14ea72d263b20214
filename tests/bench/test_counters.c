/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"
#include "tree.h"

#include "base/arena.h"
#include "bench/counters.h"
#include "bench/host_watch.h"
#include "bench/void.h"

#define S INT64_C(1000000000)

static int set_up(void **state)
{
	*state = tree_new();
	return 0;
}

static int tear_down(void **state)
{
	tree_free(*state);
	return 0;
}

static struct cpuset cpus_of(struct tree *tree, const char *list)
{
	struct cpuset cpus;

	assert_int_equal(cpuset_parse_list(tree->arena, list, &cpus), 0);
	return cpus;
}

/* Time has passed by the counters alone. */
static struct counters_span
span_of(struct tree *tree, const struct counters_look *before, const char *list)
{
	struct cpuset cpus = cpus_of(tree, list);
	struct counters_look after = { 0 };

	counters_read(tree->root, tree->arena, &after);
	return counters_between(before, &after, &cpus);
}

static void all_tasks_run_time_is_field_7_of_the_cpus_asked(void **state)
{
	struct tree *tree = *state;
	struct counters_look before = { 0 };
	struct counters_span span;

	tree_put(tree, "proc/schedstat",
		 "version 15\ntimestamp 4295\n"
		 "cpu0 1 2 3 4 5 6 1000 8 9\ndomain0 3 0 0 0 0\n"
		 "cpu1 1 2 3 4 5 6 5000 8 9\n"
		 "cpu2 1 2 3 4 5 6 7000 8 9\n");
	tree_put(tree, "proc/stat", "cpu  9 9 9 9 9 9 9 9 0 0\n");
	counters_read(tree->root, tree->arena, &before);
	tree_put(tree, "proc/schedstat",
		 "version 15\ntimestamp 4296\n"
		 "cpu0 1 2 3 4 5 6 1700 8 9\ndomain0 3 0 0 0 0\n"
		 "cpu1 1 2 3 4 5 6 9999 8 9\n"
		 "cpu2 1 2 3 4 5 6 7042 8 9\n");
	span = span_of(tree, &before, "0,2");
	assert_true(span.run_ns.known);
	assert_int_equal(span.run_ns.value, 742);
	assert_false(span.busy_ns.known && span.busy_ns.value);
}

static void kernel_without_schedstat_has_ticks_and_says_so(void **state)
{
	struct tree *tree = *state;
	struct counters_look before = { 0 };
	struct counters_span span;

	tree_put(tree, "proc/stat",
		 "cpu  0 0 0 0 0 0 0 0 0 0\n"
		 "cpu0 10 1 20 900 50 2 3 4 7 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n");
	counters_read(tree->root, tree->arena, &before);
	tree_put(tree, "proc/stat",
		 "cpu  0 0 0 0 0 0 0 0 0 0\n"
		 "cpu0 60 2 40 950 90 4 6 9 7 0\ncpu1 9 9 9 9 9 9 9 9 9 0\n");
	span = span_of(tree, &before, "0");
	assert_false(span.run_ns.known);
	/* user, nice, system, irq and softirq; not idle, iowait and steal */
	assert_int_equal(span.busy_ns.value, (50 + 1 + 20 + 2 + 3) * S / 100);
	assert_int_equal(span.user_ns.value, (50 + 1) * S / 100);
	assert_int_equal(span.steal_ns.value, 5 * S / 100);
	assert_int_equal(span.offline.value, 0);
}

static void schedstat_that_never_moves_is_not_counted(void **state)
{
	static const char stuck[] = "cpu0 0 0 0 0 0 0 0 0 0\n";
	struct tree *tree = *state;
	struct counters_look before = { 0 };

	tree_put(tree, "proc/schedstat", stuck);
	counters_read(tree->root, tree->arena, &before);
	assert_false(span_of(tree, &before, "0").run_ns.known);
}

static void nothing_readable_is_unknown_and_never_0(void **state)
{
	struct tree *tree = *state;
	struct counters_look before = { 0 };
	struct counters_disk disk = counters_read_disk(tree->root, "nvme0n1");
	struct counters_span span;

	counters_read(tree->root, tree->arena, &before);
	span = span_of(tree, &before, "0");
	assert_false(span.run_ns.known);
	assert_false(span.offline.known);
	assert_false(disk.known);
	assert_false(counters_disk_between(&disk, &disk).known);
}

static void cpu_that_went_away_is_told(void **state)
{
	struct tree *tree = *state;
	struct counters_look before = { 0 };

	tree_put(tree, "proc/stat",
		 "cpu0 1 1 1 1 1 1 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\n");
	counters_read(tree->root, tree->arena, &before);
	tree_put(tree, "proc/stat", "cpu0 1 1 1 1 1 1 1 1 0 0\n");
	assert_int_equal(span_of(tree, &before, "0").offline.value, 0);
	assert_int_equal(span_of(tree, &before, "0-1").offline.value, 1);
}

/* A queue's CPUs are those that there could be, not those that there are. */
static void cpu_that_was_never_there_takes_nothing_away(void **state)
{
	struct tree *tree = *state;
	struct counters_look before = { 0 };
	struct counters_span span;

	tree_put(tree, "proc/schedstat", "cpu0 1 2 3 4 5 6 1000 8 9\n");
	tree_put(tree, "proc/stat", "cpu0 10 1 20 900 50 2 3 4 7 0\n");
	counters_read(tree->root, tree->arena, &before);
	tree_put(tree, "proc/schedstat", "cpu0 1 2 3 4 5 6 1700 8 9\n");
	tree_put(tree, "proc/stat", "cpu0 60 1 20 950 90 2 3 9 7 0\n");
	span = span_of(tree, &before, "0,64");
	assert_true(span.run_ns.known);
	assert_int_equal(span.run_ns.value, 700);
	assert_int_equal(span.busy_ns.value, 50 * S / 100);
	assert_int_equal(span.steal_ns.value, 5 * S / 100);
	assert_int_equal(span.offline.value, 0);
	/* Of it alone nothing is known. */
	span = span_of(tree, &before, "64");
	assert_false(span.run_ns.known);
	assert_false(span.steal_ns.known);
	/* Nor of one that came meanwhile. */
	tree_put(tree, "proc/stat",
		 "cpu0 60 1 20 950 90 2 3 9 7 0\ncpu64 1 1 1 1 1 1 1 1 0 0\n");
	assert_false(span_of(tree, &before, "0,64").busy_ns.known);
}

static void disk_tells_merges_and_who_else_is_there(void **state)
{
	struct tree *tree = *state;
	struct counters_ours ours = { .ios = 1000,
				      .elapsed_ns = 2 * S,
				      .block_bytes = 4096 };
	struct counters_disk before, after, span;

	tree_put(tree, "sys/class/block/nvme0n1/stat",
		 "  100 5 800 9 10 1 80 7 0 0 0 0 0 0 0 2 1\n");
	before = counters_read_disk(tree->root, "nvme0n1");
	/* 1000 of ours, one of 8 blocks, and 3 writes */
	tree_put(tree, "sys/class/block/nvme0n1/stat",
		 " 1101 7 8864 19 13 1 180 9 0 0 0 0 0 0 0 2 1\n");
	after = counters_read_disk(tree->root, "nvme0n1");
	span = counters_disk_between(&before, &after);
	assert_true(span.known);
	assert_int_equal(span.merges, 2);
	assert_int_equal(counters_foreign(&span, 2 * S, &ours).value, 8 + 3);
	/* In 10 ms we do 5 ourselves. */
	ours.skew_ns = S / 100;
	assert_int_equal(counters_foreign(&span, 2 * S, &ours).value,
			 8 + 3 - 5);
	ours.skew_ns = S;
	assert_int_equal(counters_foreign(&span, 2 * S, &ours).value, 0);
	ours.skew_ns = 0;
	/* The same in twice the time is less than what is ours. */
	assert_int_equal(counters_foreign(&span, 4 * S, &ours).value, 2);
	assert_false(counters_disk_between(&after, &before).known);
}

static void disk_that_does_not_count_tells_nothing(void **state)
{
	const struct counters_ours ours = { .ios = 1000,
					    .elapsed_ns = 2 * S,
					    .block_bytes = 4096 };
	const struct counters_disk still = { .known = true };

	(void)state;
	assert_false(counters_foreign(&still, 2 * S, &ours).known);
}

static void slice_is_void_only_by_what_is_not_its_figure(void **state)
{
	struct bench_method method = { .jobs = 4, .depth = 8 };
	const struct bench_slice good = {
		.ios = 100000,
		.elapsed_ns = 2000000000,
		.involuntary_switches = 400,
		.steal_ppt = num_known(10),
		.offline = num_known(0),
		.foreign_ios = num_known(500 + 32),
	};
	struct bench_slice slice = good;

	(void)state;
	assert_null(void_why(&good, &method));
	slice.iops = 1;
	assert_null(void_why(&slice, &method));
	slice.steal_ppt = num_known(11);
	assert_non_null(strstr(void_why(&slice, &method), "hypervisor"));
	slice = good;
	slice.foreign_ios = num_known(500 + 33);
	assert_non_null(strstr(void_why(&slice, &method), "others did"));
	method.most_iops = 2000; /* others are known to use it */
	assert_null(void_why(&slice, &method));
	method.most_iops = 0;
	slice = good;
	slice.involuntary_switches = 401;
	assert_non_null(strstr(void_why(&slice, &method), "50 times"));
	slice.others_ppt = num_known(21);
	assert_non_null(strstr(void_why(&slice, &method), "50 times"));
	/* It was kernel threads, which work for our I/Os. */
	slice.others_ppt = num_known(20);
	assert_null(void_why(&slice, &method));
	slice = good;
	slice.offline = num_known(1);
	assert_non_null(strstr(void_why(&slice, &method), "offline"));
	slice = good;
	slice.errors = 1;
	assert_non_null(strstr(void_why(&slice, &method), "failed"));
	slice = good;
	slice.steal_ppt = slice.foreign_ios = slice.offline = num_unknown(1);
	assert_null(void_why(&slice, &method));
}

static void put_state(struct tree *tree, const char *schedstat,
		      const char *disk)
{
	tree_put(tree, "proc/schedstat", schedstat);
	tree_put(tree, "sys/class/block/nvme0c0n1/stat", disk);
	tree_put(tree, "sys/class/block/nvme0n1/stat",
		 "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
}

/*
 * A head whose disk counts nothing: its path does.  The worker is on CPU 0,
 * its queue serves CPUs 0-1 and interrupts CPU 2; what CPU 3 does is nobody's
 * business.
 */
static void head_is_watched_on_its_paths_and_interrupt_cpus(void **state)
{
	struct tree *tree = *state;
	struct facts facts = { 0 };
	struct bench_drive drive = { .name = "nvme0n1", .facts = &facts };
	struct cpuset workers = cpus_of(tree, "0");
	struct host_watch *watch = host_watch_new(tree->arena, tree->root);
	struct bench_method method = { .jobs = 1,
				       .depth = 1,
				       .block_bytes = 4096 };
	struct bench_slice slice = { .ios = 10, .elapsed_ns = 1 << 20 };
	struct ctrl *ctrl = vec_add(tree->arena, &facts.ctrls);
	struct vector *vector = vec_add(tree->arena, &ctrl->vectors);
	struct ns *path, *head;
	size_t group = 0;

	ctrl->name = "nvme0";
	vector->queue = num_known(1);
	vector->mask = cpus_of(tree, "0-1");
	vector->effective = cpus_of(tree, "2");
	*vec_add(tree->arena, &facts.namespaces) = (struct ns){
		.name = "nvme0n1", .kind = NS_HEAD, .subsystem = "s"
	};
	path = vec_add(tree->arena, &facts.namespaces);
	*path = (struct ns){ .name = "nvme0c0n1",
			     .kind = NS_PATH,
			     .ctrl = "nvme0",
			     .head = "nvme0n1",
			     .subsystem = "s" };
	vec_add(tree->arena, &path->hw_queues)->cpus = cpus_of(tree, "0-1");
	vec_add(tree->arena, &path->hw_queues)->cpus = cpus_of(tree, "3");
	head = &facts.namespaces.items[0];
	drive.ns = head;
	host_watch_add(watch, &drive, &workers);
	put_state(tree,
		  "cpu0 0 0 0 0 0 0 10 0 0\ncpu1 0 0 0 0 0 0 20 0 0\n"
		  "cpu2 0 0 0 0 0 0 30 0 0\ncpu3 0 0 0 0 0 0 40 0 0\n",
		  "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	host_watch_switch(watch);
	host_watch_begin(watch, &group, 1);
	put_state(tree,
		  "cpu0 0 0 0 0 0 0 1000000010 0 0\n"
		  "cpu1 0 0 0 0 0 0 2000000020 0 0\n"
		  "cpu2 0 0 0 0 0 0 4000000030 0 0\n"
		  "cpu3 0 0 0 0 0 0 9000000000000040 0 0\n",
		  "10 3 80 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	host_watch_switch(watch);
	host_watch_end(watch, &group, 1, &method, &slice);
	assert_int_equal(slice.cpu_source, BENCH_CPU_SCHEDSTAT);
	/* However long this test took, CPU 3 would be a thousand times it. */
	assert_true(slice.run_ns > 0);
	assert_true(slice.run_ns < UINT64_C(7) * 1000000000 * 1000);
	assert_true(slice.merges.known);
	assert_int_equal(slice.merges.value, 3);
	assert_true(slice.foreign_ios.known);
}

/* A drive with its admin vector 40 and a queue's 41, and a line, 42, that
 * others use too; CPUs 0, 1 and 3 are possible. */
static struct host_watch *watch_interrupts(struct tree *tree)
{
	struct facts *facts = ARENA_NEW(tree->arena, struct facts);
	struct bench_drive *drive = ARENA_NEW(tree->arena, struct bench_drive);
	struct cpuset workers = cpus_of(tree, "0");
	struct host_watch *watch = host_watch_new(tree->arena, tree->root);
	struct ctrl *ctrl = vec_add(tree->arena, &facts->ctrls);
	struct ns *ns = vec_add(tree->arena, &facts->namespaces);

	facts->possible = cpus_of(tree, "0-1,3");
	ctrl->name = "nvme0";
	for (int64_t i = 0; i < 3; i++)
		*vec_add(tree->arena, &ctrl->vectors) =
			(struct vector){ .irq = 40 + i,
					 .queue = num_known(i),
					 .shared = num_known(i == 2) };
	*ns = (struct ns){ .name = "nvme0n1", .ctrl = "nvme0" };
	*drive = (struct bench_drive){ .name = "nvme0n1",
				       .facts = facts,
				       .ns = ns };
	host_watch_add(watch, drive, &workers);
	return watch;
}

static void put_counts(struct tree *tree, const char *admin, const char *queue,
		       const char *others)
{
	tree_put(tree, "sys/kernel/irq/40/per_cpu_count", admin);
	tree_put(tree, "sys/kernel/irq/41/per_cpu_count", queue);
	tree_put(tree, "sys/kernel/irq/42/per_cpu_count", others);
}

/* What is between the two looks of a slice. */
static struct bench_slice slice_with(struct tree *tree,
				     struct host_watch *watch,
				     const char *admin, const char *queue,
				     const char *others)
{
	struct bench_method method = { .jobs = 1, .depth = 1 };
	struct bench_slice slice = { .ios = 10, .elapsed_ns = 1000 };
	size_t group = 0;

	host_watch_switch(watch);
	host_watch_begin(watch, &group, 1);
	put_counts(tree, admin, queue, others);
	host_watch_switch(watch);
	host_watch_end(watch, &group, 1, &method, &slice);
	return slice;
}

static void interrupts_of_a_drive_are_counted_cpu_by_cpu(void **state)
{
	struct tree *tree = *state;
	struct host_watch *watch = watch_interrupts(tree);
	struct bench_slice slice;

	put_counts(tree, "5,0,0\n", "0,4294967290,7\n", "0,0,0\n");
	/* Counters have 32 bits. */
	slice = slice_with(tree, watch, "6,0,0\n", "0,4,1007\n", "9,9,9\n");
	assert_true(slice.has_interrupts);
	assert_int_equal(slice.interrupts.counts.n, 3);
	assert_true(cpuset_has(&slice.interrupts.cpus, 3));
	assert_int_equal(slice.interrupts.counts.items[0], 1);
	assert_int_equal(slice.interrupts.counts.items[1], 10);
	assert_int_equal(slice.interrupts.counts.items[2], 1000);
	/* The next slice begins where this one ended. */
	slice = slice_with(tree, watch, "6,0,0\n", "0,4,1007\n", "9,9,9\n");
	assert_true(slice.has_interrupts);
	assert_int_equal(slice.interrupts.counts.n, 0);
}

static void interrupts_that_cannot_be_counted_are_unknown(void **state)
{
	struct tree *tree = *state;
	struct host_watch *watch = watch_interrupts(tree);

	put_counts(tree, "5,0,0\n", "0,6,7\n", "0,0,0\n");
	/* The vector was made anew. */
	assert_false(slice_with(tree, watch, "6,0,0\n", "0,0,8\n", "0,0,0\n")
			     .has_interrupts);
	/* CPUs that nobody knew of. */
	assert_false(slice_with(tree, watch, "6,0,0\n", "0,0,8,9\n", "0,0,0\n")
			     .has_interrupts);
	assert_false(slice_with(tree, watch, "6,0,0\n", "0,0,x\n", "0,0,0\n")
			     .has_interrupts);
}

static void host_that_is_not_seen_leaves_the_threads_own_time(void **state)
{
	struct tree *tree = *state;
	struct host_watch *watch = host_watch_new(tree->arena, NULL);
	struct bench_drive drive = { .name = "memory" };
	struct cpuset workers = cpus_of(tree, "0");
	struct bench_method method = { .jobs = 1,
				       .depth = 1,
				       .block_bytes = 4096 };
	struct bench_slice slice = { .ios = 10,
				     .elapsed_ns = 1000,
				     .cpu_ns = 250 };
	size_t group = 0;

	host_watch_add(watch, &drive, &workers);
	host_watch_switch(watch);
	host_watch_begin(watch, &group, 1);
	host_watch_switch(watch);
	host_watch_end(watch, &group, 1, &method, &slice);
	assert_int_equal(slice.cpu_source, BENCH_CPU_THREADS);
	assert_int_equal(slice.run_ns, 250);
	assert_int_equal(slice.sleep_ppt, 750);
	assert_false(slice.steal_ppt.known);
	assert_false(slice.others_ppt.known);
	assert_false(slice.foreign_ios.known);
	assert_false(slice.merges.known);
	assert_null(slice.void_why);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(all_tasks_run_time_is_field_7_of_the_cpus_asked),
		T(kernel_without_schedstat_has_ticks_and_says_so),
		T(schedstat_that_never_moves_is_not_counted),
		T(nothing_readable_is_unknown_and_never_0),
		T(cpu_that_went_away_is_told),
		T(cpu_that_was_never_there_takes_nothing_away),
		T(disk_tells_merges_and_who_else_is_there),
		T(disk_that_does_not_count_tells_nothing),
		T(slice_is_void_only_by_what_is_not_its_figure),
		T(head_is_watched_on_its_paths_and_interrupt_cpus),
		T(interrupts_of_a_drive_are_counted_cpu_by_cpu),
		T(interrupts_that_cannot_be_counted_are_unknown),
		T(host_that_is_not_seen_leaves_the_threads_own_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"
#include "tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/matrix.h"
#include "write/layout.h"

#define SIZE (UINT64_C(1) << 20)

struct host {
	struct arena *arena;
	struct binding place;
	struct bench_session_config config;
	struct bench_drive drive;
	const struct bench_shape *shape; /* NULL: the defaults */
};

static int set_up(void **state)
{
	static struct host host;

	host = (struct host){
		.arena = arena_new(),
		.config = {
			.jobs = 2,
			.depth = 8,
			.seed = 1,
			.settle_ms = 5,
			.measure_ms = 30,
			.hang_ms = 60000, /* of a machine that is busy */
		},
		.drive = memory_drive("memory", SIZE),
	};
	host.place = anywhere(host.arena);
	*state = &host;
	return 0;
}

static int tear_down(void **state)
{
	struct host *host = *state;

	(void)close(host->drive.fd);
	arena_free(host->arena);
	return 0;
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static size_t start(struct host *host, struct bench_session **session)
{
	struct err err = { 0 };
	size_t group = 0;

	if (bench_session_new(session, host->arena, &host->config, &err) < 0 ||
	    bench_session_add(*session, &host->drive, &host->place, host->shape,
			      &group, &err) < 0 ||
	    bench_session_run(*session, &group, 1, &err) < 0)
		fail_msg("%s", err.text);
	return group;
}

static void a_slice_counts_what_was_read_in_its_time_only(void **state)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	struct host *host = *state;
	struct bench_slice slice;
	size_t group = start(host, &session);

	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(bench_session_measure(session, &group, 1,
						       &slice, NULL),
				 0);
		assert_int_equal(slice.sequence, i);
		assert_int_equal(slice.errors, 0);
		assert_int_equal(slice.ios, slice.latency->count);
		assert_true(slice.elapsed_ns >= 25000000);
		/* A rate and a count that belong to one another. */
		assert_true((double)slice.iops * (double)slice.elapsed_ns /
				    1e9 >
			    (double)slice.ios * 0.5);
		assert_true(slice.cpu_ns > 0);
		assert_true(slice.in_flight_milli > 0);
		/* Little's law, whatever the host did meanwhile. */
		assert_in_range(slice.held_milli * 100,
				slice.in_flight_milli * 98,
				slice.in_flight_milli * 102);
		assert_null(slice.writes);
		assert_true(slice.zero_ppt.known);
		assert_int_equal(slice.zero_ppt.value, 1000);
	}
	assert_int_equal(bench_session_pause(session, &group, 1, NULL), 0);
}

static void jobs_are_as_many_as_cpus_at_most(void **state)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	struct host *host = *state;
	unsigned int nr_cpus = cpuset_count(&host->place.cpus);
	struct bench_method method;
	size_t group;

	host->config.jobs = 16;
	group = start(host, &session);
	method = bench_session_method(session, group);
	assert_int_equal(method.jobs, nr_cpus < 16 ? nr_cpus : 16);
	assert_int_equal(method.depth, 8);
	assert_int_equal(method.block_bytes, 4096);
	assert_true(method.memory_bound);
}

static void every_group_has_a_shape_of_its_own(void **state)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	static const struct bench_shape shape = {
		.block_bytes = 16384,
		.depth = 4,
		.batch = 4,
		.sequential = true,
	};
	struct host *host = *state;
	size_t groups[2] = { start(host, &session) };
	struct bench_slice slices[2];
	struct bench_method method;

	assert_int_equal(bench_session_add(session, &host->drive, &host->place,
					   &shape, &groups[1], NULL),
			 0);
	method = bench_session_method(session, groups[0]);
	assert_int_equal(method.block_bytes, 4096);
	assert_int_equal(method.depth, 8);
	assert_int_equal(method.batch, 0);
	assert_false(method.sequential);
	method = bench_session_method(session, groups[1]);
	assert_int_equal(method.block_bytes, 16384);
	assert_int_equal(method.depth, 4);
	assert_int_equal(method.batch, 4);
	assert_true(method.sequential);
	assert_int_equal(bench_session_run(session, groups, 2, NULL), 0);
	assert_int_equal(
		bench_session_measure(session, groups, 2, slices, NULL), 0);
	assert_int_equal(slices[0].errors + slices[1].errors, 0);
	assert_true(slices[1].held_milli > 0);
}

/* The first for a session whose shape cannot be had. */
static int try_shape(struct host *host, const struct bench_shape *shape,
		     struct err *err)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	struct bench_slice slice;
	size_t group;
	int r = bench_session_new(&session, host->arena, &host->config, err);

	if (r == 0)
		r = bench_session_add(session, &host->drive, &host->place,
				      shape, &group, err);
	if (r == 0)
		r = bench_session_run(session, &group, 1, err);
	if (r == 0)
		r = bench_session_measure(session, &group, 1, &slice, err);
	return r;
}

static void shape_that_cannot_be_had_says_why(void **state)
{
	struct host *host = *state;
	const struct bench_shape writes = { .write_ppt = 300 };
	const struct bench_shape rare = { .gap_ns = 31000000 };
	const struct bench_shape polled = { .poll = true };
	const struct bench_shape small = { .block_bytes = 512 };
	const struct facts facts = { 0 };
	const struct ns ns = { .io_poll = num_known(0) };
	struct err err = { 0 };

	assert_int_equal(try_shape(host, &writes, &err), -EPERM);
	assert_string_equal(err.text, "memory: a drive is never written to");
	assert_int_equal(try_shape(host, &rare, &err), -EINVAL);
	assert_non_null(strstr(err.text, "one I/O in 31 ms"));
	assert_int_equal(try_shape(host, &polled, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "poll"));
	host->drive.logical_bytes = 4096;
	assert_int_equal(try_shape(host, &small, &err), -EINVAL);
	assert_string_equal(
		err.text,
		"memory: its blocks have 4096 bytes, and an I/O of 512 is no multiple of that");
	/* Known before the first read. */
	host->drive.facts = &facts;
	host->drive.ns = &ns;
	assert_int_equal(try_shape(host, &polled, &err), -EOPNOTSUPP);
	assert_string_equal(
		err.text,
		"memory: no poll queue serves it: nvme.poll_queues is 0, or was when the driver was loaded");
}

/* The kernel would give them, and then end somebody for it. */
static void buffers_leave_half_of_the_memory_alone(void **state)
{
	const struct bench_shape large = { .block_bytes = 1 << 20, .depth = 1 };
	struct host *host = *state;
	struct tree *tree = tree_new();
	struct err err = { 0 };

	host->config.jobs = 1;
	host->config.root = tree->root;
	tree_put(
		tree, "proc/meminfo",
		"MemTotal:  9999 kB\nMemFree:  10 kB\nMemAvailable:  2047 kB\n");
	assert_int_equal(try_shape(host, &large, &err), -ENOMEM);
	assert_non_null(strstr(
		err.text,
		"memory: its buffers take 1 MiB (1 jobs, 1 I/Os each, 1048576 bytes), more than half"));
	tree_put(tree, "proc/meminfo", "MemAvailable:  2048 kB\n");
	assert_int_equal(try_shape(host, &large, &err), 0);
	/* What is not told is not known to be too little. */
	tree_put(tree, "proc/meminfo", "MemTotal:  9 kB\n");
	assert_int_equal(try_shape(host, &large, &err), 0);
	tree_free(tree);
}

static void open_loop_is_measured_at_its_rate(void **state)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	static const struct bench_shape shape = { .gap_ns = 1000000 };
	struct host *host = *state;
	struct bench_slice slice;
	struct bench_method method;
	size_t group;

	host->shape = &shape;
	host->config.measure_ms = 200;
	group = start(host, &session);
	method = bench_session_method(session, group);
	assert_int_equal(method.gap_ns, 1000000);
	assert_int_equal(
		bench_session_measure(session, &group, 1, &slice, NULL), 0);
	/* A thousand a second of each job, and what was in flight before. */
	assert_true(slice.ios <=
		    method.jobs * (slice.elapsed_ns / 1000000 + 2 + 8));
	assert_int_equal(slice.held_milli, 0);
}

static void file_of_ours_is_written_to(void **state)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	static const struct bench_shape shape = { .write_ppt = 500 };
	struct host *host = *state;
	struct bench_slice slice;
	size_t group;

	host->shape = &shape;
	host->drive.writable = true;
	group = start(host, &session);
	assert_int_equal(bench_session_method(session, group).write_ppt, 500);
	assert_int_equal(
		bench_session_measure(session, &group, 1, &slice, NULL), 0);
	assert_int_equal(slice.errors, 0);
	assert_non_null(slice.writes);
	assert_in_range(slice.writes->count, 1, slice.ios - 1);
}

static void laid_out_file_is_read_and_written(void **state)
{
	const char *tmp = getenv("TMPDIR");
	static const struct bench_shape shape = { .write_ppt = 300 };
	struct host *host = *state;
	struct layout layout;
	struct err err = { 0 };
	int r = layout_open(tmp ? tmp : "/tmp", 4 << 20, NULL, &layout, &err);

	if (r == -EOPNOTSUPP)
		skip();
	assert_string_equal(err.text, "");
	{
		_cleanup_bench_session_ struct bench_session *session = NULL;
		struct bench_slice slice;
		size_t group;

		(void)close(host->drive.fd);
		host->drive.fd = dup(layout.fd);
		host->drive.size_bytes = layout.size_bytes;
		host->drive.writable = true;
		host->shape = &shape;
		group = start(host, &session);
		assert_int_equal(bench_session_measure(session, &group, 1,
						       &slice, NULL),
				 0);
		assert_int_equal(slice.errors, 0);
		assert_true(slice.ios > 0);
		assert_false(slice.zero_ppt.known);
	}
	layout_close(&layout);
}

static void read_errors_are_counted_in_the_slice(void **state)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	struct host *host = *state;
	struct bench_slice slice;
	size_t group;

	assert_int_equal(ftruncate(host->drive.fd, 0), 0);
	group = start(host, &session);
	assert_int_equal(
		bench_session_measure(session, &group, 1, &slice, NULL), 0);
	assert_int_equal(slice.ios, 0);
	assert_true(slice.errors > 0);
	assert_int_equal(slice.first_error, EIO);
}

static void drive_that_never_answers_ends_the_slice_with_its_name(void **state)
{
	struct bench_session *session = NULL;
	struct host *host = *state;
	struct bench_slice slice;
	struct err err = { 0 };
	uint64_t start_ms = now_ms();
	int other_end;
	size_t group;

	(void)close(host->drive.fd);
	host->drive = silent_drive(&other_end);
	host->config.hang_ms = 1000;
	group = start(host, &session);
	assert_int_equal(bench_session_measure(session, &group, 1, &slice,
					       &err),
			 -ETIMEDOUT);
	assert_non_null(strstr(err.text, "silent: a read did not come back"));
	assert_int_equal(bench_session_pause(session, &group, 1, &err),
			 -ETIMEDOUT);
	bench_session_free(session);
	assert_true(now_ms() - start_ms < 30000);
	(void)close(other_end);
}

static void stop_ends_a_slice_soon(void **state)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	static volatile sig_atomic_t stop;
	struct host *host = *state;
	struct bench_slice slice;
	uint64_t start_ms;
	size_t group;

	host->config.stop = &stop;
	host->config.measure_ms = 60000;
	group = start(host, &session);
	stop = 1;
	start_ms = now_ms();
	assert_int_equal(bench_session_measure(session, &group, 1, &slice,
					       NULL),
			 -EINTR);
	assert_true(now_ms() - start_ms < 30000);
}

static int ask(void *data, struct err *err)
{
	int *left = data;

	return (*left)-- > 0 ? 0 :
			       err_set(err, -EBUSY, "its users wait too long");
}

static void drive_whose_users_suffer_is_read_no_more(void **state)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	struct host *host = *state;
	struct bench_slice slice;
	struct err err = { 0 };
	int left = 1000;
	const struct bench_limit limit = { .most_iops = 2000,
					   .most_bytes = UINT64_C(64) << 20,
					   .look = ask,
					   .data = &left };
	size_t group;

	host->config.measure_ms = 100;
	host->drive.limit = &limit;
	group = start(host, &session);
	assert_int_equal(bench_session_method(session, group).most_iops, 2000);
	assert_int_equal(
		bench_session_measure(session, &group, 1, &slice, &err), 0);
	assert_in_range(left, 0, 999);
	/* 2000 a second, where memory would give hundreds of thousands. */
	assert_in_range(slice.ios, 1, slice.elapsed_ns / 500000 + 100);
	left = 0;
	assert_int_equal(bench_session_measure(session, &group, 1, &slice,
					       &err),
			 -EBUSY);
	assert_string_equal(err.text, "its users wait too long");
}

static void cpu_that_does_not_exist_is_an_error_with_words(void **state)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	struct host *host = *state;
	struct err err = { 0 };
	size_t group;

	host->place.cpus = (struct cpuset){ 0 };
	cpuset_add(host->arena, &host->place.cpus, 40000);
	assert_int_equal(bench_session_new(&session, host->arena, &host->config,
					   NULL),
			 0);
	assert_int_equal(bench_session_add(session, &host->drive, &host->place,
					   NULL, &group, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "memory: cannot bind to CPUs"));
}

struct told {
	uint32_t calls;
	uint32_t last;
	uint32_t total;
};

static void tell(void *data, const struct bench_progress *progress)
{
	struct told *told = data;

	told->calls++;
	told->last = progress->done;
	told->total = progress->total;
}

/* The second drive is always one block of the first: only names differ. */
static struct bench_cells_config
matrix_config(struct host *host, struct bench_matrix_drive drives[2],
	      struct bench_place places[3], bool own_node_only)
{
	struct bench_wants wants = { 0 };

	for (int i = 0; i < 2; i++) {
		drives[i].drive = host->drive;
		drives[i].drive.name = i ? "second" : "first";
		drives[i].node = i ? BINDING_NO_NODE : 1;
	}
	places[0] = (struct bench_place){ .node = 0, .binding = host->place };
	places[1] = (struct bench_place){ .node = 1, .binding = host->place };
	places[2] = (struct bench_place){ .node = 2, .skip = "no CPU" };
	bench_matrix_wants(host->arena, drives, 2, places, 3, own_node_only,
			   &wants);
	return (struct bench_cells_config){
		.session = host->config,
		.drives = drives,
		.nr_drives = 2,
		.wants = wants.items.items,
		.nr_wants = wants.items.n,
		.passes = 2,
	};
}

static void matrix_measures_every_drive_from_every_usable_node(void **state)
{
	struct host *host = *state;
	struct bench_matrix_drive drives[2];
	struct bench_place places[3];
	struct bench_cells_config config =
		matrix_config(host, drives, places, false);
	struct bench_matrix matrix;
	struct err err = { 0 };
	struct told told = { 0 };
	uint64_t sequences = 0;

	config.progress = tell;
	config.data = &told;
	if (bench_cells_run(host->arena, &config, &matrix, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(matrix.cells.n, 6);
	for (size_t i = 0; i < 6; i++) {
		const struct bench_cell *cell = &matrix.cells.items[i];

		assert_int_equal(cell->drive, i / 3);
		assert_int_equal(cell->node, i % 3);
		if (cell->node == 2) {
			assert_string_equal(cell->skipped, "no CPU");
			assert_int_equal(cell->slices.n, 0);
			continue;
		}
		assert_int_equal(cell->slices.n, 2);
		assert_true(cell->summary.iops >= cell->summary.iops_min);
		assert_true(cell->summary.iops <= cell->summary.iops_max);
		assert_true(cell->summary.iops_min > 0);
		assert_true(cell->summary.p99_ns > 0);
		for (size_t j = 0; j < 2; j++)
			sequences |= UINT64_C(1)
				     << cell->slices.items[j].sequence;
	}
	assert_int_equal(sequences, 0xff);
	assert_int_equal(told.calls, 8);
	assert_int_equal(told.last, told.total);
	/* Local and remote only where the drive's node is known. */
	assert_true(matrix.cells.items[0].of_local_ppt > 0);
	assert_true(matrix.cells.items[1].local);
	assert_int_equal(matrix.cells.items[1].of_local_ppt, 1000);
	assert_int_equal(matrix.cells.items[2].of_local_ppt, -1);
	assert_int_equal(matrix.cells.items[3].of_local_ppt, -1);
}

static void together_reads_all_at_once_and_skips_unknown_nodes(void **state)
{
	struct host *host = *state;
	struct bench_matrix_drive drives[2];
	struct bench_place places[3];
	struct bench_cells_config config =
		matrix_config(host, drives, places, true);
	struct bench_wants wants = { 0 };
	struct bench_matrix matrix;
	const struct bench_cell *first, *second;

	config.together = true;
	assert_int_equal(bench_cells_run(host->arena, &config, &matrix, NULL),
			 0);
	assert_int_equal(matrix.cells.n, 2);
	assert_int_equal(matrix.total_iops.n, 2);
	first = &matrix.cells.items[0];
	second = &matrix.cells.items[1];
	assert_int_equal(first->node, 1);
	assert_int_equal(first->slices.items[1].iops,
			 matrix.total_iops.items[1]);
	assert_string_equal(
		second->skipped,
		"the kernel does not know its node: choose one by --node");

	drives[1].node = 0;
	bench_matrix_wants(host->arena, drives, 2, places, 3, true, &wants);
	config.wants = wants.items.items;
	assert_int_equal(bench_cells_run(host->arena, &config, &matrix, NULL),
			 0);
	first = &matrix.cells.items[0];
	second = &matrix.cells.items[1];
	assert_int_equal(first->slices.items[0].sequence,
			 second->slices.items[0].sequence);
	assert_int_equal(first->slices.items[0].iops +
				 second->slices.items[0].iops,
			 matrix.total_iops.items[0]);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_slice_counts_what_was_read_in_its_time_only),
		T(jobs_are_as_many_as_cpus_at_most),
		T(every_group_has_a_shape_of_its_own),
		T(shape_that_cannot_be_had_says_why),
		T(buffers_leave_half_of_the_memory_alone),
		T(open_loop_is_measured_at_its_rate),
		T(file_of_ours_is_written_to),
		T(laid_out_file_is_read_and_written),
		T(read_errors_are_counted_in_the_slice),
		T(drive_that_never_answers_ends_the_slice_with_its_name),
		T(stop_ends_a_slice_soon),
		T(drive_whose_users_suffer_is_read_no_more),
		T(cpu_that_does_not_exist_is_an_error_with_words),
		T(matrix_measures_every_drive_from_every_usable_node),
		T(together_reads_all_at_once_and_skips_unknown_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

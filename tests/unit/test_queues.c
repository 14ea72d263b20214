/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/queues.h"

struct row {
	struct queue_input in;
	struct queue_split want;
};

static void the_split_is_the_drivers_own_arithmetic(void **state)
{
	/* possible, write, poll, grant, vectors -> default, read, poll */
	static const struct row rows[] = {
		{ { 32, 0, 16, 128, 129 }, { 32, 0, 16 } },
		{ { 32, 32, 16, 128, 129 }, { 32, 32, 16 } },
		{ { 80, 32, 16, 128, 129 }, { 32, 80, 16 } },
		{ { 80, 32, 16, 64, 65 }, { 32, 16, 16 } },
		{ { 80, 0, 16, 32, 33 }, { 16, 0, 16 } },
		{ { 256, 0, 0, 128, 129 }, { 128, 0, 0 } },
		{ { 256, 0, 64, 128, 129 }, { 64, 0, 64 } },
		{ { 256, 0, 32, 128, 129 }, { 96, 0, 32 } },
		{ { 64, 0, 32, 128, 129 }, { 64, 0, 32 } },
		{ { 32, 0, 16, 32, 33 }, { 16, 0, 16 } },
		/* Seen in a guest: 8 CPUs, drives of 16, 4 and 1 queues. */
		{ { 8, 2, 2, 16, 65 }, { 2, 8, 2 } },
		{ { 8, 2, 2, 4, 5 }, { 1, 1, 2 } },
		{ { 8, 2, 2, 1, 2 }, { 1, 0, 0 } },
		{ { 8, 3, 2, 16, 17 }, { 3, 8, 2 } },
		{ { 8, 0, 0, 64, 3 }, { 2, 0, 0 } },
		/* One vector serves admin and I/O together. */
		{ { 8, 0, 0, 16, 1 }, { 1, 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct queue_split got = queue_split(&rows[i].in);

		assert_int_equal(got.nr_default, rows[i].want.nr_default);
		assert_int_equal(got.nr_read, rows[i].want.nr_read);
		assert_int_equal(got.nr_poll, rows[i].want.nr_poll);
	}
}

static void default_queues_never_exceed_the_possible_cpus(void **state)
{
	(void)state;
	for (unsigned int cpus = 1; cpus <= 64; cpus++)
		for (unsigned int poll = 0; poll <= cpus; poll++) {
			struct queue_input in = { cpus, 0, poll, 255, 256 };

			assert_true(queue_split(&in).nr_default <= cpus);
		}
}

static struct facts *host(struct arena *arena, unsigned int cpus, int64_t grant,
			  int64_t vectors)
{
	struct facts *facts = ARENA_NEW(arena, struct facts);
	struct ctrl *ctrl = vec_add(arena, &facts->ctrls);

	for (unsigned int cpu = 0; cpu < cpus; cpu++)
		cpuset_add(arena, &facts->possible, cpu);
	ctrl->name = "nvme0";
	ctrl->transport = "pcie";
	ctrl->queue_grant = num_known(grant);
	ctrl->msix_size = num_known(vectors);
	return facts;
}

static void a_share_is_cut_so_that_each_cpu_keeps_a_queue(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	/* Room for everything: a plain quarter. */
	assert_int_equal(queue_share(host(arena, 8, 16, 65), 25, 0), 2);
	/* 8 CPUs and 9 queues: one can be spared, four were asked. */
	assert_int_equal(queue_share(host(arena, 8, 9, 65), 50, 0), 1);
	/* A drive that cannot give each CPU a queue keeps half of its own. */
	assert_int_equal(queue_share(host(arena, 8, 4, 5), 25, 0), 2);
	assert_int_equal(queue_share(host(arena, 256, 128, 129), 25, 0), 64);
	assert_int_equal(queue_share(host(arena, 256, 64, 65), 25, 0), 32);
	/* Never nothing, unless nothing was asked. */
	assert_int_equal(queue_share(host(arena, 2, 16, 65), 25, 0), 1);
	assert_int_equal(queue_share(host(arena, 8, 16, 65), 0, 0), 0);
	arena_free(arena);
}

static void what_is_unknown_is_named_and_not_predicted(void **state)
{
	struct arena *arena = arena_new();
	struct facts *facts = host(arena, 8, 16, 65);
	struct ctrl *ctrl = &facts->ctrls.items[0];
	struct queue_split split;
	const char *missing;

	(void)state;
	assert_true(queue_split_predict(facts, ctrl, 0, 2, &split, &missing));
	assert_null(missing);
	ctrl->queue_grant = num_unknown(13);
	assert_false(queue_split_predict(facts, ctrl, 0, 2, &split, &missing));
	assert_string_equal(missing,
			    "the queues that the drive gives are unknown");
	ctrl->transport = "tcp";
	assert_false(queue_split_predict(facts, ctrl, 0, 2, &split, &missing));
	assert_string_equal(missing, "it is not a local PCIe drive");
	arena_free(arena);
}

static void add_option(struct arena *arena, struct facts *facts,
		       const char *param, const char *value, const char *file)
{
	*vec_add(arena, &facts->options) = (struct module_option){
		.module = "nvme",
		.param = param,
		.value = value,
		.file = file,
	};
}

static void what_is_given_at_load_is_the_last_word(void **state)
{
	struct arena *arena = arena_new();
	struct facts *facts = host(arena, 8, 16, 65);

	(void)state;
	assert_int_equal(queue_count_at_load(facts, "poll_queues", NULL), 0);
	assert_int_equal(queue_count_at_load(facts, "poll_queues", "3"), 3);
	add_option(arena, facts, "poll_queues", "4",
		   "/etc/modprobe.d/nvme-optimized.conf");
	add_option(arena, facts, "write_queues", "5",
		   "/etc/modprobe.d/nvme-optimized.conf");
	/* Our own file is about to be written anew. */
	add_option(arena, facts, "poll_queues", "6",
		   "/etc/modprobe.d/nvmetune.conf");
	assert_int_equal(queue_count_at_load(facts, "poll_queues", NULL), 4);
	assert_int_equal(queue_count_at_load(facts, "poll_queues", "3"), 3);
	assert_int_equal(queue_count_at_load(facts, "write_queues", NULL), 5);
	add_option(arena, facts, "poll_queues", "7",
		   "/etc/modprobe.d/zz-local.conf");
	assert_int_equal(queue_count_at_load(facts, "poll_queues", "3"), 7);
	add_option(arena, facts, "poll_queues", "0", "/proc/cmdline");
	assert_int_equal(queue_count_at_load(facts, "poll_queues", "3"), 0);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_split_is_the_drivers_own_arithmetic),
		cmocka_unit_test(default_queues_never_exceed_the_possible_cpus),
		cmocka_unit_test(a_share_is_cut_so_that_each_cpu_keeps_a_queue),
		cmocka_unit_test(what_is_unknown_is_named_and_not_predicted),
		cmocka_unit_test(what_is_given_at_load_is_the_last_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <errno.h>
#include <numaif.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "sys/numa.h"

/* Bound in a thread of its own, so that the tests do not bind each other. */
struct trial {
	struct binding binding;
	int result;
	struct err err;
	int nr_cpus;
	int cpu;
	int policy;
	unsigned long nodes[1024 / (8 * sizeof(unsigned long))];
};

static void *trial_main(void *data)
{
	struct trial *trial = data;
	cpu_set_t mask;

	trial->result = numa_bind_thread(&trial->binding, &trial->err);
	if (sched_getaffinity(0, sizeof(mask), &mask) == 0)
		trial->nr_cpus = CPU_COUNT(&mask);
	trial->cpu = sched_getcpu();
	if (get_mempolicy(&trial->policy, trial->nodes, 1024, NULL, 0) < 0)
		trial->policy = -1;
	return NULL;
}

static struct arena *arena;

static void try_binding(struct trial *trial)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, trial_main, trial), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

static unsigned int last_cpu(void)
{
	struct binding binding = anywhere(arena);
	unsigned int last = 0;

	CPUSET_EACH(&binding.cpus, cpu)
		last = (unsigned int)cpu;
	return last;
}

static void thread_runs_on_its_cpu_although_the_mask_is_wider(void **state)
{
	struct trial trial = { .binding = { .memory_node = BINDING_NO_NODE } };
	unsigned int cpu = last_cpu();

	(void)state;
	cpuset_add(arena, &trial.binding.cpus, cpu);
	cpuset_add(arena, &trial.binding.cpus, 50000);
	try_binding(&trial);
	assert_int_equal(trial.result, 0);
	assert_int_equal(trial.nr_cpus, 1);
	assert_int_equal(trial.cpu, cpu);
	assert_true(trial.policy == MPOL_DEFAULT || trial.policy == -1);
}

static void memory_is_bound_or_the_reason_why_not_is_given(void **state)
{
	struct trial trial = { .binding = anywhere(arena) };

	(void)state;
	trial.binding.memory_node = 0;
	try_binding(&trial);
	if (trial.result == 0) {
		assert_int_equal(trial.policy, MPOL_BIND);
		assert_int_equal(trial.nodes[0], 1);
	} else {
		assert_int_equal(trial.result, 1);
		assert_true(strstr(trial.err.text, "only CPUs are bound") ==
			    trial.err.text);
	}
}

static void preferred_memory_is_preferred_and_not_insisted_on(void **state)
{
	struct trial trial = { .binding = anywhere(arena) };

	(void)state;
	trial.binding.memory_node = 0;
	trial.binding.memory_preferred = true;
	try_binding(&trial);
	if (trial.result == 0)
		assert_int_equal(trial.policy, MPOL_PREFERRED);
	else
		assert_true(trial.err.text[0] != '\0');
}

static void node_that_is_not_there_leaves_cpus_bound_and_says_so(void **state)
{
	struct trial trial = { .binding = { .memory_node = 60000 } };
	unsigned int cpu = last_cpu();

	(void)state;
	cpuset_add(arena, &trial.binding.cpus, cpu);
	try_binding(&trial);
	assert_int_equal(trial.result, 1);
	assert_non_null(strstr(trial.err.text, "only CPUs are bound"));
	assert_int_equal(trial.nr_cpus, 1);
}

static void no_cpu_at_all_is_an_error_and_binds_no_memory(void **state)
{
	struct trial trial = { .binding = { .memory_node = 0 } };

	(void)state;
	try_binding(&trial);
	assert_int_equal(trial.result, -EINVAL);
	assert_true(trial.policy == MPOL_DEFAULT || trial.policy == -1);
}

static int set_up(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			thread_runs_on_its_cpu_although_the_mask_is_wider),
		cmocka_unit_test(
			memory_is_bound_or_the_reason_why_not_is_given),
		cmocka_unit_test(
			preferred_memory_is_preferred_and_not_insisted_on),
		cmocka_unit_test(
			node_that_is_not_there_leaves_cpus_bound_and_says_so),
		cmocka_unit_test(no_cpu_at_all_is_an_error_and_binds_no_memory),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

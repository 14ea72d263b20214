/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "core/binding.h"
#include "core/facts.h"

struct host {
	struct arena *arena;
	struct facts facts;
};

static struct cpuset cpus(struct host *host, const char *text)
{
	struct cpuset set = { 0 };

	assert_int_equal(cpuset_parse_list(host->arena, text, &set), 0);
	return set;
}

static struct node *add_node(struct host *host, int64_t id, const char *list,
			     struct num memory_kb, const int64_t *distances,
			     size_t n)
{
	struct node *node = vec_add(host->arena, &host->facts.nodes);

	node->id = id;
	node->cpus = cpus(host, list);
	node->memory_kb = memory_kb;
	for (size_t i = 0; i < n; i++)
		*vec_add(host->arena, &node->distances) = distances[i];
	return node;
}

static void add_ctrl(struct host *host, const char *name, struct num node)
{
	struct ctrl *ctrl = vec_add(host->arena, &host->facts.ctrls);

	ctrl->name = name;
	ctrl->node = node;
}

static struct ns *add_ns(struct host *host, const char *name, enum ns_kind kind,
			 const char *ctrl, const char *head)
{
	struct ns *ns = vec_add(host->arena, &host->facts.namespaces);

	ns->name = name;
	ns->kind = kind;
	ns->ctrl = ctrl;
	ns->head = head;
	return ns;
}

/* Two sockets with SMT siblings at the end, as most servers count. */
static int set_up(void **state)
{
	static struct host host;
	const int64_t near_first[] = { 10, 21 }, near_second[] = { 21, 10 };

	host = (struct host){ .arena = arena_new() };
	host.facts.online = cpus(&host, "0-31");
	host.facts.allowed = cpus(&host, "0-31");
	add_node(&host, 0, "0-7,16-23", num_known(65536), near_first, 2);
	add_node(&host, 1, "8-15,24-31", num_known(65536), near_second, 2);
	*state = &host;
	return 0;
}

static int tear_down(void **state)
{
	struct host *host = *state;

	arena_free(host->arena);
	return 0;
}

static void assert_numactl(struct host *host, int64_t node, const char *text)
{
	struct binding binding;
	struct err err = { 0 };

	assert_int_equal(binding_of_node(host->arena, &host->facts, node,
					 &binding, &err),
			 0);
	assert_string_equal(binding_numactl_text(host->arena, &binding), text);
}

static void assert_refused(struct host *host, int64_t node, int code,
			   const char *words)
{
	struct binding binding = { .node = 77 };
	struct err err = { 0 };

	assert_int_equal(binding_of_node(host->arena, &host->facts, node,
					 &binding, &err),
			 code);
	assert_non_null(strstr(err.text, words));
	assert_int_equal(binding.node, 77);
}

static void a_plain_node_gets_its_cpus_as_ranges_and_its_memory(void **state)
{
	assert_numactl(*state, 1,
		       "numactl --physcpubind=8-15,24-31 --membind=1");
}

static void interleaved_cpu_numbers_are_kept(void **state)
{
	struct host *host = *state;

	add_node(host, 2, "0,4,8,9", num_known(1), NULL, 0);
	assert_numactl(host, 2, "numactl --physcpubind=0,4,8-9 --membind=2");
}

static void offline_isolated_and_forbidden_cpus_are_left_out(void **state)
{
	struct host *host = *state;

	host->facts.online = cpus(host, "0-20,22-31");
	host->facts.isolated = cpus(host, "6-7,23");
	host->facts.allowed = cpus(host, "1-31");
	assert_numactl(host, 0,
		       "numactl --physcpubind=1-5,16-20,22 --membind=0");
}

static void node_without_memory_prefers_the_nearest_that_has_some(void **state)
{
	struct host *host = *state;
	const int64_t distances[] = { 32, 12, 10 };

	add_node(host, 2, "16-19", num_known(0), distances, 3);
	assert_numactl(host, 2, "numactl --physcpubind=16-19 --preferred=1");
}

static void equally_near_memory_is_taken_from_the_lower_node(void **state)
{
	struct host *host = *state;
	const int64_t distances[] = { 12, 12, 10 };

	add_node(host, 2, "16-19", num_known(0), distances, 3);
	assert_numactl(host, 2, "numactl --physcpubind=16-19 --preferred=0");
}

static void unknown_memory_is_preferred_and_not_insisted_on(void **state)
{
	struct host *host = *state;

	add_node(host, 2, "16-19", num_unknown(EACCES), NULL, 0);
	assert_numactl(host, 2, "numactl --physcpubind=16-19 --preferred=2");
}

static void memory_stays_free_where_no_node_is_known_to_have_any(void **state)
{
	struct host *host = *state;

	host->facts.nodes.n = 0;
	add_node(host, 0, "0-3", num_known(0), NULL, 0);
	assert_numactl(host, 0, "numactl --physcpubind=0-3");
}

static void node_of_memory_only_is_refused(void **state)
{
	struct host *host = *state;

	add_node(host, 2, "", num_known(1), NULL, 0);
	assert_refused(host, 2, -ENOENT, "a node of memory only");
}

static void node_whose_cpus_are_all_offline_says_so(void **state)
{
	struct host *host = *state;

	host->facts.online = cpus(host, "0-7");
	assert_refused(host, 1, -ENOENT, "all of them are offline");
}

static void node_outside_the_cpuset_of_this_process_says_so(void **state)
{
	struct host *host = *state;

	host->facts.allowed = cpus(host, "0-7");
	assert_refused(host, 1, -ENOENT, "may run on none of them");
}

static void node_with_only_isolated_cpus_says_so(void **state)
{
	struct host *host = *state;

	host->facts.isolated = cpus(host, "8-15,24-31");
	assert_refused(host, 1, -ENOENT, "isolated");
}

static void node_that_does_not_exist_is_refused(void **state)
{
	assert_refused(*state, 5, -ENODEV, "no node 5");
}

static int bind_ns(struct host *host, const char *name, struct binding *binding,
		   struct err *err)
{
	return binding_of_ns(host->arena, &host->facts,
			     facts_ns(&host->facts, name), binding, err);
}

static void drive_of_unknown_node_is_refused_and_never_on_node_0(void **state)
{
	struct host *host = *state;
	struct binding binding;
	struct err err = { 0 };

	add_ctrl(host, "nvme0", num_unknown(0));
	add_ns(host, "nvme0n1", NS_PLAIN, "nvme0", NULL);
	assert_int_equal(bind_ns(host, "nvme0n1", &binding, &err), -ENODATA);
	assert_non_null(strstr(err.text, "does not know its node"));
}

static void drive_goes_to_the_node_of_its_controller(void **state)
{
	struct host *host = *state;
	struct binding binding;

	add_ctrl(host, "nvme0", num_known(1));
	add_ns(host, "nvme0n1", NS_PLAIN, "nvme0", NULL);
	assert_int_equal(bind_ns(host, "nvme0n1", &binding, NULL), 0);
	assert_int_equal(binding.node, 1);
}

static void multipath_over_two_nodes_is_refused_with_both_named(void **state)
{
	struct host *host = *state;
	struct binding binding;
	struct err err = { 0 };

	add_ctrl(host, "nvme0", num_known(0));
	add_ctrl(host, "nvme1", num_known(1));
	add_ns(host, "nvme0n1", NS_HEAD, NULL, NULL);
	add_ns(host, "nvme0c0n1", NS_PATH, "nvme0", "nvme0n1");
	add_ns(host, "nvme0c1n1", NS_PATH, "nvme1", "nvme0n1");
	assert_int_equal(bind_ns(host, "nvme0n1", &binding, &err), -EXDEV);
	assert_non_null(strstr(err.text, "nvme0 on node 0, nvme1 on node 1"));
}

static void multipath_within_one_node_is_near_that_node(void **state)
{
	struct host *host = *state;
	struct binding binding;

	add_ctrl(host, "nvme0", num_known(1));
	add_ctrl(host, "nvme1", num_known(1));
	add_ns(host, "nvme0n1", NS_HEAD, NULL, NULL);
	add_ns(host, "nvme0c0n1", NS_PATH, "nvme0", "nvme0n1");
	add_ns(host, "nvme0c1n1", NS_PATH, "nvme1", "nvme0n1");
	assert_int_equal(bind_ns(host, "nvme0n1", &binding, NULL), 0);
	assert_int_equal(binding.node, 1);
}

static void multipath_with_one_path_of_unknown_node_is_refused(void **state)
{
	struct host *host = *state;
	struct binding binding;
	struct err err = { 0 };

	add_ctrl(host, "nvme0", num_known(1));
	add_ctrl(host, "nvme1", num_unknown(0));
	add_ns(host, "nvme0n1", NS_HEAD, NULL, NULL);
	add_ns(host, "nvme0c0n1", NS_PATH, "nvme0", "nvme0n1");
	add_ns(host, "nvme0c1n1", NS_PATH, "nvme1", "nvme0n1");
	assert_int_equal(bind_ns(host, "nvme0n1", &binding, &err), -ENODATA);
	assert_non_null(strstr(err.text, "over nvme1 is unknown"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_plain_node_gets_its_cpus_as_ranges_and_its_memory),
		T(interleaved_cpu_numbers_are_kept),
		T(offline_isolated_and_forbidden_cpus_are_left_out),
		T(node_without_memory_prefers_the_nearest_that_has_some),
		T(equally_near_memory_is_taken_from_the_lower_node),
		T(unknown_memory_is_preferred_and_not_insisted_on),
		T(memory_stays_free_where_no_node_is_known_to_have_any),
		T(node_of_memory_only_is_refused),
		T(node_whose_cpus_are_all_offline_says_so),
		T(node_outside_the_cpuset_of_this_process_says_so),
		T(node_with_only_isolated_cpus_says_so),
		T(node_that_does_not_exist_is_refused),
		T(drive_of_unknown_node_is_refused_and_never_on_node_0),
		T(drive_goes_to_the_node_of_its_controller),
		T(multipath_over_two_nodes_is_refused_with_both_named),
		T(multipath_within_one_node_is_near_that_node),
		T(multipath_with_one_path_of_unknown_node_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

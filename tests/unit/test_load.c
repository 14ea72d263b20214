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
#include "cmd/load.h"

/*
 * The disks here do not exist, so that which one was chosen shows in the
 * complaint about it, and none is ever read.
 */
struct host {
	struct arena *arena;
	struct facts facts;
	struct drives drives;
	struct load load;
	struct load_request request;
};

static struct ns *add_ns(struct host *host, const char *name, int64_t size)
{
	struct ns *ns = vec_add(host->arena, &host->facts.namespaces);

	ns->name = name;
	ns->ctrl = "nvme77";
	ns->subsystem = "nvme-subsys77";
	ns->dev = "259:777";
	ns->size_bytes = num_known(size);
	return ns;
}

static void add_node(struct host *host, int64_t id, const char *cpus,
		     int64_t memory_kb)
{
	struct node *node = vec_add(host->arena, &host->facts.nodes);

	node->id = id;
	node->memory_kb = num_known(memory_kb);
	assert_int_equal(cpuset_parse_list(host->arena, cpus, &node->cpus), 0);
}

static int set_up(void **state)
{
	static struct host host;
	struct ctrl *ctrl;

	host = (struct host){ .arena = arena_new() };
	host.request = (struct load_request){
		.facts = &host.facts,
		.drives = &host.drives,
		.node = BINDING_NO_NODE,
	};
	ctrl = vec_add(host.arena, &host.facts.ctrls);
	ctrl->name = "nvme77";
	ctrl->subsystem = "nvme-subsys77";
	*state = &host;
	return 0;
}

static int tear_down(void **state)
{
	struct host *host = *state;

	load_close(&host->load);
	arena_free(host->arena);
	return 0;
}

static void assert_fails(struct host *host, int code, const char *words)
{
	struct err err = { 0 };
	int r;

	cpuset_add(host->arena, &host->facts.online, 0);
	r = load_open(host->arena, &host->request, &host->load, &err);
	if (r != code || !strstr(err.text, words))
		fail_msg("%d: %s", r, err.text);
}

static void largest_disk_of_a_drive_stands_for_it(void **state)
{
	struct host *host = *state;

	add_ns(host, "nvme77n1", 100);
	add_ns(host, "nvme77n2", 500);
	add_ns(host, "nvme77n3", 300);
	assert_fails(host, -ENOENT, "/dev/nvme77n2");
}

static void disk_that_is_named_is_taken_itself(void **state)
{
	struct host *host = *state;

	add_ns(host, "nvme77n1", 100);
	add_ns(host, "nvme77n2", 500);
	*vec_add(host->arena, &host->drives.names) = "nvme77n1";
	assert_fails(host, -ENOENT, "/dev/nvme77n1");
}

static void path_of_multipath_is_never_opened(void **state)
{
	struct host *host = *state;

	add_ns(host, "nvme77c77n1", 100)->kind = NS_PATH;
	cpuset_add(host->arena, &host->facts.online, 0);
	assert_int_equal(
		load_open(host->arena, &host->request, &host->load, NULL), 0);
	assert_int_equal(host->load.drives.n, 0);
}

static void named_disk_in_use_is_refused_with_who_uses_it(void **state)
{
	struct host *host = *state;
	struct ns *ns = add_ns(host, "nvme77n1", 100);
	struct mount *mount = vec_add(host->arena, &ns->mounts);

	mount->device = "nvme77n1";
	mount->where = "/srv/data";
	*vec_add(host->arena, &ns->holders) = "md127";
	*vec_add(host->arena, &host->drives.names) = "nvme77";
	assert_fails(host, -EBUSY, "in use by /srv/data, md127: see --in-use");
}

static void in_use_goes_past_the_users(void **state)
{
	struct host *host = *state;
	struct ns *ns = add_ns(host, "nvme77n1", 100);

	*vec_add(host->arena, &ns->holders) = "md127";
	host->request.in_use = true;
	assert_fails(host, -ENOENT, "/dev/nvme77n1");
}

static void disk_without_a_device_number_is_refused(void **state)
{
	struct host *host = *state;

	add_ns(host, "nvme77n1", 100)->dev = NULL;
	assert_fails(host, -ENODEV, "its device number is unknown");
}

static void nodes_without_cpus_or_memory_are_left_out_with_words(void **state)
{
	struct host *host = *state;
	const struct bench_place *places;

	add_node(host, 0, "0", 1000);
	add_node(host, 1, "", 1000);
	add_node(host, 2, "0", 0);
	assert_int_equal(
		load_open(host->arena, &host->request, &host->load, NULL), 0);
	assert_int_equal(host->load.places.n, 3);
	places = host->load.places.items;
	assert_null(places[0].skip);
	assert_non_null(strstr(places[1].skip, "a node of memory only"));
	assert_non_null(strstr(places[2].skip, "no memory of its own"));
}

static void one_node_that_was_asked_for_is_the_only_one(void **state)
{
	struct host *host = *state;

	add_node(host, 0, "0", 1000);
	add_node(host, 1, "1", 1000);
	host->request.node = 1;
	assert_int_equal(
		load_open(host->arena, &host->request, &host->load, NULL), 0);
	assert_int_equal(host->load.places.n, 1);
	assert_int_equal(host->load.places.items[0].node, 1);
	host->request.node = 7;
	load_close(&host->load);
	host->load = (struct load){ 0 };
	assert_fails(host, -ENODEV, "no node 7");
}

static void kernel_without_nodes_is_one_place_of_unknown_node(void **state)
{
	struct host *host = *state;
	const struct bench_place *place;

	assert_int_equal(
		cpuset_parse_list(host->arena, "0-3", &host->facts.online), 0);
	assert_int_equal(
		cpuset_parse_list(host->arena, "3", &host->facts.isolated), 0);
	assert_int_equal(
		load_open(host->arena, &host->request, &host->load, NULL), 0);
	assert_int_equal(host->load.places.n, 1);
	place = &host->load.places.items[0];
	assert_int_equal(place->node, BINDING_NO_NODE);
	assert_int_equal(cpuset_count(&place->binding.cpus), 3);
	assert_int_equal(place->binding.memory_node, BINDING_NO_NODE);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(largest_disk_of_a_drive_stands_for_it),
		T(disk_that_is_named_is_taken_itself),
		T(path_of_multipath_is_never_opened),
		T(named_disk_in_use_is_refused_with_who_uses_it),
		T(in_use_goes_past_the_users),
		T(disk_without_a_device_number_is_refused),
		T(nodes_without_cpus_or_memory_are_left_out_with_words),
		T(one_node_that_was_asked_for_is_the_only_one),
		T(kernel_without_nodes_is_one_place_of_unknown_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

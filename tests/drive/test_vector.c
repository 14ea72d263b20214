/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include "core/plan.h"
#include "knobs/knob_list.h"
#include "probe/probe.h"
#include "write/history.h"
#include "write/rollback.h"

#define ADMIN "proc/irq/40/smp_affinity_list"

/* A drive on node 1, whose admin vector the kernel put on node 0. */

static void put_vector(struct tree *tree, int irq, const char *actions,
		       const char *mask)
{
	const char *dir = arena_printf(tree->arena, "proc/irq/%d", irq);

	tree_put(tree,
		 arena_printf(tree->arena, CTRL "/device/msi_irqs/%d", irq),
		 "msix\n");
	tree_put(tree,
		 arena_printf(tree->arena, "sys/kernel/irq/%d/actions", irq),
		 arena_printf(tree->arena, "%s\n", actions));
	tree_put(tree, arena_printf(tree->arena, "%s/smp_affinity_list", dir),
		 arena_printf(tree->arena, "%s\n", mask));
	tree_put(tree, arena_printf(tree->arena, "%s/%.7s/none", dir, actions),
		 "");
}

static int set_up(void **state)
{
	struct fixture *f = fixture_new();

	tree_put(f->tree, CTRL "/device/numa_node", "1\n");
	tree_put(f->tree, "sys/devices/system/cpu/possible", "0-3\n");
	tree_put(f->tree, "sys/devices/system/cpu/online", "0-3\n");
	tree_put(f->tree, "sys/devices/system/node/node0/cpulist", "0-1\n");
	tree_put(f->tree, "sys/devices/system/node/node1/cpulist", "2-3\n");
	put_vector(f->tree, 40, "nvme0q0", "0-1");
	put_vector(f->tree, 41, "nvme0q1", "0-1");
	put_vector(f->tree, 42, "nvme0q2", "2-3");
	*state = f;
	return 0;
}

static struct plan *plan_local(struct fixture *f)
{
	struct arena *arena = f->tree->arena;
	const struct probe_options options = { .no_admin = true };
	const struct profile_source at = { "test", "test.ini", 1 };
	struct profile *profile = ARENA_NEW(arena, struct profile);
	struct plan *plan = ARENA_NEW(arena, struct plan);
	struct problems problems = { .arena = arena };
	const struct plan_input input = { .facts = &f->facts,
					  .profile = profile,
					  .knobs = knobs_all() };
	struct err err = { 0 };

	profile->name = "test";
	profile->file = "test.ini";
	(void)profile_section(arena, profile, &at, "drives", &problems);
	profile_key(arena, profile, knobs_all(), &at, "irq.affinity", "local",
		    &problems);
	assert_int_equal(probe_host(f->tree->root, knobs_all(), &options, arena,
				    &f->facts, &err),
			 0);
	assert_int_equal(plan_build(arena, &input, plan, &problems), 0);
	return plan;
}

static struct execute_result apply(struct fixture *f)
{
	struct execute_result result;
	struct err err = { 0 };

	if (fixture_execute(f, plan_local(f), &result, &err) < 0)
		fail_msg("%s", err.text);
	return result;
}

static unsigned int roll_back(struct fixture *f)
{
	const struct rollback_input input = { .root = f->tree->root,
					      .knobs = knobs_all() };
	struct rollback_result result;
	struct err err = { 0 };

	if (rollback_run(f->tree->arena, &input, &result, &err) < 0)
		fail_msg("%s", err.text);
	return result.count.done;
}

static const char *mask_of(struct fixture *f, const char *path)
{
	const char *text =
		sysroot_text(f->tree->root, f->tree->arena, path, NULL);

	assert_non_null(text);
	return text;
}

static void the_admin_vector_is_moved_and_taken_back(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(apply(f).changed, 1);
	assert_string_equal(mask_of(f, ADMIN), "2-3");
	assert_string_equal(mask_of(f, "proc/irq/41/smp_affinity_list"), "0-1");
	assert_int_equal(roll_back(f), 1);
	assert_string_equal(mask_of(f, ADMIN), "0-1");
}

static void it_is_found_under_a_new_number(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(apply(f).changed, 1);
	tree_remove(f->tree, "proc/irq/40");
	tree_remove(f->tree, CTRL "/device/msi_irqs/40");
	put_vector(f->tree, 77, "nvme0q0", "2-3");
	assert_int_equal(roll_back(f), 1);
	assert_string_equal(mask_of(f, "proc/irq/77/smp_affinity_list"), "0-1");
}

static ssize_t refuse(void *data, int fd, const char *path, const char *text,
		      size_t n)
{
	(void)fd;
	(void)text;
	assert_string_equal(path, ADMIN);
	assert_true(n > 0);
	return *(const int *)data;
}

static void a_number_that_serves_something_else_is_left_alone(void **state)
{
	struct fixture *f = *state;

	tree_remove(f->tree, "proc/irq/40/nvme0q0");
	assert_int_equal(apply(f).refused, 1);
	assert_string_equal(mask_of(f, ADMIN), "0-1");
	assert_string_equal(
		f->why,
		"nvme0q0: irq.affinity: its interrupt serves something else now");
}

static void a_vector_that_cannot_move_is_a_refusal_with_its_reason(void **state)
{
	static const struct {
		int code;
		const char *words;
	} cases[] = {
		{ -ENOSPC, "no interrupt vector is free on these CPUs" },
		{ -EIO, "the kernel places this interrupt itself" },
		{ -EPERM, "the kernel places this interrupt itself" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int code = cases[i].code;
		const struct sysroot_hooks hooks = { .write = refuse,
						     .data = &code };
		struct execute_result result;

		sysroot_set_hooks(f->tree->root, &hooks);
		result = apply(f);
		assert_int_equal(result.refused, 1);
		assert_int_equal(result.changed, 0);
		assert_false(result.undone);
		assert_non_null(strstr(f->why, "nvme0q0: irq.affinity: "));
		assert_non_null(strstr(f->why, cases[i].words));
	}
}

static void a_line_with_other_devices_on_it_is_seen(void **state)
{
	struct fixture *f = *state;
	const struct change *change;

	tree_put(f->tree, "sys/kernel/irq/40/actions", "ehci_hcd, nvme0q0\n");
	change = plan_find(plan_local(f), "irq.affinity@nvme0q0");
	assert_non_null(change);
	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_string_equal(
		change->reason,
		"other devices use this interrupt line too, so it is not moved");
	tree_put(f->tree, "sys/kernel/irq/40/actions", "nvme0q0, nvme0q1\n");
	assert_int_equal(
		plan_find(plan_local(f), "irq.affinity@nvme0q0")->verdict,
		VERDICT_CHANGE);
}

/* Every fourth CPU from first on, as the kernel prints it. */
static const char *every_fourth(struct tree *tree, unsigned int first)
{
	struct cpuset set = { 0 };

	for (unsigned int cpu = first; cpu < 4096; cpu += 4)
		cpuset_add(tree->arena, &set, cpu);
	return cpuset_text(tree->arena, &set);
}

/* The kernel understands groups, and shows every CPU. */
static ssize_t write_as_kernel(void *data, int fd, const char *path,
			       const char *text, size_t n)
{
	struct arena *arena = data;
	struct cpuset set = { 0 };
	const char *shown;

	assert_string_equal(path, ADMIN);
	assert_int_equal(cpuset_parse_list(arena, text, &set), 0);
	shown = cpuset_text(arena, &set);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, shown, strlen(shown), 0),
			 (ssize_t)strlen(shown));
	return (ssize_t)n;
}

static void four_thousand_cpus_in_turns_are_written_as_a_group(void **state)
{
	struct fixture *f = *state;
	const struct sysroot_hooks hooks = { .write = write_as_kernel,
					     .data = f->tree->arena };
	const char *before = every_fourth(f->tree, 0);

	tree_put(f->tree, "sys/devices/system/cpu/possible", "0-4095\n");
	tree_put(f->tree, "sys/devices/system/cpu/online", "0-4095\n");
	for (unsigned int node = 0; node < 4; node++)
		tree_put(f->tree,
			 arena_printf(f->tree->arena,
				      "sys/devices/system/node/node%u/cpulist",
				      node),
			 every_fourth(f->tree, node));
	put_vector(f->tree, 40, "nvme0q0", before);
	sysroot_set_hooks(f->tree->root, &hooks);
	assert_int_equal(apply(f).changed, 1);
	assert_string_equal(mask_of(f, ADMIN), every_fourth(f->tree, 1));
	assert_int_equal(apply(f).id, 0);
	assert_int_equal(roll_back(f), 1);
	assert_string_equal(mask_of(f, ADMIN), before);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_admin_vector_is_moved_and_taken_back),
		T(it_is_found_under_a_new_number),
		T(a_number_that_serves_something_else_is_left_alone),
		T(a_vector_that_cannot_move_is_a_refusal_with_its_reason),
		T(a_line_with_other_devices_on_it_is_seen),
		T(four_thousand_cpus_in_turns_are_written_as_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

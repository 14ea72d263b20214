/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "core/coalescing.h"
#include "core/placement.h"
#include "host.h"
#include "knobs/knob_list.h"
#include "json/facts_json.h"

/* irq.affinity and irq.coalescing, on made and on saved hosts. */

static int set_up(void **state)
{
	*state = arena_new();
	return 0;
}

static int tear_down(void **state)
{
	arena_free(*state);
	return 0;
}

static struct cpuset cpus(struct arena *arena, const char *list)
{
	struct cpuset set;

	assert_int_equal(cpuset_parse_list(arena, list, &set), 0);
	return set;
}

static void add_vector(struct arena *arena, struct facts *facts, int64_t queue,
		       const char *mask, bool managed)
{
	struct ctrl *ctrl = facts->ctrls.items;
	struct vector *vector = vec_add(arena, &ctrl->vectors);

	*vector = (struct vector){
		.irq = 40 + queue,
		.queue = num_known(queue),
		.managed = num_known(managed),
		.shared = num_known(0),
		.mask = cpus(arena, mask),
	};
}

/* Two nodes of four CPUs; the drive is on the second and has two queues. */
static struct facts *two_nodes(struct arena *arena)
{
	struct facts *facts = host_new(arena);

	facts->online = cpus(arena, "0-7");
	facts->ctrls.items[0].node = num_known(1);
	add_vector(arena, facts, 0, "0-3", false);
	add_vector(arena, facts, 1, "0-3", true);
	add_vector(arena, facts, 2, "4-7", true);
	return facts;
}

static struct facts *saved(struct arena *arena, const char *name)
{
	_cleanup_fclose_ FILE *file =
		fopen(arena_printf(arena, "tests/hosts/%s.json", name), "re");
	struct facts *facts = ARENA_NEW(arena, struct facts);
	struct err err = { 0 };
	struct strbuf text;
	char piece[4096];
	size_t n;

	assert_non_null(file);
	strbuf_init(&text, arena);
	while ((n = fread(piece, 1, sizeof(piece), file)) > 0)
		strbuf_put(&text, piece, n);
	if (facts_from_json(arena, text.text, text.len, facts, &err) < 0)
		fail_msg("%s: %s", name, err.text);
	return facts;
}

static struct plan *plan_of(struct arena *arena, const struct facts *facts,
			    const char *line)
{
	const char *const lines[] = { "[drives]", line, NULL };
	struct plan *plan = ARENA_NEW(arena, struct plan);
	struct problems problems = { .arena = arena };
	const struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
	};

	if (plan_build(arena, &input, plan, &problems) < 0)
		fail_msg("%s", problems.lines.items[0]);
	return plan;
}

static const struct change *found(const struct plan *plan, const char *id)
{
	const struct change *change = plan_find(plan, id);

	if (!change)
		fail_msg("no %s", id);
	return change;
}

static const char *placement_on(struct arena *arena, const char *host,
				size_t ctrl)
{
	const struct facts *facts = saved(arena, host);

	return placement_text(arena, facts, &facts->ctrls.items[ctrl]);
}

static void assert_reason(const struct change *change, enum verdict verdict,
			  const char *reason)
{
	assert_int_equal(change->verdict, verdict);
	assert_string_equal(change->reason, reason);
}

static void a_setting_is_its_bytes_and_back(void **state)
{
	static const struct {
		const char *text;
		uint32_t dword;
	} cases[] = { { "off", 0 },	      { "8/100us", 0x0107 },
		      { "11/200us", 0x020a }, { "256/25500us", 0xffff },
		      { "4/0us", 0x0003 },    { "1/500us", 0x0500 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct coalescing value = coalescing_from_dword(cases[i].dword);
		char text[VALUE_TEXT_SIZE];

		coalescing_to_text(&value, text);
		assert_string_equal(text, cases[i].text);
		assert_int_equal(coalescing_parse(text, &value), 0);
		assert_int_equal(coalescing_to_dword(&value), cases[i].dword);
	}
}

static void a_time_that_is_none_names_those_beside_it(void **state)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "8/150us",
		  "irq.coalescing: \"8/150us\": time counts in 100us: write 100us or 200us" },
		{ "8/20us",
		  "irq.coalescing: \"8/20us\": time counts in 100us: write off or 100us" },
		{ "8/26ms",
		  "irq.coalescing: \"8/26ms\": the longest time is 25500us" },
		{ "0/100us",
		  "irq.coalescing: \"0/100us\": legal is an interrupt after 1..256 completions" },
		{ "257/100us",
		  "irq.coalescing: \"257/100us\": legal is an interrupt after 1..256 completions" },
		{ "8",
		  "irq.coalescing: \"8\" is not off, COMPLETIONS/TIME (8/100us) or keep" },
		{ "8/100us ",
		  "irq.coalescing: \"8/100us \" is not off, COMPLETIONS/TIME (8/100us) or keep" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct value value = { 0 };
		struct err err = { 0 };

		assert_int_equal(knob_parse(&knob_irq_coalescing, NULL,
					    cases[i].text, &value, &err),
				 -EINVAL);
		assert_string_equal(err.text, cases[i].words);
		assert_int_equal(value.type, VALUE_NONE);
	}
}

static void milliseconds_are_shown_as_the_drive_counts(void **state)
{
	struct value value;
	struct err err;

	(void)state;
	assert_int_equal(knob_parse(&knob_irq_coalescing, NULL, "8/1ms", &value,
				    &err),
			 0);
	assert_string_equal(value.u.text, "8/1000us");
}

static void coalescing_is_judged_from_the_facts_alone(void **state)
{
	const struct facts *facts = saved(*state, "db-low-latency");
	const struct change *change =
		found(plan_of(*state, facts, "irq.coalescing = off"),
		      "irq.coalescing@nvme0");

	assert_int_equal(change->verdict, VERDICT_CHANGE);
	assert_string_equal(change->have.u.text, "8/100us");
	assert_string_equal(
		change->note,
		"8/100us adds up to 100 us to a read that waits alone");
	change = found(plan_of(*state, facts, "irq.coalescing = 4/300us"),
		       "irq.coalescing@nvme0");
	assert_string_equal(
		change->note,
		"adds up to 300 us to a read that waits alone; the admin queue is exempt");
}

static void coalescing_shows_in_the_number_of_interrupts(void **state)
{
	static const struct {
		const char *before;
		const char *after;
		enum interrupt_change change;
	} cases[] = {
		{ "off", "8/100us", INTERRUPTS_FEWER },
		{ "8/100us", "off", INTERRUPTS_MORE },
		{ "8/100us", "16/100us", INTERRUPTS_FEWER },
		{ "8/200us", "8/100us", INTERRUPTS_MORE },
		{ "8/100us", "4/500us", INTERRUPTS_ANY },
		/* Each completion interrupts: two ways to say off. */
		{ "1/100us", "off", INTERRUPTS_ANY },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct value before, after;

		assert_true(value_text(cases[i].before, &before));
		assert_true(value_text(cases[i].after, &after));
		assert_int_equal(knob_irq_coalescing
					 .interrupts(*state, &before, &after)
					 .change,
				 cases[i].change);
	}
}

static enum evidence evidence_on(const struct facts *facts, const char *vector)
{
	const struct target target = { .kind = TARGET_VECTOR, .name = vector };

	return knob_evidence(&knob_irq_affinity, facts, &target);
}

static void affinity_is_measured_where_reads_use_the_vector(void **state)
{
	struct facts *facts = two_nodes(*state);

	assert_int_equal(evidence_on(facts, "nvme0q0"), EVIDENCE_NONE);
	assert_int_equal(evidence_on(facts, "nvme0q1"), EVIDENCE_LOAD);
	assert_int_equal(evidence_on(facts, "nvme9q0"), EVIDENCE_NONE);
	facts->ctrls.items[0].vectors.n = 1;
	assert_int_equal(evidence_on(facts, "nvme0q0"), EVIDENCE_LOAD);
}

static void affinity_shows_in_who_takes_the_interrupts(void **state)
{
	struct value before, after;
	struct interrupt_shift shift;

	assert_true(value_text("0-3", &before));
	assert_true(value_text("2-5", &after));
	shift = knob_irq_affinity.interrupts(*state, &before, &after);
	assert_int_equal(shift.change, INTERRUPTS_ELSEWHERE);
	assert_string_equal(cpuset_text(*state, &shift.cpus), "2-5");
	/* It may be there already. */
	assert_true(value_text("0-7", &after));
	shift = knob_irq_affinity.interrupts(*state, &before, &after);
	assert_int_equal(shift.change, INTERRUPTS_ANY);
}

static void a_drive_without_coalescing_is_off(void **state)
{
	struct facts *facts = saved(*state, "db-low-latency");
	struct ctrl *ctrl = &facts->ctrls.items[0];

	ctrl->coalescing = num_unknown(EOPNOTSUPP);
	ctrl->coalescing_caps = num_unknown(EOPNOTSUPP);
	assert_reason(found(plan_of(*state, facts, "irq.coalescing = off"),
			    "irq.coalescing@nvme0"),
		      VERDICT_KEEP,
		      "not applicable: the drive has no interrupt coalescing");
	assert_reason(found(plan_of(*state, facts, "irq.coalescing = 8/100us"),
			    "irq.coalescing@nvme0"),
		      VERDICT_CANNOT, "the drive has no interrupt coalescing");
}

static void a_drive_that_refuses_and_is_off_is_as_wanted(void **state)
{
	struct facts *facts = saved(*state, "db-low-latency");
	struct ctrl *ctrl = &facts->ctrls.items[0];

	ctrl->coalescing = num_known(0);
	ctrl->coalescing_caps = num_known(0);
	assert_reason(found(plan_of(*state, facts, "irq.coalescing = off"),
			    "irq.coalescing@nvme0"),
		      VERDICT_KEEP, "as the profile wants it");
	assert_reason(found(plan_of(*state, facts, "irq.coalescing = 8/100us"),
			    "irq.coalescing@nvme0"),
		      VERDICT_CANNOT,
		      "the drive says that it cannot be changed");
}

static void only_root_can_know_coalescing(void **state)
{
	assert_reason(found(plan_of(*state, saved(*state, "not-root"),
				    "irq.coalescing = off"),
			    "irq.coalescing@nvme0"),
		      VERDICT_CANNOT,
		      "only root may ask the drive for it (feature 08h)");
}

static void managed_vectors_are_one_line_a_controller(void **state)
{
	const struct plan *plan = plan_of(*state, saved(*state, "hygon-8node"),
					  "irq.affinity = local");
	const struct change *change = found(plan, "irq.affinity@nvme0");

	assert_int_equal(plan->changes.n, 4); /* of 258 vectors */
	assert_true(change->settled);
	assert_int_equal(change->persistence, PERSIST_KERNEL);
	assert_reason(
		change, VERDICT_KEEP,
		"128 queue vectors are placed by the kernel; each CPU of node 3 has a queue, shared by 2 CPUs");
}

static void the_admin_vector_moves_to_the_drives_node(void **state)
{
	const struct change *change =
		found(plan_of(*state, saved(*state, "hygon-8node"),
			      "irq.affinity = local"),
		      "irq.affinity@nvme0q0");

	assert_int_equal(change->verdict, VERDICT_CHANGE);
	assert_string_equal(change->have.u.text, "0-15,128-143");
	assert_string_equal(change->want.u.text, "48-63,176-191");
	assert_string_equal(
		change->note,
		"from node 0 to node 3; irqbalance runs and may move it again, unless irqbalance = ban-nvme");
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_int_equal(change->target.kind, TARGET_VECTOR);
}

static void placement_says_who_shares_and_who_has_none(void **state)
{
	assert_string_equal(
		placement_on(*state, "db-low-latency", 0),
		"16 queue vectors are placed by the kernel; each CPU of node 0 has its own queue");
	assert_string_equal(
		placement_on(*state, "hygon-8node-q64", 1),
		"64 queue vectors are placed by the kernel; each CPU of node 3 has a queue, shared by 4 CPUs");
	assert_string_equal(
		placement_on(*state, "laptop-apst", 0),
		"7 queue vectors are placed by the kernel; each CPU of node 0 has a queue, up to 2 CPUs share one");
	assert_string_equal(
		placement_on(*state, "kv-one-queue", 0),
		"1 queue vector is placed by the kernel; each CPU of node 0 has a queue, shared by 48 CPUs; node 1 has no vector");
	assert_string_equal(
		placement_on(*state, "bench-x1", 0),
		"8 queue vectors are placed by the kernel; each CPU of node 0 has its own queue; 2 can only go to isolated CPUs 2-3");
}

static void offline_and_isolated_cpus_are_told(void **state)
{
	struct facts *facts = two_nodes(*state);
	const struct ctrl *ctrl = facts->ctrls.items;

	facts->online = cpus(*state, "0-2,4-7");
	facts->isolated = cpus(*state, "4-7");
	facts->cmdline = "isolcpus=managed_irq,domain,4-7";
	assert_string_equal(
		placement_text(*state, facts, ctrl),
		"2 queue vectors are placed by the kernel; each CPU of node 1 has a queue, shared by 4 CPUs; 1 can only go to isolated CPUs 4-7, which isolcpus=managed_irq cannot help");
	facts->online = cpus(*state, "0-3");
	facts->isolated = (struct cpuset){ 0 };
	assert_string_equal(
		placement_text(*state, facts, ctrl),
		"2 queue vectors are placed by the kernel; node 1 has no CPU; 1 of them sleeps: its CPUs are offline");
}

static void an_unknown_node_is_not_node_0(void **state)
{
	struct facts *facts = two_nodes(*state);
	const struct plan *plan;

	facts->ctrls.items[0].node = num_unknown(0);
	plan = plan_of(*state, facts, "irq.affinity = local");
	assert_reason(
		found(plan, "irq.affinity@nvme0q0"), VERDICT_CANNOT,
		"locality unknown: the kernel does not know the node of nvme0");
	assert_string_equal(
		found(plan, "irq.affinity@nvme0")->reason,
		"2 queue vectors are placed by the kernel; the drive's node is unknown; each CPU has a queue, shared by 4 CPUs");
}

static void isolated_and_offline_cpus_get_no_vector(void **state)
{
	struct facts *facts = two_nodes(*state);

	facts->online = cpus(*state, "0-6");
	facts->isolated = cpus(*state, "4");
	assert_string_equal(
		found(plan_of(*state, facts, "irq.affinity = local"),
		      "irq.affinity@nvme0q0")
			->want.u.text,
		"5-6");
	facts->isolated = cpus(*state, "4-7");
	assert_reason(found(plan_of(*state, facts, "irq.affinity = local"),
			    "irq.affinity@nvme0q0"),
		      VERDICT_CANNOT,
		      "all CPUs of the drive's node are isolated");
}

static void what_is_local_already_stays(void **state)
{
	struct facts *facts = two_nodes(*state);

	facts->ctrls.items[0].vectors.items[0].mask = cpus(*state, "5");
	assert_int_equal(found(plan_of(*state, facts, "irq.affinity = local"),
			       "irq.affinity@nvme0q0")
				 ->verdict,
			 VERDICT_KEEP);
	assert_string_equal(
		found(plan_of(*state, facts, "irq.affinity = spread"),
		      "irq.affinity@nvme0q0")
			->want.u.text,
		"0-7");
}

static void a_line_of_several_devices_is_not_moved(void **state)
{
	struct facts *facts = two_nodes(*state);

	facts->ctrls.items[0].vectors.items[0].shared = num_known(1);
	assert_reason(
		found(plan_of(*state, facts, "irq.affinity = local"),
		      "irq.affinity@nvme0q0"),
		VERDICT_CANNOT,
		"other devices use this interrupt line too, so it is not moved");
}

static void a_new_vector_is_on_the_first_node_by_itself(void **state)
{
	struct facts *facts = two_nodes(*state);
	const struct change *change;

	facts->ctrls.items[0].node = num_known(0);
	change = found(plan_of(*state, facts, "irq.affinity = local"),
		       "irq.affinity@nvme0q0");
	assert_int_equal(change->verdict, VERDICT_KEEP);
	assert_int_equal(change->persistence, PERSIST_KERNEL);
	facts->cmdline = "quiet irqaffinity=0-1";
	change = found(plan_of(*state, facts, "irq.affinity = local"),
		       "irq.affinity@nvme0q0");
	assert_int_equal(change->persistence, PERSIST_CANNOT);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_setting_is_its_bytes_and_back),
		T(a_time_that_is_none_names_those_beside_it),
		T(milliseconds_are_shown_as_the_drive_counts),
		T(coalescing_is_judged_from_the_facts_alone),
		T(coalescing_shows_in_the_number_of_interrupts),
		T(affinity_is_measured_where_reads_use_the_vector),
		T(affinity_shows_in_who_takes_the_interrupts),
		T(a_drive_without_coalescing_is_off),
		T(a_drive_that_refuses_and_is_off_is_as_wanted),
		T(only_root_can_know_coalescing),
		T(managed_vectors_are_one_line_a_controller),
		T(the_admin_vector_moves_to_the_drives_node),
		T(placement_says_who_shares_and_who_has_none),
		T(offline_and_isolated_cpus_are_told),
		T(an_unknown_node_is_not_node_0),
		T(isolated_and_offline_cpus_get_no_vector),
		T(what_is_local_already_stays),
		T(a_line_of_several_devices_is_not_moved),
		T(a_new_vector_is_on_the_first_node_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

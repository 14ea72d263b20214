/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The contract that every row of the registry keeps: a new knob is tested
 * before anyone writes a test for it.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/parse.h"
#include "knobs/knob_list.h"

static const struct knob_set *all;

static bool is_family(const struct knob *knob)
{
	return text_has_suffix(knob->name, ".");
}

static void every_knob_says_what_it_does_and_costs(void **state)
{
	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		const struct knob_doc *doc = &all->items[i]->doc;

		assert_non_null(doc->summary);
		assert_non_null(doc->effect);
		assert_non_null(doc->cost);
		assert_non_null(doc->source);
		assert_false(text_has_suffix(doc->summary, "."));
		assert_true(text_has_suffix(doc->effect, "."));
		assert_true(text_has_suffix(doc->cost, "."));
	}
}

static void names_are_unique_and_found(void **state)
{
	const char *param;

	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		const struct knob *knob = all->items[i];

		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(knob->name,
						all->items[j]->name);
		if (is_family(knob))
			continue;
		assert_ptr_equal(knob_set_find(all, knob->name, &param), knob);
		assert_null(param);
	}
	assert_null(knob_set_find(all, "queue.nr_request", &param));
	assert_string_equal(knob_set_nearest(all, "queue.nr_request"),
			    "queue.nr_requests");
	assert_non_null(knob_set_find(all, "module.nvme.poll_queues", &param));
	assert_string_equal(param, "nvme.poll_queues");
}

static void a_queue_knob_has_an_attribute_and_a_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		const struct knob *knob = all->items[i];

		if (knob->scope != SCOPE_QUEUE)
			continue;
		assert_true(text_has_prefix(knob->attr, "queue/"));
		assert_true(knob->place != 0);
		assert_true(text_has_prefix(knob->name, "queue."));
		assert_string_equal(knob->name + strlen("queue."),
				    knob->attr + strlen("queue/"));
	}
}

static void legal_values_are_taken_and_shown_as_the_kernel_does(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		const struct knob *knob = all->items[i];
		struct value value, back;
		struct err err;

		if (is_family(knob))
			continue;
		for (size_t c = 0; knob->choices && knob->choices[c]; c++) {
			assert_int_equal(knob_parse(knob, NULL,
						    knob->choices[c], &value,
						    &err),
					 0);
			assert_int_equal(
				knob_read_value(knob,
						value_string(arena, &value),
						&back),
				0);
			assert_true(knob_same(knob, &back, &value));
		}
		if (knob->type != VALUE_UINT)
			continue;
		back = value_uint(knob->max);
		assert_int_equal(knob_read_value(knob,
						 value_string(arena, &back),
						 &value),
				 0);
		assert_true(knob_same(knob, &back, &value));
	}
	arena_free(arena);
}

static void words_stand_for_values_within_the_range(void **state)
{
	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		const struct knob *knob = all->items[i];
		const struct knob_word *word = knob->words;
		struct value value;
		struct err err;

		for (; word && word->word; word++) {
			assert_int_equal(knob->type, VALUE_UINT);
			assert_int_equal(knob_parse(knob, NULL, word->word,
						    &value, &err),
					 0);
			/* What differs from drive to drive must be settled. */
			assert_true(word->differs ?
					    value.type == VALUE_TEXT &&
						    knob->resolve :
					    value.u.number >= knob->min &&
						    value.u.number <=
							    knob->max);
		}
	}
}

static void what_a_knob_sets_too_takes_the_same_values(void **state)
{
	const char *param;

	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		const struct knob *knob = all->items[i];
		const char *const *name = knob->members;

		for (; name && *name; name++) {
			const struct knob *member =
				knob_set_find(all, *name, &param);

			assert_non_null(member);
			assert_int_equal(member->type, knob->type);
			assert_int_equal(member->max, knob->max);
			assert_ptr_equal(member->words, knob->words);
			assert_null(member->members);
		}
	}
}

static void what_keeps_a_knob_fits_where_it_lives(void **state)
{
	static const enum knob_scope scopes[] = {
		[KEPT_BY_DISK_RULE] = SCOPE_QUEUE,
		[KEPT_BY_CTRL_RULE] = SCOPE_CTRL,
		[KEPT_BY_FUNCTION_RULE] = SCOPE_FUNCTION,
		[KEPT_BY_SUBSYSTEM_RULE] = SCOPE_SUBSYSTEM,
		[KEPT_BY_CPU_RULE] = SCOPE_CPUS,
		[KEPT_BY_OPTION] = SCOPE_MODULE,
		[KEPT_BY_SYSCTL] = SCOPE_HOST,
		[KEPT_BY_UNIT] = SCOPE_HOST,
		[KEPT_BY_RUNNER] = SCOPE_RUNNER,
	};

	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		const struct knob *knob = all->items[i];

		if (knob->kept == KEPT_NOT || knob->kept == KEPT_BY_HELPER)
			assert_non_null(knob->unkept);
		else
			assert_int_equal(knob->scope, scopes[knob->kept]);
		if (knob->kept == KEPT_BY_SYSCTL)
			assert_true(text_has_prefix(knob->attr, "proc/sys/"));
		assert_true((knob->kept == KEPT_BY_UNIT) ==
			    (knob->restarts && knob->written && knob->intend));
	}
}

static void keep_is_legal_for_every_knob(void **state)
{
	struct value value;
	struct err err;

	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		assert_int_equal(knob_parse(all->items[i], "nvme.x", "keep",
					    &value, &err),
				 0);
		assert_int_equal(value.type, VALUE_KEEP);
	}
}

static void nonsense_is_refused_and_leaves_the_value_alone(void **state)
{
	static const char *const bad[] = { "",	   "banana",	 "-1",	"1.5",
					   "0x10", "1 2",	 "99%", " 1",
					   "1;rm", "\x1b[31mred" };

	(void)state;
	for (size_t i = 0; i < all->n; i++)
		for (size_t j = 0; j < sizeof(bad) / sizeof(bad[0]); j++) {
			const struct knob *knob = all->items[i];
			struct value value = value_uint(77);
			struct err err = { 0 };

			if (is_family(knob))
				continue;
			assert_true(knob_parse(knob, NULL, bad[j], &value,
					       &err) < 0);
			assert_int_equal(value.u.number, 77);
			assert_non_null(strstr(err.text, knob->name));
			assert_null(strchr(err.text, '\x1b'));
		}
}

static void the_ends_of_a_range_are_inside_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		const struct knob *knob = all->items[i];
		const char *unit = knob->unit == UNIT_MS ? "ms" : "";
		struct value value;
		struct err err;
		char text[32];

		if (knob->type != VALUE_UINT || knob->unit == UNIT_KIB)
			continue;
		(void)snprintf(text, sizeof(text), "%llu%s",
			       (unsigned long long)knob->max, unit);
		assert_int_equal(knob_parse(knob, NULL, text, &value, &err), 0);
		(void)snprintf(text, sizeof(text), "%llu%s",
			       (unsigned long long)knob->max + 1, unit);
		assert_true(knob_parse(knob, NULL, text, &value, &err) < 0);
	}
}

static void expect_error(const char *key, const char *text, const char *want)
{
	const char *param;
	const struct knob *knob = knob_set_find(all, key, &param);
	struct value value;
	struct err err = { 0 };

	assert_non_null(knob);
	assert_true(knob_parse(knob, param, text, &value, &err) < 0);
	assert_string_equal(err.text, want);
}

static void errors_name_what_is_legal(void **state)
{
	(void)state;
	expect_error(
		"queue.scheduler", "noop",
		"queue.scheduler: \"noop\" is gone since blk-mq: use none");
	expect_error(
		"queue.nr_requests", "banana",
		"queue.nr_requests: \"banana\" is not a number: legal is 4..4095, max or keep");
	expect_error(
		"queue.io_timeout", "30000",
		"queue.io_timeout: \"30000\" has no unit: write 30000s or 30000ms");
	expect_error(
		"queue.rq_affinity", "3",
		"queue.rq_affinity: \"3\" is out of range: legal is 0..2 or keep");
	expect_error(
		"module.scsi.x", "1",
		"module.scsi.x: scsi is not a module that nvmetune sets: legal are nvme and nvme_core");
	expect_error(
		"module.nvme.poll_queues", "many",
		"module.nvme.poll_queues: \"many\" is not a number or keep");
}

static void a_parameter_that_keeps_the_module_out_is_refused(void **state)
{
	const char *param;
	const struct knob *knob =
		knob_set_find(all, "module.nvme.poll_queues", &param);
	struct value value;
	struct err err;

	(void)state;
	expect_error(
		"module.nvme.io_queue_depth", "1",
		"module.nvme.io_queue_depth: 1 is not within 2..4095: nvme.ko would not load");
	expect_error(
		"module.nvme_core.io_timeout", "banana",
		"module.nvme_core.io_timeout: \"banana\" is not a number or keep");
	expect_error(
		"module.nvme_core.io_timeout", "4294967296",
		"module.nvme_core.io_timeout: 4294967296 is not within 0..4294967295: nvme_core.ko would not load");
	expect_error(
		"module.nvme_core.max_retries", "256",
		"module.nvme_core.max_retries: 256 is not within 0..255: nvme_core.ko would not load");
	expect_error(
		"module.nvme_core.default_ps_max_latency_us",
		"99999999999999999999",
		"module.nvme_core.default_ps_max_latency_us: 99999999999999999999 is not within 0..18446744073709551615: nvme_core.ko would not load");
	expect_error(
		"module.nvme_core.multipath", "maybe",
		"module.nvme_core.multipath: \"maybe\" is not 1, 0 or keep: nvme_core.ko might not load");
	expect_error(
		"module.nvme_core.iopolicy", "fastest",
		"module.nvme_core.iopolicy: \"fastest\" is not numa, round-robin, queue-depth or keep: nvme_core.ko might not load");
	/* Read by the kernel, 010 would be eight. */
	assert_int_equal(knob_parse(knob, param, "010", &value, &err), 0);
	assert_string_equal(value.u.text, "10");
}

static void what_a_knob_disturbs_comes_after_it(void **state)
{
	const char *param;

	(void)state;
	for (size_t i = 0; i < all->n; i++) {
		const char *const *name = all->items[i]->disturbs;

		for (; name && *name; name++) {
			const struct knob *other =
				knob_set_find(all, *name, &param);
			size_t at = 0;

			assert_non_null(other);
			while (all->items[at] != other)
				at++;
			assert_true(at > i);
		}
	}
}

static void units_are_converted_exactly_or_refused(void **state)
{
	const char *param;
	const struct knob *knob =
		knob_set_find(all, "queue.max_sectors_kb", &param);
	struct value value;
	struct err err;

	(void)state;
	assert_int_equal(knob_parse(knob, NULL, "1M", &value, &err), 0);
	assert_int_equal(value.u.number, 1024);
	assert_int_equal(knob_parse(knob, NULL, "128", &value, &err), 0);
	assert_int_equal(value.u.number, 128);
	knob = knob_set_find(all, "queue.io_timeout", &param);
	assert_int_equal(knob_parse(knob, NULL, "30s", &value, &err), 0);
	assert_int_equal(value.u.number, 30000);
	assert_true(knob_parse(knob, NULL, "1500us", &value, &err) < 0);
}

static void what_the_kernel_rounds_is_the_same(void **state)
{
	struct value have = value_uint(12348), want = value_uint(12345);
	const char *param;
	const struct knob *knob =
		knob_set_find(all, "queue.io_timeout", &param);

	(void)state;
	assert_true(knob_same(knob, &have, &want));
	have = value_uint(4294967288);
	want = value_uint(4294967295);
	assert_true(knob_same(knob, &have, &want));
	have = value_uint(30000);
	assert_false(knob_same(knob, &have, &want));
}

static void read_ahead_is_wanted_in_whole_pages_and_no_other(void **state)
{
	struct facts facts = { .page_size = num_known(4096) };
	struct target target = { 0 };
	struct value asked = value_uint(127), have = value_uint(0), want;
	const char *param;
	const struct knob *knob =
		knob_set_find(all, "queue.read_ahead_kb", &param);
	struct err err;

	(void)state;
	assert_int_equal(knob_resolve(knob, NULL, &facts, &target, &asked,
				      &want, &err),
			 0);
	assert_int_equal(want.u.number, 124);
	facts.page_size = num_known(65536);
	assert_int_equal(knob_resolve(knob, NULL, &facts, &target, &asked,
				      &want, &err),
			 0);
	assert_int_equal(want.u.number, 64);
	facts.page_size = num_unknown(0);
	assert_int_equal(knob_resolve(knob, NULL, &facts, &target, &asked,
				      &want, &err),
			 0);
	assert_int_equal(want.u.number, 127);
	want = value_uint(32);
	assert_false(knob_same(knob, &have, &want));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_knob_says_what_it_does_and_costs),
		cmocka_unit_test(names_are_unique_and_found),
		cmocka_unit_test(a_queue_knob_has_an_attribute_and_a_place),
		cmocka_unit_test(
			legal_values_are_taken_and_shown_as_the_kernel_does),
		cmocka_unit_test(words_stand_for_values_within_the_range),
		cmocka_unit_test(what_a_knob_sets_too_takes_the_same_values),
		cmocka_unit_test(what_keeps_a_knob_fits_where_it_lives),
		cmocka_unit_test(keep_is_legal_for_every_knob),
		cmocka_unit_test(
			nonsense_is_refused_and_leaves_the_value_alone),
		cmocka_unit_test(the_ends_of_a_range_are_inside_it),
		cmocka_unit_test(errors_name_what_is_legal),
		cmocka_unit_test(
			a_parameter_that_keeps_the_module_out_is_refused),
		cmocka_unit_test(what_a_knob_disturbs_comes_after_it),
		cmocka_unit_test(what_the_kernel_rounds_is_the_same),
		cmocka_unit_test(
			read_ahead_is_wanted_in_whole_pages_and_no_other),
		cmocka_unit_test(units_are_converted_exactly_or_refused),
	};

	all = knobs_all();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "core/match.h"

static struct arena *arena;

static const struct ctrl pcie = {
	.name = "nvme0",
	.model = "SOLIDIGM SSDPF2KX038T1",
	.serial = "PHAX001",
	.firmware = "9CV10200",
	.transport = "pcie",
	.driver = "nvme",
	.node = { .known = true, .value = 3 },
};
static const struct ctrl fabric = { .name = "nvme1",
				    .model = "Linux",
				    .transport = "tcp" };
static const struct ctrl bare = { .name = "nvme2", .transport = "pcie" };
static const struct ns plain = { .name = "nvme0n1", .zoned = "none" };
static const struct ns zoned = { .name = "nvme0n2", .zoned = "host-managed" };

static int make(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int drop(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static void add(struct match *match, const char *name, const char *text)
{
	struct match_term term;
	struct err err = { 0 };

	if (match_term_parse(arena, name, text, &term, &err) < 0)
		fail_msg("%s", err.text);
	*vec_add(arena, &match->terms) = term;
}

static struct match one(const char *name, const char *text)
{
	struct match match = { 0 };

	add(&match, name, text);
	return match;
}

static bool holds(const char *name, const char *text, const struct ctrl *ctrl,
		  const struct ns *ns)
{
	const struct match match = one(name, text);

	return match_holds(&match, ctrl, ns);
}

static void expect_refusal(const char *name, const char *text,
			   const char *sentence)
{
	struct match_term term = { .pattern = "untouched" };
	struct err err = { 0 };

	assert_int_equal(match_term_parse(arena, name, text, &term, &err),
			 -EINVAL);
	assert_string_equal(err.text, sentence);
	assert_string_equal(term.pattern, "untouched");
}

static void no_terms_mean_every_local_pcie_drive(void **state)
{
	const struct match all = { 0 };

	(void)state;
	assert_true(match_holds(&all, &pcie, &plain));
	assert_true(match_holds(&all, &bare, &zoned));
	assert_false(match_holds(&all, &fabric, &plain));
	assert_false(match_holds(&all, NULL, &plain));
}

static void fabrics_match_only_when_the_transport_is_named(void **state)
{
	(void)state;
	assert_false(holds("model", "Linux", &fabric, &plain));
	assert_true(holds("transport", "tcp", &fabric, &plain));
	assert_true(holds("transport", "tcp|pcie", &pcie, &plain));
	assert_true(holds("transport", "!pcie", &fabric, &plain));
	assert_false(holds("transport", "!pcie", &pcie, &plain));
}

static void every_key_is_compared_with_its_own_fact(void **state)
{
	(void)state;
	assert_true(holds("model", "SOLIDIGM*", &pcie, &plain));
	assert_true(holds("serial", "PHAX00?", &pcie, &plain));
	assert_true(holds("firmware", "9CV1*", &pcie, &plain));
	assert_true(holds("driver", "nvme", &pcie, &plain));
	assert_true(holds("node", "3", &pcie, &plain));
	assert_false(holds("node", "[0-2]", &pcie, &plain));
	assert_true(holds("zoned", "host-managed", &pcie, &zoned));
	assert_false(holds("zoned", "host-managed", &pcie, &plain));
}

static void all_terms_must_hold(void **state)
{
	struct match match = one("model", "SOLIDIGM*");

	(void)state;
	add(&match, "firmware", "9CV1*");
	assert_true(match_holds(&match, &pcie, &plain));
	add(&match, "zoned", "!none");
	assert_false(match_holds(&match, &pcie, &plain));
	assert_true(match_holds(&match, &pcie, &zoned));
}

static void
what_is_unknown_matches_neither_a_pattern_nor_its_opposite(void **state)
{
	static const char *const keys[] = { "model", "serial", "firmware",
					    "driver" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_false(holds(keys[i], "*", &bare, &plain));
		assert_false(holds(keys[i], "!X*", &bare, &plain));
	}
	assert_false(holds("node", "*", &bare, &plain));
	assert_false(holds("node", "!7", &bare, &plain));
	assert_false(holds("zoned", "!none", &pcie, NULL));
}

static void the_mark_of_negation_may_stand_apart(void **state)
{
	const struct match match = one("model", "!  Samsung*|INTEL*");

	(void)state;
	assert_true(match.terms.items[0].negated);
	assert_string_equal(match.terms.items[0].pattern, "Samsung*|INTEL*");
	assert_true(match_holds(&match, &pcie, &plain));
}

static void a_key_reads_back_to_its_name(void **state)
{
	enum match_key key;

	(void)state;
	for (size_t i = 0; match_key_names[i]; i++) {
		assert_true(match_key_parse(match_key_names[i], &key));
		assert_string_equal(match_key_name(key), match_key_names[i]);
	}
	assert_false(match_key_parse("", &key));
}

static void an_unknown_key_is_refused_with_the_legal_ones(void **state)
{
	(void)state;
	expect_refusal(
		"modle", "X",
		"unknown key \"match.modle\": legal are match.model, match.serial, match.firmware, match.transport, match.node, match.driver, match.zoned; did you mean match.model?");
	expect_refusal(
		"wwid", "X",
		"unknown key \"match.wwid\": legal are match.model, match.serial, match.firmware, match.transport, match.node, match.driver, match.zoned");
}

static void a_pattern_that_no_drive_can_match_is_refused(void **state)
{
	static const char empty[] =
		"match.model: an empty pattern matches no drive";

	(void)state;
	expect_refusal("model", "", empty);
	expect_refusal("model", "!", empty);
	expect_refusal("model", "A||B", empty);
	expect_refusal("model", "A|", empty);
	expect_refusal(
		"transport", "pci",
		"match.transport: \"pci\" matches none of pcie, tcp, rdma, fc, loop, apple-nvme");
	expect_refusal(
		"zoned", "none|managed",
		"match.zoned: \"managed\" matches none of none, host-aware, host-managed");
	expect_refusal("node", "node0",
		       "match.node: \"node0\" is no number of a NUMA node");
	expect_refusal("model", "A\\",
		       "match.model: nothing follows the last \"\\\"");
}

static void negation_stands_in_front_and_nowhere_else(void **state)
{
	static const char sentence[] =
		"match.model: one \"!\" in front negates the whole pattern, and it stands nowhere else";

	(void)state;
	expect_refusal("model", "A|!B", sentence);
	expect_refusal("model", "!!A", sentence);
	assert_true(holds("model", "\\!A|SOLIDIGM*", &pcie, &plain));
}

static void a_bar_behind_a_backslash_parts_nothing(void **state)
{
	const struct ctrl odd = { .transport = "pcie", .model = "A|B" };

	(void)state;
	assert_true(holds("model", "A\\|B", &odd, &plain));
	assert_false(holds("model", "A|B", &odd, &plain));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_terms_mean_every_local_pcie_drive),
		cmocka_unit_test(
			fabrics_match_only_when_the_transport_is_named),
		cmocka_unit_test(every_key_is_compared_with_its_own_fact),
		cmocka_unit_test(all_terms_must_hold),
		cmocka_unit_test(
			what_is_unknown_matches_neither_a_pattern_nor_its_opposite),
		cmocka_unit_test(the_mark_of_negation_may_stand_apart),
		cmocka_unit_test(a_key_reads_back_to_its_name),
		cmocka_unit_test(an_unknown_key_is_refused_with_the_legal_ones),
		cmocka_unit_test(a_pattern_that_no_drive_can_match_is_refused),
		cmocka_unit_test(negation_stands_in_front_and_nowhere_else),
		cmocka_unit_test(a_bar_behind_a_backslash_parts_nothing),
	};

	return cmocka_run_group_tests(tests, make, drop);
}

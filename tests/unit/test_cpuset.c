/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "base/arena.h"
#include "base/cpuset.h"

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

static struct cpuset list(struct arena *arena, const char *text)
{
	struct cpuset set = { 0 };

	if (cpuset_parse_list(arena, text, &set) < 0)
		fail_msg("\"%s\" is refused", text);
	return set;
}

struct spelling {
	const char *text;
	const char *canonical;
};

static void a_list_is_read_as_the_kernel_writes_it(void **state)
{
	static const struct spelling rows[] = {
		{ "", "" },
		{ "0", "0" },
		{ "0-3,8", "0-3,8" },
		{ "8,0-3", "0-3,8" },
		{ "1,2,3", "1-3" },
		{ "0-1,1-2", "0-2" },
		{ "10-14:2", "10,12,14" },
		{ "10-15:2", "10,12,14" },
		{ "0-12:1/4", "0,4,8,12" },
		{ "0-13:2/4", "0-1,4-5,8-9,12-13" },
		{ "0-12:2/4", "0-1,4-5,8-9,12" },
		{ "5-5:65535", "5" },
		{ "63,64", "63-64" },
		{ "0-255", "0-255" },
		{ "65535", "65535" },
	};
	_cleanup_arena_ struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < N(rows); i++) {
		struct cpuset set = list(arena, rows[i].text);

		assert_string_equal(cpuset_text(arena, &set),
				    rows[i].canonical);
	}
}

static void nonsense_is_refused_and_the_set_stays(void **state)
{
	static const char *const bad[] = {
		",",	   "0,",      "0,,1",	" 0",	 "0 ",	"0\n",
		"-",	   "-1",      "3-1",	"0-",	 "a",	"0-1:",
		"0-1:0",   "0x1",     "0-3-5",	"1:2:3", "0;1", "0-9/2",
		"0-9:2/1", "0-9:0/2", "0-9:1/",
	};
	static const char *const large[] = {
		"65536",
		"0-65536",
		"0-99999999999999999999",
		"99999999999999999999",
		"1-3:18446744073709551615",
		"2-3:18446744073709551614",
		"0-3:65536",
	};
	_cleanup_arena_ struct arena *arena = arena_new();
	struct cpuset set = list(arena, "7");

	(void)state;
	for (size_t i = 0; i < N(bad); i++)
		if (cpuset_parse_list(arena, bad[i], &set) != -EINVAL)
			fail_msg("\"%s\"", bad[i]);
	for (size_t i = 0; i < N(large); i++)
		if (cpuset_parse_list(arena, large[i], &set) != -ERANGE)
			fail_msg("\"%s\"", large[i]);
	assert_string_equal(cpuset_text(arena, &set), "7");
}

static void a_list_that_fits_stays_and_a_long_one_is_folded(void **state)
{
	static const struct {
		const char *list;
		size_t size;
		int code;
		const char *folded;
	} rows[] = {
		{ "0,4,8,12", 9, 0, "0,4,8,12" },
		{ "0,4,8,12,16", 10, 0, "0-16:1/4" },
		{ "0-1,8-9,16-17,40", 15, 0, "0-17:2/8,40" },
		{ "0,2,4,9-10,13-14,17-18", 20, 0, "0-4:1/2,9-18:2/4" },
		{ "0,2,9-12,30,32", 14, -EFBIG, NULL },
		{ "0-1,3,5,70,90", 10, -EFBIG, NULL },
		{ "3,1,2,7,9", 6, -EINVAL, NULL },
		{ "0-99:1/4,5", 6, -EINVAL, NULL },
		{ "nonsense", 4, -EINVAL, NULL },
	};
	char folded[32];

	(void)state;
	for (size_t i = 0; i < N(rows); i++) {
		int r = cpuset_fold_list(rows[i].list, folded, rows[i].size);

		if (r != rows[i].code)
			fail_msg("\"%s\": %d", rows[i].list, r);
		if (r == 0)
			assert_string_equal(folded, rows[i].folded);
	}
}

/* The CPUs of one node of four, as some firmware numbers them. */
static void one_node_of_4096_cpus_is_a_few_bytes(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct cpuset set = { 0 };
	struct cpuset again;
	char folded[128];

	(void)state;
	for (unsigned int cpu = 1; cpu < 4096; cpu += 4)
		cpuset_add(arena, &set, cpu);
	assert_int_equal(cpuset_fold_list(cpuset_text(arena, &set), folded,
					  sizeof(folded)),
			 0);
	assert_string_equal(folded, "1-4093:1/4");
	again = list(arena, folded);
	assert_true(cpuset_equal(&set, &again));
}

static void a_mask_has_its_last_cpus_first(void **state)
{
	static const struct spelling rows[] = {
		{ "0", "" },
		{ "f", "0-3" },
		{ "00000001", "0" },
		{ "80000000", "31" },
		{ "1,00000000", "32" },
		{ "ffffffff,0000000f", "0-3,32-63" },
		{ "00000000,00000003", "0-1" },
	};
	static const char *const bad[] = { "",	 ",",  "0x1",	    "g",
					   "1,", ",1", "123456789", "1,,1",
					   " 1", "1\n" };
	_cleanup_arena_ struct arena *arena = arena_new();
	struct cpuset set = { 0 };

	(void)state;
	for (size_t i = 0; i < N(rows); i++) {
		assert_int_equal(cpuset_parse_mask(arena, rows[i].text, &set),
				 0);
		assert_string_equal(cpuset_text(arena, &set),
				    rows[i].canonical);
	}
	for (size_t i = 0; i < N(bad); i++)
		if (cpuset_parse_mask(arena, bad[i], &set) != -EINVAL)
			fail_msg("\"%s\"", bad[i]);
	assert_string_equal(cpuset_text(arena, &set), "0-1");
}

static void a_mask_beyond_all_cpus_is_refused(void **state)
{
	char text[2 * 2050 + 2];
	_cleanup_arena_ struct arena *arena = arena_new();
	struct cpuset set = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(text) - 1; i++)
		text[i] = i % 2 ? ',' : '0';
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(cpuset_parse_mask(arena, text, &set), -ERANGE);
}

static void members_are_found_in_order(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct cpuset set = list(arena, "3,63-64,200"), none = { 0 };
	int found[4], n = 0;

	(void)state;
	CPUSET_EACH(&set, cpu)
		found[n++] = cpu;
	assert_int_equal(n, 4);
	assert_int_equal(found[0], 3);
	assert_int_equal(found[1], 63);
	assert_int_equal(found[2], 64);
	assert_int_equal(found[3], 200);
	assert_int_equal(cpuset_next(&set, 201), -1);
	assert_int_equal(cpuset_next(&set, 4000000000U), -1);
	assert_int_equal(cpuset_next(&none, 0), -1);
	assert_true(cpuset_has(&set, 64));
	assert_false(cpuset_has(&set, 65));
	assert_false(cpuset_has(&set, 4000000000U));
	assert_int_equal(cpuset_count(&set), 4);
	assert_true(cpuset_is_empty(&none));
}

static void sets_of_unlike_length_compare_by_their_members(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct cpuset small = list(arena, "1"), large = list(arena, "1,200");
	struct cpuset none = { 0 };

	(void)state;
	assert_false(cpuset_equal(&small, &large));
	assert_true(cpuset_is_subset(&small, &large));
	assert_false(cpuset_is_subset(&large, &small));
	assert_true(cpuset_is_subset(&none, &none));
	assert_true(cpuset_is_subset(&none, &small));
	assert_true(cpuset_intersects(&small, &large));
	assert_false(cpuset_intersects(&small, &none));
	large = cpuset_minus(arena, &large, &small);
	assert_string_equal(cpuset_text(arena, &large), "200");
	large = cpuset_and(arena, &large, &small);
	assert_true(cpuset_equal(&large, &none));
	assert_int_equal(large.nr_words, 0);
}

/* Every pair of subsets of six CPUs around the edge of a word. */
static void set_algebra_is_that_of_bits(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct cpuset sets[64] = { { 0 } };

	(void)state;
	for (unsigned int bits = 0; bits < 64; bits++)
		for (unsigned int i = 0; i < 6; i++)
			if (bits >> i & 1)
				cpuset_add(arena, &sets[bits], 61 + i);
	for (unsigned int a = 0; a < 64; a++)
		for (unsigned int b = 0; b < 64; b++) {
			struct cpuset both =
				cpuset_and(arena, &sets[a], &sets[b]);
			struct cpuset any =
				cpuset_or(arena, &sets[a], &sets[b]);
			struct cpuset rest =
				cpuset_minus(arena, &sets[a], &sets[b]);

			assert_true(cpuset_equal(&both, &sets[a & b]));
			assert_true(cpuset_equal(&any, &sets[a | b]));
			assert_true(cpuset_equal(&rest, &sets[a & ~b]));
			assert_int_equal(cpuset_equal(&sets[a], &sets[b]),
					 a == b);
			assert_int_equal(cpuset_is_subset(&sets[a], &sets[b]),
					 (a & ~b) == 0);
			assert_int_equal(cpuset_intersects(&sets[a], &sets[b]),
					 (a & b) != 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_read_as_the_kernel_writes_it),
		cmocka_unit_test(nonsense_is_refused_and_the_set_stays),
		cmocka_unit_test(
			a_list_that_fits_stays_and_a_long_one_is_folded),
		cmocka_unit_test(one_node_of_4096_cpus_is_a_few_bytes),
		cmocka_unit_test(a_mask_has_its_last_cpus_first),
		cmocka_unit_test(a_mask_beyond_all_cpus_is_refused),
		cmocka_unit_test(members_are_found_in_order),
		cmocka_unit_test(
			sets_of_unlike_length_compare_by_their_members),
		cmocka_unit_test(set_algebra_is_that_of_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

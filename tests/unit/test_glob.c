/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fnmatch.h>
#include <string.h>
#include <time.h>

#include "base/glob.h"
#include "base/nearest.h"

struct pair {
	const char *pattern;
	const char *text;
};

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

static void a_pattern_matches_the_whole_text(void **state)
{
	static const struct pair yes[] = {
		{ "", "" },
		{ "*", "" },
		{ "**", "abc" },
		{ "a?c", "abc" },
		{ "a*c", "ac" },
		{ "*a*", "bab" },
		{ "[a-c]", "b" },
		{ "[!a-c]", "d" },
		{ "[^a-c]", "d" },
		{ "[]]", "]" },
		{ "[!]]", "a" },
		{ "[a-]", "-" },
		{ "[-a]", "-" },
		{ "[", "[" },
		{ "a[", "a[" },
		{ "[ab", "[ab" },
		{ "\\*", "*" },
		{ "a\\?", "a?" },
		{ "\\", "\\" },
		{ "a|b", "a" },
		{ "a|b", "b" },
		{ "|a", "" },
		{ "a|", "" },
		{ "a\\|b", "a|b" },
		{ "x|*y|z", "ay" },
		{ "[*]", "*" },
		{ "[?]", "?" },
		{ "nvme[0-9]*n[0-9]*", "nvme10n1p2" },
		{ "SAMSUNG MZ*", "SAMSUNG MZQL23T8HCLS-00B7C" },
	};

	(void)state;
	for (size_t i = 0; i < N(yes); i++)
		if (!glob_match(yes[i].pattern, yes[i].text))
			fail_msg("%s against \"%s\"", yes[i].pattern,
				 yes[i].text);
}

static void what_is_not_the_whole_text_is_no_match(void **state)
{
	static const struct pair no[] = {
		{ "", "a" },
		{ "a", "" },
		{ "a", "ab" },
		{ "b", "ab" },
		{ "a?", "a" },
		{ "?", "" },
		{ "[a-c]", "d" },
		{ "[!a-c]", "b" },
		{ "[a-c]", "" },
		{ "[]", "" },
		{ "[c-a]", "b" },
		{ "\\*", "a" },
		{ "a|b", "a|b" },
		{ "a|b", "ab" },
		{ "a\\|b", "a" },
		{ "*a", "ab" },
		{ "a*b*c", "acb" },
		{ "A", "a" },
		{ "nvme[0-9]*n[0-9]*", "nvme0" },
	};

	(void)state;
	for (size_t i = 0; i < N(no); i++)
		if (glob_match(no[i].pattern, no[i].text))
			fail_msg("%s against \"%s\"", no[i].pattern,
				 no[i].text);
}

/* udev takes "|" apart and asks fnmatch(): we must never differ from it. */
static void the_c_library_agrees_on_every_short_pattern(void **state)
{
	static const char alphabet[] = "ab*?[]!-";
	static const char *const texts[] = { "",  "a",	"b",   "-", "]",
					     "!", "ab", "aab", "[a" };
	const size_t base = sizeof(alphabet) - 1;
	char pattern[6] = { 0 };

	(void)state;
	for (size_t code = 0; code < base * base * base * base * base; code++) {
		size_t rest = code;

		for (size_t i = 0; i < 5; i++, rest /= base)
			pattern[i] = alphabet[rest % base];
		for (size_t i = 0; i < N(texts); i++)
			if (glob_match(pattern, texts[i]) !=
			    (fnmatch(pattern, texts[i], 0) == 0))
				fail_msg("%s against \"%s\"", pattern,
					 texts[i]);
	}
}

static void no_pattern_can_hang_a_match(void **state)
{
	char pattern[401] = { 0 }, text[4001] = { 0 };
	clock_t start = clock();

	(void)state;
	for (size_t i = 0; i < 400; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[399] = 'b';
	memset(text, 'a', 4000);
	assert_false(glob_match(pattern, text));
	/* Milliseconds; with backtracking it would be years. */
	assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

static void the_nearest_name_is_the_one_that_was_meant(void **state)
{
	static const char *const names[] = { "queue.scheduler",
					     "queue.nr_requests",
					     "queue.iostats", "max", "none" };

	(void)state;
	assert_string_equal(nearest_name("queue.nr_request", names, N(names)),
			    "queue.nr_requests");
	assert_string_equal(nearest_name("queue.shceduler", names, N(names)),
			    "queue.scheduler");
	assert_string_equal(nearest_name("nr_requests", names, N(names)),
			    "queue.nr_requests");
	assert_string_equal(nearest_name("nnoe", names, N(names)), "none");
	assert_string_equal(nearest_name("none", names, N(names)), "none");
	assert_null(nearest_name("kyber", names, N(names)));
	assert_null(nearest_name("", names, N(names)));
	assert_null(nearest_name("x", names, 0));
}

static void the_first_of_equally_near_names_is_taken(void **state)
{
	static const char *const names[] = { "abcd", "abce" };

	(void)state;
	assert_string_equal(nearest_name("abcf", names, N(names)), "abcd");
}

static void long_names_are_near_nothing(void **state)
{
	char longest[65], longer[66];
	const char *names[] = { longest };

	(void)state;
	memset(longest, 'a', sizeof(longest) - 1);
	longest[64] = '\0';
	memset(longer, 'a', sizeof(longer) - 1);
	longer[65] = '\0';
	assert_null(nearest_name(longer, names, 1));
	assert_string_equal(nearest_name(longer + 1, names, 1), longest);
	names[0] = longer;
	assert_null(nearest_name(longest, names, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_matches_the_whole_text),
		cmocka_unit_test(what_is_not_the_whole_text_is_no_match),
		cmocka_unit_test(the_c_library_agrees_on_every_short_pattern),
		cmocka_unit_test(no_pattern_can_hang_a_match),
		cmocka_unit_test(the_nearest_name_is_the_one_that_was_meant),
		cmocka_unit_test(the_first_of_equally_near_names_is_taken),
		cmocka_unit_test(long_names_are_near_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

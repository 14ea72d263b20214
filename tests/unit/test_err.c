/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/err.h"

static void the_first_failure_says_what_and_callers_where(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(err_set(&err, -ERANGE, "%s: %d is below 1", "key", 0),
			 -ERANGE);
	assert_int_equal(err_context(&err, "%s:%d", "p.ini", 12), -ERANGE);
	assert_string_equal(err.text, "p.ini:12: key: 0 is below 1");
	assert_int_equal(err.code, -ERANGE);
}

static void an_errno_is_told_in_words_behind_the_sentence(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(err_errno(&err, -ENOENT, "cannot open %s", "x"),
			 -ENOENT);
	assert_string_equal(err.text,
			    "cannot open x: No such file or directory");
}

static void a_null_err_loses_the_words_and_keeps_the_code(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, -EIO, "%s", "x"), -EIO);
	assert_int_equal(err_errno(NULL, -EIO, "%s", "x"), -EIO);
	assert_true(err_context(NULL, "%s", "x") < 0);
}

static void foreign_bytes_are_made_harmless(void **state)
{
	struct err err = { 0 };

	(void)state;
	(void)err_set(&err, -EINVAL, "%s",
		      "a\x1b[2Jb\nc\xff\xc2\x9b\xc3\xa4\xe2\x82");
	assert_string_equal(err.text, "a?[2Jb?c???\xc3\xa4??");
	(void)err_context(&err, "\tx\x7f");
	assert_string_equal(err.text, "?x?: a?[2Jb?c???\xc3\xa4??");
}

static void expect_cut(const struct err *err)
{
	size_t n = strlen(err->text);

	assert_int_equal(n, sizeof(err->text) - 1);
	assert_string_equal(err->text + n - 3, "...");
}

static void what_is_too_long_is_cut_with_three_dots(void **state)
{
	char text[1000] = { 0 };
	struct err err = { 0 };

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	(void)err_set(&err, -EINVAL, "%s", text);
	expect_cut(&err);
	(void)err_context(&err, "front");
	expect_cut(&err);
	assert_int_equal(strncmp(err.text, "front: xxx", 10), 0);
	(void)err_errno(&err, -EIO, "%s", text);
	expect_cut(&err);
	(void)err_context(&err, "%s", text);
	expect_cut(&err);
}

/* A cut through a character must not leave half of it. */
static void a_cut_leaves_no_part_of_a_character(void **state)
{
	char text[1000] = { 0 };
	struct err err = { 0 };

	(void)state;
	for (size_t shift = 0; shift < 3; shift++) {
		memset(text, 'x', shift);
		for (size_t i = shift; i + 3 < sizeof(text); i += 3)
			memcpy(text + i, "\xe2\x82\xac", 3);
		for (size_t front = 0; front < 4; front++) {
			(void)err_set(&err, -EINVAL, "%s", text);
			(void)err_context(&err, "%.*s", (int)front, "abcd");
			for (const char *p = err.text; *p;) {
				size_t n = *p == '\xe2' ? 3 : 1;

				if (n == 3)
					assert_memory_equal(p, "\xe2\x82\xac",
							    3);
				else
					assert_true((unsigned char)*p < 0x80);
				p += n;
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_failure_says_what_and_callers_where),
		cmocka_unit_test(an_errno_is_told_in_words_behind_the_sentence),
		cmocka_unit_test(a_null_err_loses_the_words_and_keeps_the_code),
		cmocka_unit_test(foreign_bytes_are_made_harmless),
		cmocka_unit_test(what_is_too_long_is_cut_with_three_dots),
		cmocka_unit_test(a_cut_leaves_no_part_of_a_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

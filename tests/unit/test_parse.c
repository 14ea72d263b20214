/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>

#include "base/parse.h"

struct number {
	const char *text;
	int result;
	uint64_t value;
};

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

static void expect_numbers(int (*parse)(const char *, uint64_t *),
			   const struct number *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t value = 77;
		int r = parse(rows[i].text, &value);

		if (r != rows[i].result)
			fail_msg("\"%s\": %d", rows[i].text, r);
		if (value != (r == 0 ? rows[i].value : 77))
			fail_msg("\"%s\" is something else", rows[i].text);
	}
}

static void a_number_is_the_whole_text_or_none(void **state)
{
	static const struct number rows[] = {
		{ "0", 0, 0 },
		{ "007", 0, 7 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999999999999999999999", -ERANGE, 0 },
		{ "99999999999999999999999999x", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "1\n", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
		{ "1.0", -EINVAL, 0 },
		{ "a", -EINVAL, 0 },
	};

	(void)state;
	expect_numbers(parse_u64, rows, N(rows));
}

static void hexadecimal_takes_a_prefix_and_both_cases(void **state)
{
	static const struct number rows[] = {
		{ "0", 0, 0 },
		{ "0xfF", 0, 255 },
		{ "0XAb", 0, 171 },
		{ "ffffffffffffffff", 0, UINT64_MAX },
		{ "10000000000000000", -ERANGE, 0 },
		{ "0x", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "0x0x1", -EINVAL, 0 },
		{ "fg", -EINVAL, 0 },
		{ "-f", -EINVAL, 0 },
	};

	(void)state;
	expect_numbers(parse_hex_u64, rows, N(rows));
}

static void sizes_are_powers_of_1024(void **state)
{
	static const struct number rows[] = {
		{ "0", 0, 0 },
		{ "4096", 0, 4096 },
		{ "128k", 0, 131072 },
		{ "128K", 0, 131072 },
		{ "1M", 0, 1048576 },
		{ "2G", 0, UINT64_C(2147483648) },
		{ "17179869183G", 0, UINT64_C(18446744072635809792) },
		{ "17179869184G", -ERANGE, 0 },
		{ "99999999999999999999k", -ERANGE, 0 },
		{ "99999999999999999999x", -EINVAL, 0 },
		{ "k", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "1m", -EINVAL, 0 },
		{ "1KiB", -EINVAL, 0 },
		{ "1 k", -EINVAL, 0 },
		{ "-1k", -EINVAL, 0 },
		{ "1.5k", -EINVAL, 0 },
	};

	(void)state;
	expect_numbers(parse_size, rows, N(rows));
}

static void times_need_their_unit(void **state)
{
	static const struct number rows[] = {
		{ "0", 0, 0 },
		{ "250us", 0, 250 },
		{ "5ms", 0, 5000 },
		{ "30s", 0, 30000000 },
		{ "2m", 0, 120000000 },
		{ "2min", 0, 120000000 },
		{ "1h", 0, UINT64_C(3600000000) },
		{ "5124095576h", 0, UINT64_C(18446744073600000000) },
		{ "5124095577h", -ERANGE, 0 },
		{ "99999999999999999999s", -ERANGE, 0 },
		{ "99999999999999999999", -EINVAL, 0 },
		{ "30", -EINVAL, 0 },
		{ "00", -EINVAL, 0 },
		{ "s", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "1S", -EINVAL, 0 },
		{ "1 s", -EINVAL, 0 },
		{ "-1s", -EINVAL, 0 },
	};

	(void)state;
	expect_numbers(parse_time, rows, N(rows));
}

static void signs_reach_both_ends_of_the_range(void **state)
{
	static const char *const bad[] = { "",	  "-",	"--1", "+1",
					   "- 1", "1-", "-x" };
	int64_t value = 77;

	(void)state;
	assert_int_equal(parse_i64("-9223372036854775808", &value), 0);
	assert_true(value == INT64_MIN);
	assert_int_equal(parse_i64("9223372036854775807", &value), 0);
	assert_true(value == INT64_MAX);
	assert_int_equal(parse_i64("-0", &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(parse_i64("-1", &value), 0);
	assert_int_equal(value, -1);
	assert_int_equal(parse_i64("9223372036854775808", &value), -ERANGE);
	assert_int_equal(parse_i64("-9223372036854775809", &value), -ERANGE);
	for (size_t i = 0; i < N(bad); i++)
		assert_int_equal(parse_i64(bad[i], &value), -EINVAL);
	assert_int_equal(value, -1);
}

static void an_int_is_no_wider_than_it_is(void **state)
{
	unsigned int value = 77;

	(void)state;
	assert_int_equal(parse_uint("4294967296", &value), -ERANGE);
	assert_int_equal(parse_uint("x", &value), -EINVAL);
	assert_int_equal(value, 77);
	assert_int_equal(parse_uint("4294967295", &value), 0);
	assert_true(value == UINT_MAX);
}

static void a_share_is_0_to_100_per_cent(void **state)
{
	static const char *const bad[] = {
		"",	"%",	"25",
		"25%%", "25 %", "-1%",
		"2.5%", "%25",	"99999999999999999999"
	};
	unsigned int value = 77;

	(void)state;
	for (size_t i = 0; i < N(bad); i++)
		assert_int_equal(parse_percent(bad[i], &value), -EINVAL);
	assert_int_equal(parse_percent("101%", &value), -ERANGE);
	assert_int_equal(parse_percent("99999999999999999999%", &value),
			 -ERANGE);
	assert_int_equal(value, 77);
	assert_int_equal(parse_percent("0%", &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(parse_percent("100%", &value), 0);
	assert_int_equal(value, 100);
}

static void a_prefix_moves_the_text_behind_the_digits(void **state)
{
	const char *text = "12-x", *none = "x";
	uint64_t value = 77;

	(void)state;
	assert_int_equal(parse_u64_prefix(&text, &value), 0);
	assert_int_equal(value, 12);
	assert_string_equal(text, "-x");
	assert_int_equal(parse_u64_prefix(&none, &value), -EINVAL);
	assert_string_equal(none, "x");
	assert_int_equal(value, 12);
}

static void texts_compare_with_care_for_null(void **state)
{
	(void)state;
	assert_true(text_equal(NULL, NULL));
	assert_false(text_equal(NULL, ""));
	assert_false(text_equal("", NULL));
	assert_true(text_equal("a", "a"));
	assert_true(text_has_prefix("abc", ""));
	assert_true(text_has_prefix("abc", "abc"));
	assert_false(text_has_prefix("ab", "abc"));
	assert_true(text_has_suffix("abc", "bc"));
	assert_true(text_has_word("none mq-deadline", "mq-deadline"));
	assert_true(text_has_word("none mq-deadline", "none"));
	assert_true(text_has_word("nonesuch none", "none"));
	assert_false(text_has_word("none mq-deadline", "deadline"));
	assert_false(text_has_word("none mq-deadline", "mq"));
	assert_false(text_has_word(NULL, "none"));
	assert_true(text_has_suffix("abc", ""));
	assert_false(text_has_suffix("c", "bc"));
}

static void white_space_goes_off_both_ends_only(void **state)
{
	char text[] = " \t\r\na b\tc \n", blank[] = " \n ", none[] = "";

	(void)state;
	assert_string_equal(text_trim(text), "a b\tc");
	assert_string_equal(text_trim(blank), "");
	assert_string_equal(text_trim(none), "");
}

static void a_decimal_ends_where_its_digits_end(void **state)
{
	static const struct {
		const char *text;
		int result;
		double value;
		const char *behind;
	} rows[] = {
		{ "12", 0, 12, "" },
		{ "12.5k", 0, 12.5, "k" },
		{ "12.", 0, 12, "." },
		{ "1.2.3", 0, 1.2, ".3" },
		{ "1.5e+03x", 0, 1500, "x" },
		{ "25E-1", 0, 2.5, "" },
		{ "5e", 0, 5, "e" },
		{ "5exa", 0, 5, "exa" },
		{ "0.000000001", 0, 1e-9, "" },
		{ "0e999999999999999999999", 0, 0, "" },
		{ "1e-5000", 0, 0, "" },
		{ "1e309", -ERANGE, 0, "1e309" },
		{ "1e99999999999999999999", -ERANGE, 0,
		  "1e99999999999999999999" },
		{ ".5", -EINVAL, 0, ".5" },
		{ "-1", -EINVAL, 0, "-1" },
		{ "nan", -EINVAL, 0, "nan" },
		{ "", -EINVAL, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < N(rows); i++) {
		const char *text = rows[i].text;
		double value = 77;
		double want = rows[i].result == 0 ? rows[i].value : 77;

		assert_int_equal(parse_decimal_prefix(&text, &value),
				 rows[i].result);
		assert_string_equal(text, rows[i].behind);
		if (value < want - want * 1e-12 || value > want + want * 1e-12)
			fail_msg("\"%s\": %g", rows[i].text, value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_decimal_ends_where_its_digits_end),
		cmocka_unit_test(a_number_is_the_whole_text_or_none),
		cmocka_unit_test(hexadecimal_takes_a_prefix_and_both_cases),
		cmocka_unit_test(sizes_are_powers_of_1024),
		cmocka_unit_test(times_need_their_unit),
		cmocka_unit_test(signs_reach_both_ends_of_the_range),
		cmocka_unit_test(an_int_is_no_wider_than_it_is),
		cmocka_unit_test(a_share_is_0_to_100_per_cent),
		cmocka_unit_test(a_prefix_moves_the_text_behind_the_digits),
		cmocka_unit_test(texts_compare_with_care_for_null),
		cmocka_unit_test(white_space_goes_off_both_ends_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

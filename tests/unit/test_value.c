/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/value.h"

static struct arena *arena;

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

static struct value text(const char *word)
{
	struct value value = { 0 };

	assert_true(value_text(word, &value));
	return value;
}

static void a_text_that_fits_is_kept_whole(void **state)
{
	char longest[VALUE_TEXT_SIZE];
	struct value value;

	(void)state;
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	value = text(longest);
	assert_int_equal(value.type, VALUE_TEXT);
	assert_string_equal(value.u.text, longest);
}

static void a_longer_text_is_refused_and_leaves_the_value_alone(void **state)
{
	char longer[VALUE_TEXT_SIZE + 1];
	struct value value = value_uint(7);

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_false(value_text(longer, &value));
	assert_int_equal(value.type, VALUE_UINT);
	assert_int_equal(value.u.number, 7);
}

static void values_are_equal_only_within_one_type(void **state)
{
	const struct value share = { .type = VALUE_SHARE, .u.number = 25 };
	const struct value other = { .type = VALUE_SHARE, .u.number = 26 };
	const struct value number = value_uint(25);
	const struct value none = text("none"), kyber = text("kyber");

	(void)state;
	assert_true(value_equal(&number, &number));
	assert_false(value_equal(&number, &share));
	assert_false(value_equal(&share, &other));
	assert_true(value_equal(&none, &none));
	assert_false(value_equal(&none, &kyber));
}

/* A text is compared up to its end: what lay behind it before is not seen. */
static void bytes_behind_a_text_do_not_count(void **state)
{
	struct value a = text("none"), b = text("none");

	(void)state;
	a.u.text[VALUE_TEXT_SIZE - 1] = 'x';
	assert_true(value_equal(&a, &b));
}

static void absence_and_wishes_are_equal_to_themselves_only(void **state)
{
	static const enum value_type types[] = { VALUE_NONE, VALUE_KEEP,
						 VALUE_MAX };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t k = 0; k < 3; k++) {
			const struct value a = { .type = types[i] };
			const struct value b = { .type = types[k],
						 .u.number = 1 };

			assert_int_equal(value_equal(&a, &b), i == k);
		}
	}
}

static void every_type_reads_as_a_profile_spells_it(void **state)
{
	const struct value values[] = {
		value_uint(UINT64_MAX),
		text("mq-deadline"),
		{ .type = VALUE_SHARE, .u.number = 25 },
		{ .type = VALUE_KEEP },
		{ .type = VALUE_MAX },
		{ .type = VALUE_NONE },
	};
	static const char *const texts[] = {
		"18446744073709551615", "mq-deadline", "25%", "keep", "max", "-"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		assert_string_equal(value_string(arena, &values[i]), texts[i]);
}

static void a_zeroed_value_is_no_value(void **state)
{
	const struct value value = { 0 };

	(void)state;
	assert_int_equal(value.type, VALUE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_that_fits_is_kept_whole),
		cmocka_unit_test(
			a_longer_text_is_refused_and_leaves_the_value_alone),
		cmocka_unit_test(values_are_equal_only_within_one_type),
		cmocka_unit_test(bytes_behind_a_text_do_not_count),
		cmocka_unit_test(
			absence_and_wishes_are_equal_to_themselves_only),
		cmocka_unit_test(every_type_reads_as_a_profile_spells_it),
		cmocka_unit_test(a_zeroed_value_is_no_value),
	};

	return cmocka_run_group_tests(tests, make, drop);
}

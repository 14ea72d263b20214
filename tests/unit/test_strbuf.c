/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/escape.h"
#include "base/strbuf.h"

static void text_grows_and_stays_terminated(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	assert_string_equal(text.text, "");
	for (size_t i = 0; i < 5000; i++) {
		strbuf_putc(&text, (char)('a' + i % 26));
		assert_int_equal(text.len, i + 1);
		assert_int_equal(text.text[text.len], '\0');
	}
	for (size_t i = 0; i < 5000; i++)
		assert_int_equal(text.text[i], 'a' + i % 26);
}

/* Each length around a power of two, where growing happens. */
static void every_way_to_add_fits_at_every_length(void **state)
{
	(void)state;
	for (size_t n = 100; n < 300; n++) {
		_cleanup_arena_ struct arena *arena = arena_new();
		struct strbuf text;

		strbuf_init(&text, arena);
		strbuf_pad(&text, n);
		strbuf_puts(&text, "x");
		strbuf_printf(&text, "%0*d", (int)n, 0);
		strbuf_put(&text, "ab\0c", 4);
		strbuf_pad(&text, 0);
		assert_int_equal(text.len, 2 * n + 5);
		assert_int_equal(strlen(text.text), 2 * n + 3);
		assert_memory_equal(text.text + 2 * n + 1, "ab\0c", 5);
	}
}

static void a_reset_keeps_the_memory_and_no_text(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct strbuf text;
	size_t cap;

	(void)state;
	strbuf_init(&text, arena);
	strbuf_pad(&text, 1000);
	cap = text.cap;
	strbuf_reset(&text);
	assert_string_equal(text.text, "");
	assert_int_equal(text.len, 0);
	assert_int_equal(text.cap, cap);
	strbuf_puts(&text, "again");
	assert_string_equal(text.text, "again");
}

struct character {
	const char *text;
	unsigned int len;
};

static void only_well_formed_printable_characters_count(void **state)
{
	static const struct character characters[] = {
		{ "a", 1 },
		{ "~", 1 },
		{ "\x1f", 0 },
		{ "\x7f", 0 },
		{ "", 0 },
		{ "\x80", 0 },
		{ "\xc2\x80", 0 }, /* C1 */
		{ "\xc2\x9f", 0 },
		{ "\xc2\xa0", 2 },
		{ "\xc1\xbf", 0 }, /* overlong */
		{ "\xdf\xbf", 2 },
		{ "\xe0\x9f\xbf", 0 }, /* overlong */
		{ "\xe0\xa0\x80", 3 },
		{ "\xed\x9f\xbf", 3 },
		{ "\xed\xa0\x80", 0 }, /* surrogate */
		{ "\xef\xbf\xbf", 3 },
		{ "\xf0\x8f\xbf\xbf", 0 }, /* overlong */
		{ "\xf0\x90\x80\x80", 4 },
		{ "\xf4\x8f\xbf\xbf", 4 },
		{ "\xf4\x90\x80\x80", 0 }, /* above U+10FFFF */
		{ "\xf8\x88\x80\x80\x80", 0 },
		{ "\xc3", 0 }, /* cut */
		{ "\xe2\x82", 0 },
		{ "\xf0\x9f\x98", 0 },
		{ "\xc3\xc3", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(characters) / sizeof(characters[0]); i++)
		if (escape_utf8_len(characters[i].text) != characters[i].len)
			fail_msg("row %d", (int)i);
}

static void harm_is_replaced_in_place_byte_by_byte(void **state)
{
	char text[] = "ok\x1b[0m\r\xc3\xa4\xe2\x82\xff.";

	(void)state;
	escape_in_place(text);
	assert_string_equal(text, "ok?[0m?\xc3\xa4???.");
}

static void harm_is_shown_as_bytes_for_the_eye(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	escape_to(&text, "a\\b\n\xc3\xa4\xff");
	escape_to(&text, NULL);
	escape_to(&text, "");
	assert_string_equal(text.text, "a\\\\b\\x0a\xc3\xa4\\xff");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_grows_and_stays_terminated),
		cmocka_unit_test(every_way_to_add_fits_at_every_length),
		cmocka_unit_test(a_reset_keeps_the_memory_and_no_text),
		cmocka_unit_test(only_well_formed_printable_characters_count),
		cmocka_unit_test(harm_is_replaced_in_place_byte_by_byte),
		cmocka_unit_test(harm_is_shown_as_bytes_for_the_eye),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

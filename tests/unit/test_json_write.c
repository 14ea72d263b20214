/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "json/write.h"

static void a_page_is_indented_and_rows_stand_on_one_line(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct json_writer json;
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	json_writer_init(&json, &text, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "name", "nvme0");
	json_begin_array(&json, "rows");
	json_row(&json);
	json_begin_object(&json, NULL);
	json_put_int(&json, "irq", -3);
	json_begin_array(&json, "cpus");
	json_put_uint(&json, NULL, 1);
	json_put_uint(&json, NULL, 2);
	json_end(&json);
	json_end(&json);
	json_begin_object(&json, NULL);
	json_put_bool(&json, "yes", true);
	json_end(&json);
	json_end(&json);
	json_begin_array(&json, "none");
	json_end(&json);
	json_row(&json);
	json_begin_object(&json, "empty");
	json_end(&json);
	json_put_null(&json, "z");
	json_end(&json);
	assert_string_equal(text.text,
			    "{\n"
			    "  \"name\": \"nvme0\",\n"
			    "  \"rows\": [\n"
			    "    { \"irq\": -3, \"cpus\": [1, 2] },\n"
			    "    {\n"
			    "      \"yes\": true\n"
			    "    }\n"
			    "  ],\n"
			    "  \"none\": [],\n"
			    "  \"empty\": {},\n"
			    "  \"z\": null\n"
			    "}\n");
}

static void a_line_has_no_newline_at_all(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct json_writer json;
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	for (int i = 0; i < 2; i++) {
		json_writer_init(&json, &text, JSON_LINE);
		json_begin_object(&json, NULL);
		json_put_text(&json, "a", "b\nc");
		json_begin_object(&json, "o");
		json_put_int(&json, "n", 1);
		json_end(&json);
		json_end(&json);
	}
	assert_string_equal(text.text,
			    "{ \"a\": \"b\\nc\", \"o\": { \"n\": 1 } }"
			    "{ \"a\": \"b\\nc\", \"o\": { \"n\": 1 } }");
}

static void foreign_text_cannot_leave_its_string(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct json_writer json;
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	json_writer_init(&json, &text, JSON_LINE);
	json_begin_array(&json, NULL);
	json_put_text(&json, NULL, "\", \"x\": \"\\");
	json_put_text(&json, NULL, "\x01\x1b[2J\t\r\x7f\xc2\x9b");
	json_put_text(&json, NULL, "\xff\xe2\x82/\xc3\xa4");
	json_end(&json);
	assert_string_equal(text.text,
			    "[\"\\\", \\\"x\\\": \\\"\\\\\", "
			    "\"\\u0001\\u001b[2J\\t\\u000d\\u007f\\u009b\", "
			    "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd/"
			    "\xc3\xa4\"]");
}

static void what_is_unknown_is_left_out_or_null(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct json_writer json;
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	json_writer_init(&json, &text, JSON_LINE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "text", NULL);
	json_put_num(&json, "num", num_unknown(13));
	json_put_num(&json, "zero", num_known(0));
	json_begin_array(&json, "list");
	json_put_text(&json, NULL, NULL);
	json_put_num(&json, NULL, num_unknown(0));
	json_put_real(&json, NULL, (double)NAN, 2);
	json_put_real(&json, NULL, (double)INFINITY, 2);
	json_put_real(&json, NULL, 2.0 / 3.0, 3);
	json_end(&json);
	json_end(&json);
	assert_string_equal(text.text,
			    "{ \"zero\": 0, \"list\": [null, null, null, null, "
			    "0.667] }");
}

static void cpus_are_a_list_and_what_was_asked_is_words(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct value share = { .type = VALUE_SHARE, .u.number = 25 };
	struct value most = { .type = VALUE_MAX };
	struct cpuset cpus = { 0 }, none = { 0 };
	struct json_writer json;
	struct strbuf text;

	(void)state;
	assert_int_equal(cpuset_parse_list(arena, "0-3,8", &cpus), 0);
	strbuf_init(&text, arena);
	json_writer_init(&json, &text, JSON_LINE);
	json_begin_array(&json, NULL);
	json_put_cpuset(&json, NULL, &cpus);
	json_put_cpuset(&json, NULL, &none);
	json_put_value(&json, NULL, &share);
	json_put_value(&json, NULL, &most);
	json_end(&json);
	assert_string_equal(text.text, "[\"0-3,8\", \"\", \"25%\", \"max\"]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_is_indented_and_rows_stand_on_one_line),
		cmocka_unit_test(a_line_has_no_newline_at_all),
		cmocka_unit_test(foreign_text_cannot_leave_its_string),
		cmocka_unit_test(what_is_unknown_is_left_out_or_null),
		cmocka_unit_test(cpus_are_a_list_and_what_was_asked_is_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "json/read.h"
#include "json/write.h"

struct refused {
	const char *text;
	const char *complaint;
};

static void expect_refused(const char *text, size_t len, const char *complaint)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct json_node node = { .number = 77 };
	struct err err = { 0 };

	if (json_parse(arena, text, len, &node, &err) != -EBADMSG)
		fail_msg("%s is taken", text);
	assert_string_equal(err.text, complaint);
	assert_int_equal(node.number, 77);
}

static void what_the_library_would_take_is_refused_with_its_line(void **state)
{
	static const struct refused cases[] = {
		{ "{\"a\": 1,\n\"a\": 2}", "line 2: \"a\" a second time" },
		{ "{\"a\": 1,\n\"\\u0061\": 2}",
		  "line 2: \"a\" a second time" },
		{ "{\"a\": 1, \"b\": {\"a\": 1},\n\n \"a\": 2}",
		  "line 3: \"a\" a second time" },
		{ "[18446744073709551616]",
		  "line 1: an integer does not fit into 64 bits" },
		{ "[\n-9223372036854775809]",
		  "line 2: an integer does not fit into 64 bits" },
		{ "[99999999999999999999999999]",
		  "line 1: an integer does not fit into 64 bits" },
		{ "[\"\\u0000\"]", "line 1: \\u0000 in a string" },
		{ "[\"\\ud800\"]",
		  "line 1: half a surrogate pair in a string" },
		{ "[\"\\udc00\\ud800\"]",
		  "line 1: half a surrogate pair in a string" },
		{ "[\"\\ud800\\u0041\"]",
		  "line 1: half a surrogate pair in a string" },
		{ "[\"\\u12g4\"]",
		  "line 1: \\u without four hexadecimal digits" },
		{ "[\"\\x41\"]", "line 1: unknown escape in a string" },
		{ "[\"a\nb\"]", "line 1: control character in a string" },
		{ "[\"\x1b[2J\"]", "line 1: control character in a string" },
		{ "[\"\xc0\xaf\"]", "line 1: not UTF-8" },
		{ "[\"\xed\xa0\x80\"]", "line 1: not UTF-8" },
		{ "[\"\xe0\x80\x80\"]", "line 1: not UTF-8" },
		{ "[\"\xf0\x8f\xbf\xbf\"]", "line 1: not UTF-8" },
		{ "[\"\xf4\x90\x80\x80\"]", "line 1: not UTF-8" },
		{ "[\"\xff\"]", "line 1: not UTF-8" },
		{ "[\"\xe2\x82\"]", "line 1: not UTF-8" },
		{ "[NaN]", "line 1: neither a value nor punctuation" },
		{ "[Infinity]", "line 1: neither a value nor punctuation" },
		{ "[-Infinity]", "line 1: not a number" },
		{ "[True]", "line 1: neither a value nor punctuation" },
		{ "['a']", "line 1: neither a value nor punctuation" },
		{ "[/* */ 1]", "line 1: neither a value nor punctuation" },
		{ "[1.]", "line 1: not a number" },
		{ "[.5]", "line 1: not a number" },
		{ "[01]", "line 1: not a number" },
		{ "[-01]", "line 1: not a number" },
		{ "[1e]", "line 1: not a number" },
		{ "[+1]", "line 1: not a number" },
		{ "[--1]", "line 1: not a number" },
		{ "[1-2]", "line 1: not a number" },
		{ "[0x10]", "line 1: neither a value nor punctuation" },
		{ "\xef\xbb\xbf[]", "line 1: neither a value nor punctuation" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_refused(cases[i].text, strlen(cases[i].text),
			       cases[i].complaint);
}

static void broken_grammar_is_refused(void **state)
{
	static const char *const cases[] = {
		"",	   " ",	       "[",	    "{",	  "{\"a\"",
		"{\"a\":", "{\"a\":1", "[1,]",	    "{\"a\":1,}", "[1 2]",
		"{1:2}",   "[}",       "{]",	    "]",	  "[]]",
		"{} {}",   "[] 1",     "{\"a\" 1}", "[\"a",	  "[,]",
		"12",	   "null",     "\"text\"",  "tru",	  "[tru",
		"[\"\\",   "[\"\\u",   "[\"\\u00",  "[-",	  ":",
	};
	_cleanup_arena_ struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_node node;
		struct err err = { 0 };

		if (json_parse(arena, cases[i], strlen(cases[i]), &node,
			       &err) != -EBADMSG)
			fail_msg("%s is taken", cases[i]);
		assert_true(strncmp(err.text, "line ", 5) == 0);
	}
}

static void a_nul_byte_anywhere_is_refused(void **state)
{
	static const char inside[] = "[\"a\0b\"]";
	static const char behind[] = "[1]\0[2]";

	(void)state;
	expect_refused(inside, sizeof(inside) - 1,
		       "line 1: control character in a string");
	expect_refused(behind, sizeof(behind) - 1, "line 1: a NUL byte");
}

static void nesting_ends_at_the_writers_depth(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	char text[2 * (JSON_MAX_DEPTH + 1) + 1] = { 0 };
	struct json_node node;
	struct err err = { 0 };

	(void)state;
	memset(text, '[', JSON_MAX_DEPTH);
	memset(text + JSON_MAX_DEPTH, ']', JSON_MAX_DEPTH);
	assert_int_equal(json_parse(arena, text, strlen(text), &node, &err), 0);
	memset(text, '[', JSON_MAX_DEPTH + 1);
	memset(text + JSON_MAX_DEPTH + 1, ']', JSON_MAX_DEPTH + 1);
	expect_refused(text, strlen(text), "line 1: nested too deeply");
	/* What is deep enough to blow a stack is refused as early. */
	memset(text, '[', sizeof(text) - 1);
	expect_refused(text, strlen(text), "line 1: nested too deeply");
}

static struct json_node parsed(struct arena *arena, const char *text)
{
	struct json_node node = { 0 };
	struct err err = { 0 };

	if (json_parse(arena, text, strlen(text), &node, &err) < 0)
		fail_msg("%s", err.text);
	return node;
}

static void every_kind_is_read_as_it_was_written(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct json_node root =
		parsed(arena, "[null, true, -9223372036854775808, "
			      "18446744073709551615, 2.5e1, "
			      "\"\\u00e4\\ud83d\\ude00\\n\", [], {\"k\": 0}]");
	const struct json_node *items = root.children.items;

	(void)state;
	assert_int_equal(root.kind, JSON_ARRAY);
	assert_int_equal(root.children.n, 8);
	assert_int_equal(items[0].kind, JSON_NULL);
	assert_int_equal(items[1].kind, JSON_BOOL);
	assert_int_equal(items[1].number, 1);
	assert_int_equal(items[2].kind, JSON_INT);
	assert_true(items[2].number == INT64_MIN);
	assert_int_equal(items[3].kind, JSON_BIG);
	assert_true(items[3].big == UINT64_MAX);
	assert_int_equal(items[4].kind, JSON_REAL);
	assert_true(items[4].real == 25.0);
	assert_string_equal(items[5].text, "\xc3\xa4\xf0\x9f\x98\x80\n");
	assert_int_equal(items[6].kind, JSON_ARRAY);
	assert_int_equal(items[7].kind, JSON_OBJECT);
	assert_string_equal(items[7].children.items[0].key, "k");
}

static void a_member_is_found_only_where_it_is(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct json_node root = parsed(
		arena, "{\"t\": \"x\", \"n\": 3, \"b\": true, \"z\": null}");
	int64_t number = 77;
	bool yes = false;

	(void)state;
	assert_string_equal(json_member_text(&root, "t"), "x");
	assert_null(json_member_text(&root, "n"));
	assert_null(json_member_text(&root, "none"));
	assert_null(json_member_text(NULL, "t"));
	assert_null(json_member(&root.children.items[0], "t"));
	assert_false(json_member_int(&root, "t", &number));
	assert_false(json_member_int(&root, "b", &number));
	assert_int_equal(number, 77);
	assert_true(json_member_int(&root, "n", &number));
	assert_int_equal(number, 3);
	assert_false(json_member_bool(&root, "n", &yes));
	assert_false(yes);
	assert_true(json_member_bool(&root, "b", &yes));
	assert_true(yes);
}

static void values_come_back_as_they_went(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct value values[4] = { { 0 },
				   value_uint(0),
				   value_uint(UINT64_MAX) };
	struct json_writer json;
	struct json_node root;
	struct strbuf text;

	(void)state;
	assert_true(value_text("none", &values[3]));
	strbuf_init(&text, arena);
	json_writer_init(&json, &text, JSON_LINE);
	json_begin_array(&json, NULL);
	for (size_t i = 0; i < 4; i++)
		json_put_value(&json, NULL, &values[i]);
	json_end(&json);
	assert_string_equal(text.text,
			    "[null, 0, 18446744073709551615, \"none\"]");
	root = parsed(arena, text.text);
	for (size_t i = 0; i < 4; i++) {
		struct value back = value_uint(77);

		assert_true(json_to_value(&root.children.items[i], &back));
		assert_true(value_equal(&back, &values[i]));
	}
}

static void what_is_no_value_leaves_the_value_alone(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	char *text = arena_printf(arena, "[-1, 0.5, true, [], {}, \"%0*d\"]",
				  VALUE_TEXT_SIZE, 0);
	struct json_node root = parsed(arena, text);
	struct value value = value_uint(77);

	(void)state;
	VEC_EACH(&root.children, const struct json_node, node)
		assert_false(json_to_value(node, &value));
	assert_true(value.u.number == 77);
}

static void a_fraction_beyond_all_is_refused(void **state)
{
	(void)state;
	expect_refused("[1e999]", 7, "a number is too large");
}

/* A key that many others share costs time, not the stack or the square. */
static void many_members_are_no_trouble(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct json_node root;
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	strbuf_putc(&text, '{');
	for (int i = 0; i < 100000; i++)
		strbuf_printf(&text, "%s\"k%d\":%d", i ? "," : "", i, i);
	strbuf_putc(&text, '}');
	root = parsed(arena, text.text);
	assert_int_equal(root.children.n, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			what_the_library_would_take_is_refused_with_its_line),
		cmocka_unit_test(broken_grammar_is_refused),
		cmocka_unit_test(a_nul_byte_anywhere_is_refused),
		cmocka_unit_test(nesting_ends_at_the_writers_depth),
		cmocka_unit_test(every_kind_is_read_as_it_was_written),
		cmocka_unit_test(a_member_is_found_only_where_it_is),
		cmocka_unit_test(values_come_back_as_they_went),
		cmocka_unit_test(what_is_no_value_leaves_the_value_alone),
		cmocka_unit_test(a_fraction_beyond_all_is_refused),
		cmocka_unit_test(many_members_are_no_trouble),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

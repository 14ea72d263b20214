/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/table.h"
#include "json/write.h"

struct row {
	const char *name;
	struct num count;
	bool has_port;
	const char *port;
};

static void get_name(const void *row, struct cell *cell)
{
	cell_text(cell, ((const struct row *)row)->name);
}

static void get_count(const void *row, struct cell *cell)
{
	const struct row *it = row;

	cell_num_as(cell, it->count, "%lld KiB", (long long)it->count.value);
}

static void get_port(const void *row, struct cell *cell)
{
	const struct row *it = row;

	if (it->has_port)
		cell_text(cell, it->port);
	else
		cell_none(cell);
}

static const struct column columns[] = {
	{ "name", "NAME", get_name, COLUMN_KEY, 0 },
	{ "count", "COUNT", get_count, COLUMN_RIGHT, 1 },
	{ "port", "PORT", get_port, COLUMN_SPARSE, 2 },
	{ NULL, NULL, NULL, 0, 0 },
};

static struct table table_of(const struct row *rows, size_t n)
{
	return (struct table){
		.columns = columns, .rows = rows, .n = n, .size = sizeof(*rows)
	};
}

static int set_up(void **state)
{
	*state = arena_new();
	return 0;
}

static int tear_down(void **state)
{
	arena_free(*state);
	return 0;
}

static void numbers_end_and_texts_begin_in_one_column(void **state)
{
	const struct row rows[] = {
		{ "a", num_known(5), true, "x" },
		{ "a longer one", num_known(12345), true, NULL },
	};
	const struct table table = table_of(rows, 2);
	const struct table_view view = { .indent = 1 };
	struct strbuf sb;

	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	assert_string_equal(sb.text, " NAME              COUNT  PORT\n"
				     " a                 5 KiB  x\n"
				     " a longer one  12345 KiB  unknown\n");
}

static void characters_of_several_bytes_are_one_column(void **state)
{
	const struct row rows[] = {
		{ "\xc3\xa9\xc3\xa9", num_known(1), false, NULL },
		{ "eee", num_known(2), true, "p" },
	};
	const struct table table = table_of(rows, 2);
	const struct table_view view = { 0 };
	struct strbuf sb;

	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	assert_string_equal(sb.text, "NAME  COUNT  PORT\n"
				     "\xc3\xa9\xc3\xa9    1 KiB  -\n"
				     "eee   2 KiB  p\n");
}

static void a_column_in_which_no_row_says_anything_is_left_out(void **state)
{
	const struct row rows[] = { { "a", num_known(1), false, NULL } };
	const struct table table = table_of(rows, 1);
	const struct table_view view = { 0 };
	struct strbuf sb;

	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	assert_string_equal(sb.text, "NAME  COUNT\na     1 KiB\n");
}

static void a_group_of_columns_comes_with_the_key(void **state)
{
	const struct row rows[] = { { "a", num_known(1), true, "p" } };
	const struct table table = table_of(rows, 1);
	const struct table_view view = { .group = 2 };
	struct strbuf sb;

	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	assert_string_equal(sb.text, "NAME  PORT\na     p\n");
}

static void a_table_too_wide_for_a_line_goes_on_behind_its_key(void **state)
{
	const struct row rows[] = {
		{ "a", num_known(1), true, "p" },
		{ "b", num_known(2), true, "longer" },
	};
	const struct table table = table_of(rows, 2);
	struct table_view view = { .width = 19 };
	struct strbuf sb;

	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	assert_string_equal(sb.text, "NAME  COUNT  PORT\n"
				     "a     1 KiB  p\n"
				     "b     2 KiB  longer\n");
	view.width = 18;
	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	assert_string_equal(sb.text, "NAME  COUNT\n"
				     "a     1 KiB\n"
				     "b     2 KiB\n"
				     "\n"
				     "NAME  PORT\n"
				     "a     p\n"
				     "b     longer\n");
}

static void
sentences_are_folded_below_their_rows_if_a_line_is_short(void **state)
{
	static const struct column with_why[] = {
		{ "name", "NAME", get_name, COLUMN_KEY, 0 },
		{ "why", "WHY", get_port, COLUMN_TEXT, 0 },
		{ "count", "COUNT", get_count, COLUMN_RIGHT, 0 },
		{ NULL, NULL, NULL, 0, 0 },
	};
	const struct row rows[] = {
		{ "a", num_known(1), true, "it was set by C:\\x" },
		{ "b", num_known(2), false, NULL },
	};
	struct table table = table_of(rows, 2);
	struct table_view view = { .width = 19 };
	struct strbuf sb;

	table.columns = with_why;
	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	assert_string_equal(sb.text, "NAME  COUNT\n"
				     "a     1 KiB\n"
				     "    it was set by\n"
				     "    C:\\\\x\n"
				     "b     2 KiB\n");
	view.width = 0;
	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	assert_string_equal(sb.text, "NAME  WHY                  COUNT\n"
				     "a     it was set by C:\\\\x  1 KiB\n"
				     "b     -                    2 KiB\n");
}

/* Even where a line holds not one column beside the key. */
static void a_column_wider_than_a_line_stands_alone(void **state)
{
	const struct row rows[] = { { "a", num_known(1), true, "p" } };
	const struct table table = table_of(rows, 1);
	const struct table_view view = { .width = 3 };
	struct strbuf sb;

	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	assert_string_equal(sb.text, "NAME  COUNT\na     1 KiB\n"
				     "\n"
				     "NAME  PORT\na     p\n");
}

static void a_table_without_rows_is_nothing_at_all(void **state)
{
	const struct table table = table_of(NULL, 0);
	const struct table_view view = { 0 };
	struct strbuf sb;

	strbuf_init(&sb, *state);
	table_put(&sb, &table, &view);
	table_put_raw(&sb, &table);
	assert_string_equal(sb.text, "");
}

static void raw_lines_hold_numbers_and_harmless_text(void **state)
{
	const struct row rows[] = {
		{ "a\tb\033", num_known(7), false, NULL },
		{ "c", num_unknown(13), true, NULL },
	};
	const struct table table = table_of(rows, 2);
	struct strbuf sb;

	strbuf_init(&sb, *state);
	table_put_raw(&sb, &table);
	assert_string_equal(sb.text, "a\\x09b\\x1b\t7\t-\n"
				     "c\tunknown\tunknown\n");
}

static void json_tells_unknown_from_what_does_not_apply(void **state)
{
	const struct row rows[] = {
		{ "a", num_known(7), false, NULL },
		{ "b", num_unknown(13), true, NULL },
	};
	const struct table table = table_of(rows, 2);
	struct json_writer json;
	struct strbuf sb;

	strbuf_init(&sb, *state);
	json_writer_init(&json, &sb, JSON_LINE);
	json_begin_object(&json, NULL);
	table_to_json(&json, "rows", &table, *state);
	json_end(&json);
	assert_string_equal(
		sb.text,
		"{ \"rows\": [{ \"name\": \"a\", \"count\": 7 }, { \"name\": \"b\", \"count\": null, \"port\": null }] }");
}

static void only_columns_that_differ_are_kept(void **state)
{
	struct row rows[] = {
		{ "a", num_known(7), true, "p" },
		{ "b", num_known(7), true, "q" },
	};
	struct table table = table_of(rows, 2);
	const struct column *kept = table_differing(&table, *state);

	assert_string_equal(kept[0].name, "name");
	assert_string_equal(kept[1].name, "port");
	assert_null(kept[2].name);

	rows[1].port = "p";
	kept = table_differing(&table, *state);
	assert_string_equal(kept[0].name, "name");
	assert_null(kept[1].name);

	/* Unknown and 0 are not the same. */
	rows[0].count = num_unknown(2);
	rows[1].count = num_known(0);
	kept = table_differing(&table, *state);
	assert_string_equal(kept[1].name, "count");
}

static void sizes_read_as_drives_are_sold(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} rows[] = {
		{ 0, "0 B" },
		{ 999, "999 B" },
		{ 1000, "1.00 kB" },
		{ 268435456, "268 MB" },
		{ 512110190592, "512 GB" },
		{ 960197124096, "960 GB" },
		{ 3840755982336, "3.84 TB" },
		{ 15360950534144, "15.36 TB" },
		{ UINT64_MAX, "18.45 EB" },
	};
	struct strbuf sb;

	strbuf_init(&sb, *state);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		strbuf_reset(&sb);
		size_to_text(rows[i].bytes, &sb);
		assert_string_equal(sb.text, rows[i].text);
	}
}

static void words_are_wrapped_at_the_width_and_not_without_one(void **state)
{
	struct strbuf sb;

	strbuf_init(&sb, *state);
	out_wrapped(&sb, "one two  three four", 2, 12);
	assert_string_equal(sb.text, "one two\n  three four");
	strbuf_reset(&sb);
	out_wrapped(&sb, "one two  three four", 2, 0);
	assert_string_equal(sb.text, "one two three four");
	strbuf_reset(&sb);
	out_wrapped(&sb, "averyveryverylongword b", 2, 12);
	assert_string_equal(sb.text, "averyveryverylongword\n  b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			numbers_end_and_texts_begin_in_one_column, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			characters_of_several_bytes_are_one_column, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			a_column_in_which_no_row_says_anything_is_left_out,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_group_of_columns_comes_with_the_key, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			a_table_too_wide_for_a_line_goes_on_behind_its_key,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			sentences_are_folded_below_their_rows_if_a_line_is_short,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_column_wider_than_a_line_stands_alone, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			a_table_without_rows_is_nothing_at_all, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			raw_lines_hold_numbers_and_harmless_text, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			json_tells_unknown_from_what_does_not_apply, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			only_columns_that_differ_are_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(sizes_read_as_drives_are_sold,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			words_are_wrapped_at_the_width_and_not_without_one,
			set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "json/facts_fields.h"
#include "json/facts_json.h"
#include "json/fields.h"

/*
 * Facts through JSON and back.  The random host is filled row by row, so a
 * field without a row would go unnoticed there: the first test finds it.
 */

struct any_vec {
	void *items;
	size_t n;
	size_t cap;
};

static void expect_no_gap(const struct field_table *table)
{
	size_t end = 0;

	for (size_t i = 0; i < table->n; i++) {
		const struct field *field = &table->rows[i];

		if (field->offset != end)
			fail_msg("no row between \"%s\" and \"%s\"",
				 i ? field[-1].key : "the start", field->key);
		assert_string_not_equal(field->key, "unknown");
		end += field->size;
		if (field->table)
			expect_no_gap(field->table);
	}
	if (end != table->size)
		fail_msg("no row behind \"%s\"", table->rows[table->n - 1].key);
}

/* All kinds of fields are multiples of eight bytes: there is no padding. */
static void every_field_of_facts_has_a_row(void **state)
{
	(void)state;
	expect_no_gap(facts_fields());
	assert_int_equal(facts_fields()->size, sizeof(struct facts));
}

struct chance {
	struct arena *arena;
	uint64_t state;
};

static uint64_t next(struct chance *chance)
{
	chance->state ^= chance->state << 13;
	chance->state ^= chance->state >> 7;
	chance->state ^= chance->state << 17;
	return chance->state;
}

static bool coin(struct chance *chance)
{
	return next(chance) >> 20 & 1;
}

static const char *any_text(struct chance *chance)
{
	static const char *const pieces[] = {
		"nvme0",
		" ",
		"\"",
		"\\",
		"/",
		"\n",
		"\t",
		"\x1b[31m",
		"\x7f",
		"\xc2\x9b",
		"\xc3\xa4",
		"\xe2\x82\xac",
		"\xf0\x9f\x98\x80",
		"\\u0000",
		"{",
		"]",
		",",
		"true",
		"0",
	};
	struct strbuf text;

	strbuf_init(&text, chance->arena);
	for (uint64_t n = next(chance) % 9; n > 0; n--)
		strbuf_puts(&text, pieces[next(chance) % (sizeof(pieces) /
							  sizeof(pieces[0]))]);
	return text.text;
}

static struct num any_num(struct chance *chance, bool is_flag)
{
	static const int64_t edges[] = { 0, -1, 1, INT64_MIN, INT64_MAX };

	switch (next(chance) % 4) {
	case 0:
		return num_unknown(0);
	case 1:
		return num_unknown(coin(chance) ? EACCES : 4000);
	case 2:
		return num_known(is_flag ? 1 : edges[next(chance) % 5]);
	default:
		return num_known(is_flag ? 0 : (int64_t)next(chance));
	}
}

static struct value any_value(struct chance *chance)
{
	struct value value = { 0 };

	if (coin(chance))
		assert_true(value_text(any_text(chance), &value));
	else if (coin(chance))
		value = value_uint(coin(chance) ? UINT64_MAX : next(chance));
	return value;
}

static struct cpuset any_cpuset(struct chance *chance)
{
	struct cpuset set = { 0 };

	for (uint64_t n = next(chance) % 6; n > 0; n--)
		cpuset_add(chance->arena, &set,
			   (unsigned int)(next(chance) % 300));
	return set;
}

static int64_t any_word(struct chance *chance, const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return (int64_t)(next(chance) % n);
}

static void fill(struct chance *chance, const struct field_table *table,
		 void *item);

static void fill_vec(struct chance *chance, const struct field *field,
		     void *where)
{
	size_t size = field->kind == FIELD_OBJECTS ? field->table->size :
						     sizeof(int64_t);
	struct any_vec *vec = where;

	for (uint64_t n = next(chance) % 4; n > 0; n--) {
		void *item = vec_grow(chance->arena, &vec->items, &vec->n,
				      &vec->cap, size);

		if (field->kind == FIELD_OBJECTS)
			fill(chance, field->table, item);
		else if (field->kind == FIELD_TEXTS)
			*(const char **)item = any_text(chance);
		else
			*(int64_t *)item = (int64_t)next(chance);
	}
}

static void fill(struct chance *chance, const struct field_table *table,
		 void *item)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct field *field = &table->rows[i];
		void *where = (char *)item + field->offset;

		switch (field->kind) {
		case FIELD_TEXT:
			if (coin(chance))
				*(const char **)where = any_text(chance);
			break;
		case FIELD_NAME:
			*(const char **)where = any_text(chance);
			break;
		case FIELD_NUM:
		case FIELD_FLAG:
			*(struct num *)where =
				any_num(chance, field->kind == FIELD_FLAG);
			break;
		case FIELD_INT:
			*(int64_t *)where = (int64_t)next(chance);
			break;
		case FIELD_WORD:
			*(int64_t *)where = any_word(chance, field->words);
			break;
		case FIELD_ERRNO:
			*(int64_t *)where = coin(chance) ? ENOENT : 0;
			break;
		case FIELD_CPUSET:
			*(struct cpuset *)where = any_cpuset(chance);
			break;
		case FIELD_VALUE:
			*(struct value *)where = any_value(chance);
			break;
		case FIELD_OBJECT:
			fill(chance, field->table, where);
			break;
		case FIELD_OBJECTS:
		case FIELD_TEXTS:
		case FIELD_INTS:
			fill_vec(chance, field, where);
			break;
		}
	}
}

static void expect_same(const struct field_table *table, const void *a,
			const void *b);

static void expect_same_vec(const struct field *field, const void *a,
			    const void *b)
{
	const struct any_vec *x = a, *y = b;

	assert_int_equal(x->n, y->n);
	for (size_t i = 0; i < x->n; i++) {
		if (field->kind == FIELD_OBJECTS)
			expect_same(field->table,
				    (char *)x->items + i * field->table->size,
				    (char *)y->items + i * field->table->size);
		else if (field->kind == FIELD_TEXTS)
			assert_string_equal(((char **)x->items)[i],
					    ((char **)y->items)[i]);
		else
			assert_true(((int64_t *)x->items)[i] ==
				    ((int64_t *)y->items)[i]);
	}
}

static void expect_same_num(const struct num *x, const struct num *y)
{
	assert_int_equal(x->known, y->known);
	assert_int_equal(x->why, y->why);
	assert_true(x->value == y->value);
}

static void expect_same(const struct field_table *table, const void *a,
			const void *b)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct field *field = &table->rows[i];
		const void *x = (const char *)a + field->offset;
		const void *y = (const char *)b + field->offset;

		switch (field->kind) {
		case FIELD_TEXT:
		case FIELD_NAME:
			assert_true(text_equal(*(char *const *)x,
					       *(char *const *)y));
			break;
		case FIELD_NUM:
		case FIELD_FLAG:
			expect_same_num(x, y);
			break;
		case FIELD_INT:
		case FIELD_WORD:
		case FIELD_ERRNO:
			assert_true(*(const int64_t *)x == *(const int64_t *)y);
			break;
		case FIELD_CPUSET:
			assert_true(cpuset_equal(x, y));
			break;
		case FIELD_VALUE:
			assert_true(value_equal(x, y));
			break;
		case FIELD_OBJECT:
			expect_same(field->table, x, y);
			break;
		case FIELD_OBJECTS:
		case FIELD_TEXTS:
		case FIELD_INTS:
			expect_same_vec(field, x, y);
			break;
		}
	}
}

static void any_host_survives_the_way_through_json(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		_cleanup_arena_ struct arena *arena = arena_new();
		struct chance chance = { arena, seed * 0x9e3779b97f4a7c15U };
		struct facts facts = { 0 }, back;
		struct strbuf text, again;
		struct err err = { 0 };

		fill(&chance, facts_fields(), &facts);
		strbuf_init(&text, arena);
		facts_to_json(&facts, &text);
		if (facts_from_json(arena, text.text, text.len, &back, &err))
			fail_msg("seed %d: %s", (int)seed, err.text);
		expect_same(facts_fields(), &facts, &back);
		strbuf_init(&again, arena);
		facts_to_json(&back, &again);
		assert_string_equal(text.text, again.text);
	}
}

static void an_empty_host_is_only_a_schema(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts facts = { 0 };
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	facts_to_json(&facts, &text);
	assert_string_equal(text.text,
			    "{\n  \"schema\": \"nvmetune.facts/1\"\n}\n");
}

static void why_a_number_is_unknown_is_kept(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts facts = { 0 };
	struct strbuf text;
	struct ctrl *ctrl;

	(void)state;
	ctrl = vec_add(arena, &facts.ctrls);
	ctrl->name = "nvme0";
	ctrl->mdts = num_unknown(EACCES);
	ctrl->npss = num_unknown(0);
	ctrl->smart.temperature_c = num_unknown(EPERM);
	strbuf_init(&text, arena);
	facts_to_json(&facts, &text);
	assert_non_null(
		strstr(text.text, "\"unknown\": { \"mdts\": \"EACCES\" }"));
	assert_non_null(strstr(
		text.text, "\"unknown\": { \"temperature_c\": \"EPERM\" }"));
	assert_null(strstr(text.text, "npss"));
}

/* What reading body, behind the schema, ends with; NULL: it can be read. */
static const char *complaint(struct arena *arena, const char *body)
{
	struct err *err = ARENA_NEW(arena, struct err);
	char *text = arena_printf(arena, "{\"schema\": \"%s\"%s%s}",
				  FACTS_SCHEMA, *body ? ", " : "", body);
	struct facts facts;

	if (facts_from_json(arena, text, strlen(text), &facts, err) == 0)
		return NULL;
	assert_int_equal(err->code, -EBADMSG);
	return err->text;
}

struct bad_case {
	const char *body;
	const char *complaint;
};

static void what_is_wrong_is_named_by_its_path(void **state)
{
	static const struct bad_case cases[] = {
		{ "\"ctrls\": [{\"name\": \"a\"}, {\"name\": \"b\", "
		  "\"node\": \"0\"}]",
		  "ctrls[1].node: text instead of an integer" },
		{ "\"ctrls\": [{\"model\": \"x\"}]",
		  "ctrls[0].name is missing" },
		{ "\"ctrls\": {}", "ctrls: an object instead of an array" },
		{ "\"ctrls\": [3]",
		  "ctrls[0]: an integer instead of an object" },
		{ "\"kernel\": 6", "kernel: an integer instead of text" },
		{ "\"nodes\": [{\"cpus\": \"0\"}]", "nodes[0].id is missing" },
		{ "\"nodes\": [{\"id\": 0, \"cpus\": \"3-1\"}]",
		  "nodes[0].cpus: \"3-1\" is not a list of CPUs" },
		{ "\"nodes\": [{\"id\": 0, \"distances\": [10, 2.5]}]",
		  "nodes[0].distances[1]: a fraction instead of an integer" },
		{ "\"namespaces\": [{\"name\": \"n\", \"kind\": \"disk\"}]",
		  "namespaces[0].kind: \"disk\" is not one of plain, head, "
		  "path" },
		{ "\"ctrls\": [{\"name\": \"a\", \"unknown\": {\"node\": "
		  "\"EWHAT\"}}]",
		  "ctrls[0].node: \"EWHAT\" is not the name of an errno" },
		{ "\"ctrls\": [{\"name\": \"a\", \"unknown\": 1}]",
		  "ctrls[0].unknown: an integer instead of an object" },
		{ "\"root\": \"yes\"", "root: text instead of true or false" },
		{ "\"ctrls\": [{\"name\": \"a\", \"node\": "
		  "9223372036854775808}]",
		  "ctrls[0].node: an integer above 9223372036854775807 instead "
		  "of an integer" },
		{ "\"observed\": [{\"knob\": \"k\", \"target_kind\": \"queue\","
		  " \"target\": \"t\", \"value\": -1}]",
		  "observed[0].value: negative, or longer than 127 bytes" },
		{ "\"jobs\": [null]", "jobs[0]: null instead of text" },
	};
	_cleanup_arena_ struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *got = complaint(arena, cases[i].body);

		assert_non_null(got);
		assert_string_equal(got, cases[i].complaint);
	}
}

static void what_a_newer_writer_adds_is_ignored(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();

	(void)state;
	assert_null(complaint(arena, ""));
	assert_null(complaint(arena, "\"assumed\": [\"all\"], \"ctrls\": "
				     "[{\"name\": \"a\", \"new\": {}, "
				     "\"unknown\": {\"newer\": \"EWHAT\"}}]"));
	assert_null(complaint(arena, "\"kernel\": null"));
}

static void another_schema_is_refused_and_facts_stay(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	static const char other[] = "{\"schema\": \"nvmetune.plan/1\"}";
	struct facts facts = { .hostname = "mine" };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(facts_from_json(arena, other, sizeof(other) - 1,
					 &facts, &err),
			 -EPROTONOSUPPORT);
	assert_string_equal(err.text, "the schema is \"nvmetune.plan/1\" "
				      "instead of \"nvmetune.facts/1\"");
	assert_string_equal(facts.hostname, "mine");
	assert_int_equal(facts_from_json(arena, "{}", 2, &facts, &err),
			 -EPROTONOSUPPORT);
	assert_string_equal(err.text, "the schema is missing instead of "
				      "\"nvmetune.facts/1\"");
}

static void bytes_that_are_not_text_do_not_spoil_the_file(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts facts = { .kernel = "6.1\xff\xc3(\xed\xa0\x80" };
	struct facts back;
	struct err err = { 0 };
	struct strbuf text;

	(void)state;
	strbuf_init(&text, arena);
	facts_to_json(&facts, &text);
	assert_int_equal(
		facts_from_json(arena, text.text, text.len, &back, &err), 0);
	assert_string_equal(back.kernel,
			    "6.1\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd"
			    "\xef\xbf\xbd\xef\xbf\xbd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_of_facts_has_a_row),
		cmocka_unit_test(any_host_survives_the_way_through_json),
		cmocka_unit_test(an_empty_host_is_only_a_schema),
		cmocka_unit_test(why_a_number_is_unknown_is_kept),
		cmocka_unit_test(what_is_wrong_is_named_by_its_path),
		cmocka_unit_test(what_a_newer_writer_adds_is_ignored),
		cmocka_unit_test(another_schema_is_refused_and_facts_stay),
		cmocka_unit_test(bytes_that_are_not_text_do_not_spoil_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "json/errno_name.h"
#include "json/fields.h"

struct decode {
	struct arena *arena;
	struct strbuf path; /* of the member at hand: "ctrls[1].node" */
	struct err *err;
};

static int wrong_kind(struct decode *decode, const struct json_node *node,
		      const char *expected)
{
	return err_set(decode->err, -EBADMSG, "%s: %s instead of %s",
		       decode->path.text, json_kind_name(node->kind), expected);
}

static int bad_value(struct decode *decode, const char *text, const char *what)
{
	return err_set(decode->err, -EBADMSG, "%s: \"%s\" is not %s",
		       decode->path.text, text, what);
}

static void path_cut(struct decode *decode, size_t len)
{
	decode->path.len = len;
	decode->path.text[len] = '\0';
}

static int take_text(struct decode *decode, const struct json_node *node,
		     const char **ret)
{
	if (node->kind != JSON_TEXT)
		return wrong_kind(decode, node, "text");
	*ret = node->text;
	return 0;
}

static int take_int(struct decode *decode, const struct json_node *node,
		    int64_t *ret)
{
	if (node->kind != JSON_INT)
		return wrong_kind(decode, node, "an integer");
	*ret = node->number;
	return 0;
}

static int take_flag(struct decode *decode, const struct json_node *node,
		     struct num *ret)
{
	if (node->kind != JSON_BOOL && node->kind != JSON_INT)
		return wrong_kind(decode, node, "true or false");
	*ret = num_known(node->number);
	return 0;
}

static int take_num(struct decode *decode, const struct json_node *node,
		    struct num *ret)
{
	int64_t number = 0;
	int r = take_int(decode, node, &number);

	if (r == 0)
		*ret = num_known(number);
	return r;
}

static int take_word(struct decode *decode, const struct json_node *node,
		     const char *const *words, int64_t *ret)
{
	const char *text = NULL;
	struct strbuf all;
	int r = take_text(decode, node, &text);

	if (r < 0)
		return r;
	strbuf_init(&all, decode->arena);
	for (size_t i = 0; words[i]; i++) {
		if (strcmp(words[i], text) == 0) {
			*ret = (int64_t)i;
			return 0;
		}
		strbuf_printf(&all, "%s%s", i ? ", " : "one of ", words[i]);
	}
	return bad_value(decode, text, all.text);
}

static int take_errno(struct decode *decode, const struct json_node *node,
		      int64_t *ret)
{
	if (node->kind == JSON_INT && node->number > 0 && node->number < 4096) {
		*ret = node->number;
		return 0;
	}
	if (node->kind != JSON_TEXT)
		return wrong_kind(decode, node, "the name of an errno");
	if (errno_parse(node->text) == 0)
		return bad_value(decode, node->text, "the name of an errno");
	*ret = errno_parse(node->text);
	return 0;
}

static int take_cpuset(struct decode *decode, const struct json_node *node,
		       struct cpuset *ret)
{
	const char *text = NULL;
	int r = take_text(decode, node, &text);

	if (r < 0)
		return r;
	if (cpuset_parse_list(decode->arena, text, ret) < 0)
		return bad_value(decode, text, "a list of CPUs");
	return 0;
}

static int take_value(struct decode *decode, const struct json_node *node,
		      struct value *ret)
{
	if (json_to_value(node, ret))
		return 0;
	if (node->kind == JSON_INT || node->kind == JSON_TEXT)
		return err_set(decode->err, -EBADMSG,
			       "%s: negative, or longer than %d bytes",
			       decode->path.text, VALUE_TEXT_SIZE - 1);
	return wrong_kind(decode, node, "a number or text");
}

static int take_object(struct decode *decode, const struct field_table *table,
		       const struct json_node *node, void *item);

static int take_item(struct decode *decode, const struct field *field,
		     const struct json_node *node, void *item)
{
	if (field->kind == FIELD_TEXTS)
		return take_text(decode, node, item);
	if (field->kind == FIELD_INTS)
		return take_int(decode, node, item);
	return take_object(decode, field->table, node, item);
}

/* A VEC of which only the size of an item is known. */
struct any_vec {
	void *items;
	size_t n;
	size_t cap;
};

static size_t item_size(const struct field *field)
{
	if (field->kind == FIELD_TEXTS)
		return sizeof(const char *);
	if (field->kind == FIELD_INTS)
		return sizeof(int64_t);
	return field->table->size;
}

static int take_vec(struct decode *decode, const struct field *field,
		    const struct json_node *node, void *where)
{
	size_t size = item_size(field), path = decode->path.len;
	struct any_vec vec = { 0 };
	int r = 0;

	if (node->kind != JSON_ARRAY)
		return wrong_kind(decode, node, "an array");
	for (size_t i = 0; r == 0 && i < node->children.n; i++) {
		void *item = vec_grow(decode->arena, &vec.items, &vec.n,
				      &vec.cap, size);

		strbuf_printf(&decode->path, "[%zu]", i);
		r = take_item(decode, field, &node->children.items[i], item);
		path_cut(decode, path);
	}
	memcpy(where, &vec, sizeof(vec));
	return r;
}

static int take_field(struct decode *decode, const struct field *field,
		      const struct json_node *node, void *where)
{
	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_NAME:
		return take_text(decode, node, where);
	case FIELD_NUM:
		return take_num(decode, node, where);
	case FIELD_FLAG:
		return take_flag(decode, node, where);
	case FIELD_INT:
		return take_int(decode, node, where);
	case FIELD_WORD:
		return take_word(decode, node, field->words, where);
	case FIELD_ERRNO:
		return take_errno(decode, node, where);
	case FIELD_CPUSET:
		return take_cpuset(decode, node, where);
	case FIELD_VALUE:
		return take_value(decode, node, where);
	case FIELD_OBJECT:
		return take_object(decode, field->table, node, where);
	case FIELD_OBJECTS:
	case FIELD_TEXTS:
	case FIELD_INTS:
		return take_vec(decode, field, node, where);
	}
	return -EINVAL;
}

static bool is_required(const struct field *field)
{
	return field->kind == FIELD_NAME || field->kind == FIELD_INT ||
	       field->kind == FIELD_WORD;
}

/* Why a num without a value has none. */
static int take_reason(struct decode *decode, const struct field *field,
		       const struct json_node *reasons, void *where)
{
	const struct json_node *node = json_member(reasons, field->key);
	int64_t why = 0;
	int r;

	if (!node || (field->kind != FIELD_NUM && field->kind != FIELD_FLAG))
		return 0;
	r = take_errno(decode, node, &why);
	if (r == 0)
		*(struct num *)where = num_unknown((int)why);
	return r;
}

static int take_object(struct decode *decode, const struct field_table *table,
		       const struct json_node *node, void *item)
{
	const struct json_node *reasons = json_member(node, "unknown");
	size_t path = decode->path.len;
	int r = 0;

	if (node->kind != JSON_OBJECT)
		return wrong_kind(decode, node, "an object");
	if (reasons && reasons->kind != JSON_OBJECT) {
		strbuf_printf(&decode->path, "%sunknown", path ? "." : "");
		return wrong_kind(decode, reasons, "an object");
	}
	for (size_t i = 0; r == 0 && i < table->n; i++) {
		const struct field *field = &table->rows[i];
		const struct json_node *member = json_member(node, field->key);
		void *where = (char *)item + field->offset;

		strbuf_printf(&decode->path, "%s%s", path ? "." : "",
			      field->key);
		if (member && member->kind != JSON_NULL)
			r = take_field(decode, field, member, where);
		else if (is_required(field))
			r = err_set(decode->err, -EBADMSG, "%s is missing",
				    decode->path.text);
		else
			r = take_reason(decode, field, reasons, where);
		path_cut(decode, path);
	}
	return r;
}

int fields_decode(struct arena *arena, const struct field_table *table,
		  const struct json_node *object, void *item, struct err *err)
{
	struct decode decode = { .arena = arena, .err = err };

	strbuf_init(&decode.path, arena);
	return take_object(&decode, table, object, item);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/read.h"

#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "json/scan.h"
#include "json/write.h"

#define MAX_TEXT (256U * 1024 * 1024)

static void put_object(json_object **object)
{
	(void)json_object_put(*object);
}

static void free_tokener(json_tokener **tokener)
{
	if (*tokener)
		json_tokener_free(*tokener);
}

#define _cleanup_json_ __attribute__((cleanup(put_object)))
#define _cleanup_tokener_ __attribute__((cleanup(free_tokener)))

const char *json_kind_name(enum json_kind kind)
{
	switch (kind) {
	case JSON_NULL:
		return "null";
	case JSON_BOOL:
		return "true or false";
	case JSON_INT:
		return "an integer";
	case JSON_BIG:
		return "an integer above 9223372036854775807";
	case JSON_REAL:
		return "a fraction";
	case JSON_TEXT:
		return "text";
	case JSON_ARRAY:
		return "an array";
	case JSON_OBJECT:
		return "an object";
	}
	return "nothing";
}

static unsigned int line_of(const char *text, size_t offset)
{
	unsigned int line = 1;

	for (size_t i = 0; i < offset; i++)
		line += text[i] == '\n';
	return line;
}

static void take_integer(json_object *from, struct json_node *node)
{
	node->kind = JSON_INT;
	node->number = json_object_get_int64(from);
	if (node->number < INT64_MAX)
		return;
	node->big = json_object_get_uint64(from);
	if (node->big > INT64_MAX)
		node->kind = JSON_BIG;
}

static int take_real(json_object *from, struct json_node *node, struct err *err)
{
	node->kind = JSON_REAL;
	node->real = json_object_get_double(from);
	if (!isfinite(node->real))
		return err_set(err, -EBADMSG, "a number is too large");
	return 0;
}

static int take(struct arena *arena, json_object *from, struct json_node *node,
		struct err *err);

static int take_array(struct arena *arena, json_object *from,
		      struct json_node *node, struct err *err)
{
	size_t n = json_object_array_length(from);

	node->kind = JSON_ARRAY;
	for (size_t i = 0; i < n; i++) {
		struct json_node *child = vec_add(arena, &node->children);
		int r = take(arena, json_object_array_get_idx(from, i), child,
			     err);

		if (r < 0)
			return r;
	}
	return 0;
}

static int take_object(struct arena *arena, json_object *from,
		       struct json_node *node, struct err *err)
{
	struct json_object_iterator it = json_object_iter_begin(from);
	struct json_object_iterator end = json_object_iter_end(from);

	node->kind = JSON_OBJECT;
	for (; !json_object_iter_equal(&it, &end); json_object_iter_next(&it)) {
		struct json_node *child = vec_add(arena, &node->children);
		int r;

		child->key =
			arena_strdup(arena, json_object_iter_peek_name(&it));
		r = take(arena, json_object_iter_peek_value(&it), child, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Recursion ends: json_scan() has held the text to JSON_MAX_DEPTH levels. */
static int take(struct arena *arena, json_object *from, struct json_node *node,
		struct err *err)
{
	switch (json_object_get_type(from)) {
	case json_type_null:
		node->kind = JSON_NULL;
		return 0;
	case json_type_boolean:
		node->kind = JSON_BOOL;
		node->number = json_object_get_boolean(from) ? 1 : 0;
		return 0;
	case json_type_int:
		take_integer(from, node);
		return 0;
	case json_type_double:
		return take_real(from, node, err);
	case json_type_string:
		node->kind = JSON_TEXT;
		node->text = arena_strdup(arena, json_object_get_string(from));
		return 0;
	case json_type_array:
		return take_array(arena, from, node, err);
	case json_type_object:
		return take_object(arena, from, node, err);
	}
	return err_set(err, -EBADMSG, "a value of an unknown kind");
}

int json_parse(struct arena *arena, const char *text, size_t len,
	       struct json_node *ret, struct err *err)
{
	/* json-c counts the values in the innermost arrays as a level. */
	_cleanup_tokener_ json_tokener *tokener =
		json_tokener_new_ex((int)JSON_MAX_DEPTH + 2);
	_cleanup_json_ json_object *root = NULL;
	struct json_node node = { 0 };
	enum json_tokener_error error;
	int r;

	if (len > MAX_TEXT)
		return err_set(err, -EFBIG, "more than %u bytes", MAX_TEXT);
	if (!tokener)
		return err_set(err, -ENOMEM, "out of memory");
	r = json_scan(arena, text, len, JSON_MAX_DEPTH, err);
	if (r < 0)
		return r;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	root = json_tokener_parse_ex(tokener, text, (int)len);
	error = json_tokener_get_error(tokener);
	if (error == json_tokener_continue)
		return err_set(err, -EBADMSG,
			       "line %u: the text ends too early",
			       line_of(text, len));
	if (error != json_tokener_success)
		return err_set(err, -EBADMSG, "line %u: %s",
			       line_of(text,
				       json_tokener_get_parse_end(tokener)),
			       json_tokener_error_desc(error));
	r = take(arena, root, &node, err);
	if (r < 0)
		return r;
	if (node.kind != JSON_OBJECT && node.kind != JSON_ARRAY)
		return err_set(err, -EBADMSG,
			       "line 1: %s instead of an object or an array",
			       json_kind_name(node.kind));
	*ret = node;
	return 0;
}

const struct json_node *json_member(const struct json_node *object,
				    const char *key)
{
	if (!object || object->kind != JSON_OBJECT)
		return NULL;
	VEC_EACH(&object->children, const struct json_node, node)
		if (strcmp(node->key, key) == 0)
			return node;
	return NULL;
}

const char *json_member_text(const struct json_node *object, const char *key)
{
	const struct json_node *node = json_member(object, key);

	return node ? node->text : NULL;
}

bool json_member_int(const struct json_node *object, const char *key,
		     int64_t *ret)
{
	const struct json_node *node = json_member(object, key);

	if (!node || node->kind != JSON_INT)
		return false;
	*ret = node->number;
	return true;
}

bool json_member_bool(const struct json_node *object, const char *key,
		      bool *ret)
{
	const struct json_node *node = json_member(object, key);

	if (!node || node->kind != JSON_BOOL)
		return false;
	*ret = node->number != 0;
	return true;
}

bool json_to_value(const struct json_node *node, struct value *ret)
{
	if (node->kind == JSON_TEXT)
		return value_text(node->text, ret);
	if (node->kind == JSON_NULL)
		*ret = (struct value){ 0 };
	else if (node->kind == JSON_INT && node->number >= 0)
		*ret = value_uint((uint64_t)node->number);
	else if (node->kind == JSON_BIG)
		*ret = value_uint(node->big);
	else
		return false;
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/fields.h"

#include <string.h>

#include "json/errno_name.h"

/* A VEC of which only the size of an item is known. */
struct any_vec {
	void *items;
	size_t n;
	size_t cap;
};

static const void *at(const void *item, const struct field *field)
{
	return (const char *)item + field->offset;
}

#define READ_FIELD(type, item, field)                              \
	__extension__({                                            \
		type read_copy;                                    \
		memcpy(&read_copy, at(item, field), sizeof(type)); \
		read_copy;                                         \
	})

static bool is_num(const struct field *field)
{
	return field->kind == FIELD_NUM || field->kind == FIELD_FLAG;
}

static bool table_is_empty(const struct field_table *table, const void *item);

/* Left out of the object. */
static bool is_empty(const struct field *field, const void *item)
{
	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_NAME:
		return !READ_FIELD(const char *, item, field);
	case FIELD_NUM:
	case FIELD_FLAG:
		return !READ_FIELD(struct num, item, field).known;
	case FIELD_INT:
	case FIELD_WORD:
		return false;
	case FIELD_ERRNO:
		return READ_FIELD(int64_t, item, field) == 0;
	case FIELD_CPUSET:
		return cpuset_is_empty(at(item, field));
	case FIELD_VALUE:
		return ((const struct value *)at(item, field))->type ==
		       VALUE_NONE;
	case FIELD_OBJECT:
		return table_is_empty(field->table, at(item, field));
	case FIELD_OBJECTS:
	case FIELD_TEXTS:
	case FIELD_INTS:
		return READ_FIELD(struct any_vec, item, field).n == 0;
	}
	return true;
}

static bool has_reason(const struct field *field, const void *item)
{
	struct num num;

	if (!is_num(field))
		return false;
	num = READ_FIELD(struct num, item, field);
	return !num.known && num.why != 0;
}

static bool table_is_empty(const struct field_table *table, const void *item)
{
	for (size_t i = 0; i < table->n; i++)
		if (!is_empty(&table->rows[i], item) ||
		    has_reason(&table->rows[i], item))
			return false;
	return true;
}

static void put_errno(struct json_writer *json, const char *key, int64_t code)
{
	const char *name = errno_name((int)code);

	if (name)
		json_put_text(json, key, name);
	else
		json_put_int(json, key, code);
}

static void put_reasons(const struct field_table *table, const void *item,
			struct json_writer *json)
{
	bool is_open = false;

	for (size_t i = 0; i < table->n; i++) {
		const struct field *field = &table->rows[i];

		if (!has_reason(field, item))
			continue;
		if (!is_open) {
			json_row(json);
			json_begin_object(json, "unknown");
		}
		is_open = true;
		put_errno(json, field->key,
			  READ_FIELD(struct num, item, field).why);
	}
	if (is_open)
		json_end(json);
}

static void put_object(const struct field_table *table, const char *key,
		       const void *item, struct json_writer *json)
{
	if (table->is_one_row)
		json_row(json);
	json_begin_object(json, key);
	fields_encode(table, item, json);
	json_end(json);
}

static void put_flag(struct json_writer *json, const char *key, struct num num)
{
	if (num.value == 0 || num.value == 1)
		json_put_bool(json, key, num.value != 0);
	else
		json_put_int(json, key, num.value);
}

static void put_vec(const struct field *field, const void *item,
		    struct json_writer *json)
{
	struct any_vec vec = READ_FIELD(struct any_vec, item, field);
	const char *const *texts = vec.items;
	const int64_t *numbers = vec.items;

	if (field->kind == FIELD_INTS)
		json_row(json);
	json_begin_array(json, field->key);
	for (size_t i = 0; i < vec.n; i++) {
		if (field->kind == FIELD_TEXTS)
			json_put_text(json, NULL, texts[i]);
		else if (field->kind == FIELD_INTS)
			json_put_int(json, NULL, numbers[i]);
		else
			put_object(field->table, NULL,
				   (const char *)vec.items +
					   i * field->table->size,
				   json);
	}
	json_end(json);
}

static void put_field(const struct field *field, const void *item,
		      struct json_writer *json)
{
	const char *key = field->key;

	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_NAME:
		json_put_text(json, key, READ_FIELD(const char *, item, field));
		break;
	case FIELD_NUM:
		json_put_num(json, key, READ_FIELD(struct num, item, field));
		break;
	case FIELD_FLAG:
		put_flag(json, key, READ_FIELD(struct num, item, field));
		break;
	case FIELD_INT:
		json_put_int(json, key, READ_FIELD(int64_t, item, field));
		break;
	case FIELD_WORD:
		json_put_text(json, key,
			      field->words[READ_FIELD(int64_t, item, field)]);
		break;
	case FIELD_ERRNO:
		put_errno(json, key, READ_FIELD(int64_t, item, field));
		break;
	case FIELD_CPUSET:
		json_put_cpuset(json, key, at(item, field));
		break;
	case FIELD_VALUE:
		json_put_value(json, key, at(item, field));
		break;
	case FIELD_OBJECT:
		put_object(field->table, key, at(item, field), json);
		break;
	case FIELD_OBJECTS:
	case FIELD_TEXTS:
	case FIELD_INTS:
		put_vec(field, item, json);
		break;
	}
}

void fields_encode(const struct field_table *table, const void *item,
		   struct json_writer *json)
{
	for (size_t i = 0; i < table->n; i++)
		if (!is_empty(&table->rows[i], item))
			put_field(&table->rows[i], item, json);
	put_reasons(table, item, json);
}

static void each_text_of_vec(const struct field *field, void *item,
			     void (*visit)(const char **text, void *data),
			     void *data)
{
	struct any_vec vec = READ_FIELD(struct any_vec, item, field);
	const char **texts = vec.items;

	for (size_t i = 0; i < vec.n; i++) {
		if (field->kind == FIELD_TEXTS)
			visit(&texts[i], data);
		else
			fields_each_text(field->table,
					 (char *)vec.items +
						 i * field->table->size,
					 visit, data);
	}
}

void fields_each_text(const struct field_table *table, void *item,
		      void (*visit)(const char **text, void *data), void *data)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct field *field = &table->rows[i];
		void *where = (char *)item + field->offset;

		if (field->kind == FIELD_OBJECT)
			fields_each_text(field->table, where, visit, data);
		else if (field->kind == FIELD_OBJECTS ||
			 field->kind == FIELD_TEXTS)
			each_text_of_vec(field, item, visit, data);
		else if ((field->kind == FIELD_TEXT ||
			  field->kind == FIELD_NAME) &&
			 *(const char **)where)
			visit(where, data);
	}
}

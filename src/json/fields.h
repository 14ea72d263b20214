/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "core/facts.h"
#include "json/read.h"
#include "json/write.h"

/*
 * Structs as JSON objects and back, by tables: one row for a field, which
 * encodes and decodes it.  Absent stays absent: what is unknown or empty is
 * left out of the object, and the reason why a num or a flag is unknown
 * stands in its "unknown" member:
 *
 *	{ "name": "nvme0", "unknown": { "mdts": "EACCES" } }
 */

enum field_kind {
	FIELD_TEXT,    /* const char *, may be NULL */
	FIELD_NAME,    /* const char *, required */
	FIELD_NUM,     /* struct num: an integer */
	FIELD_FLAG,    /* struct num of 0 or 1: true or false */
	FIELD_INT,     /* int64_t, required */
	FIELD_WORD,    /* int64_t, required: the index of one of words */
	FIELD_ERRNO,   /* int64_t: 0 (left out) or "EACCES" */
	FIELD_CPUSET,  /* struct cpuset: a cpulist in a string */
	FIELD_VALUE,   /* struct value: a number or a string */
	FIELD_OBJECT,  /* a struct, described by table */
	FIELD_OBJECTS, /* VEC of such structs */
	FIELD_TEXTS,   /* VEC(const char *) */
	FIELD_INTS,    /* VEC(int64_t) */
};

struct field_table;

struct field {
	const char *key;
	enum field_kind kind;
	size_t offset;
	size_t size; /* of the field */
	const struct field_table *table;
	const char *const *words; /* ends with NULL */
};

struct field_table {
	const struct field *rows;
	size_t n;
	size_t size;	 /* of the struct */
	bool is_one_row; /* small: the object stands on one line */
};

/*
 * Rows, with the type of the field checked by the compiler.  A key is the
 * name of its field.
 */
/* clang-format off */
#define FIELD_AT(type, field) (((type *)0)->field)
#define FIELD_ROW(kind_, c_type, type, field) \
	.key = #field, .kind = (kind_), .size = sizeof(FIELD_AT(type, field)), \
	.offset = _Generic(FIELD_AT(type, field), c_type: offsetof(type, field))
#define FIELD_VEC_ROW(kind_, c_type, type, field) \
	.key = #field, .kind = (kind_), .size = sizeof(FIELD_AT(type, field)), \
	.offset = _Generic(FIELD_AT(type, field).items, \
			   c_type *: offsetof(type, field))

#define ROW_TEXT(type, field) \
	{ FIELD_ROW(FIELD_TEXT, const char *, type, field) }
#define ROW_NAME(type, field) \
	{ FIELD_ROW(FIELD_NAME, const char *, type, field) }
#define ROW_NUM(type, field) \
	{ FIELD_ROW(FIELD_NUM, struct num, type, field) }
#define ROW_FLAG(type, field) \
	{ FIELD_ROW(FIELD_FLAG, struct num, type, field) }
#define ROW_INT(type, field) \
	{ FIELD_ROW(FIELD_INT, int64_t, type, field) }
#define ROW_ERRNO(type, field) \
	{ FIELD_ROW(FIELD_ERRNO, int64_t, type, field) }
#define ROW_CPUSET(type, field) \
	{ FIELD_ROW(FIELD_CPUSET, struct cpuset, type, field) }
#define ROW_VALUE(type, field) \
	{ FIELD_ROW(FIELD_VALUE, struct value, type, field) }
#define ROW_WORD(type, field, words_) \
	{ FIELD_ROW(FIELD_WORD, int64_t, type, field), .words = (words_) }
#define ROW_OBJECT(type, field, c_type, table_) \
	{ FIELD_ROW(FIELD_OBJECT, c_type, type, field), .table = (table_) }
#define ROW_OBJECTS(type, field, c_type, table_) \
	{ FIELD_VEC_ROW(FIELD_OBJECTS, c_type, type, field), .table = (table_) }
#define ROW_TEXTS(type, field) \
	{ FIELD_VEC_ROW(FIELD_TEXTS, const char *, type, field) }
#define ROW_INTS(type, field) \
	{ FIELD_VEC_ROW(FIELD_INTS, int64_t, type, field) }

#define FIELD_TABLE(rows_, type, is_one_row_) { \
	.rows = (rows_), \
	.n = sizeof(rows_) / sizeof((rows_)[0]), \
	.size = sizeof(type), \
	.is_one_row = (is_one_row_), \
}
/* clang-format on */

/* The members of item, into the object that json has open. */
void fields_encode(const struct field_table *table, const void *item,
		   struct json_writer *json);

/*
 * Fill the zeroed item from an object.  Unknown members are ignored: a newer
 * writer adds.  -EBADMSG, with the path in err ("ctrls[1].node: ..."), for a
 * member of the wrong kind, a value that cannot be, or a required one that
 * is missing; item is then half filled.
 */
int fields_decode(struct arena *arena, const struct field_table *table,
		  const struct json_node *object, void *item, struct err *err);

/* Call visit for each text that is not NULL, at any depth. */
void fields_each_text(const struct field_table *table, void *item,
		      void (*visit)(const char **text, void *data), void *data);

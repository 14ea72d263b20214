/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "core/value.h"

/*
 * JSON text as a tree in an arena; nothing of the library behind it shows.
 *
 * Stricter than the library, since its input may be hostile or damaged: see
 * json/scan.h for what is refused.  The outermost value is an object or an
 * array.
 */

struct err;

enum json_kind {
	JSON_NULL,
	JSON_BOOL, /* number is 0 or 1 */
	JSON_INT,  /* number */
	JSON_BIG,  /* an integer above INT64_MAX: big */
	JSON_REAL, /* written with a fraction or an exponent: real */
	JSON_TEXT, /* text */
	JSON_ARRAY,
	JSON_OBJECT,
};

const char *json_kind_name(enum json_kind kind); /* "an object" */

struct json_node {
	enum json_kind kind;
	const char *key;  /* as a member of an object, otherwise NULL */
	const char *text; /* never NULL for JSON_TEXT, otherwise NULL */
	int64_t number;
	uint64_t big;
	double real;
	VEC(struct json_node) children; /* in the order of the text */
};

/* 0, -EBADMSG (err says what, with the line) or -EFBIG. */
int json_parse(struct arena *arena, const char *text, size_t len,
	       struct json_node *ret, struct err *err);

/* NULL when object is none, or has no such member. */
const struct json_node *json_member(const struct json_node *object,
				    const char *key);

/* NULL also when the member is not text. */
const char *json_member_text(const struct json_node *object, const char *key);

/* false, and *ret as it was, when there is no such member of that kind. */
bool json_member_int(const struct json_node *object, const char *key,
		     int64_t *ret);
bool json_member_bool(const struct json_node *object, const char *key,
		      bool *ret);

/* The way back from json_put_value(); false, and *ret as it was, for what
 * cannot be a value: negative numbers, fractions, text too long. */
bool json_to_value(const struct json_node *node, struct value *ret);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/cpuset.h"
#include "base/strbuf.h"
#include "core/facts.h"
#include "core/value.h"

/*
 * JSON, written in the order of the calls.
 *
 *	struct json_writer json;
 *
 *	json_writer_init(&json, &out, JSON_PAGE);
 *	json_begin_object(&json, NULL);
 *	json_put_text(&json, "schema", "nvmetune.history/1");
 *	json_begin_array(&json, "transactions");
 *	...
 *	json_end(&json);
 *	json_end(&json);
 *
 * key is NULL in an array and for the outermost value, and only there.
 * Mistakes in the order of calls are caught by assert().
 *
 * Text may be foreign: control characters are escaped, and each byte that is
 * not part of well-formed UTF-8, which JSON cannot hold, becomes U+FFFD.
 */

#define JSON_MAX_DEPTH 32U

enum json_layout {
	JSON_PAGE, /* indented; a newline at the end */
	JSON_LINE, /* one line, without a newline: for JSON lines */
};

struct json_writer {
	struct strbuf *out;
	unsigned int depth;
	unsigned int rows; /* depth of the one-line value we are in, or 0 */
	bool row_next;
	struct {
		bool is_object;
		bool has_items;
	} levels[JSON_MAX_DEPTH + 1];
};

void json_writer_init(struct json_writer *json, struct strbuf *out,
		      enum json_layout layout);

void json_begin_object(struct json_writer *json, const char *key);
void json_begin_array(struct json_writer *json, const char *key);
void json_end(struct json_writer *json);

/* The next object or array, with all in it, stands on one line. */
void json_row(struct json_writer *json);

/* A NULL text is left out of an object, and null in an array. */
void json_put_text(struct json_writer *json, const char *key, const char *text);
void json_put_int(struct json_writer *json, const char *key, int64_t number);
void json_put_uint(struct json_writer *json, const char *key, uint64_t number);
void json_put_bool(struct json_writer *json, const char *key, bool yes);
void json_put_null(struct json_writer *json, const char *key);

/* With this many decimals; null when it is not finite. */
void json_put_real(struct json_writer *json, const char *key, double number,
		   unsigned int decimals);

/* An unknown num is left out of an object, and null in an array. */
void json_put_num(struct json_writer *json, const char *key, struct num num);

/* As a cpulist in a string; the empty set is "". */
void json_put_cpuset(struct json_writer *json, const char *key,
		     const struct cpuset *set);

/*
 * A number, a string, or null for VALUE_NONE: json_to_value() is the way
 * back.  What only a profile can ask for becomes a string: "keep", "25%".
 */
void json_put_value(struct json_writer *json, const char *key,
		    const struct value *value);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/write.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/escape.h"

void json_writer_init(struct json_writer *json, struct strbuf *out,
		      enum json_layout layout)
{
	*json = (struct json_writer){
		.out = out,
		.row_next = layout == JSON_LINE,
	};
}

static void break_line(struct json_writer *json)
{
	if (json->rows)
		return;
	strbuf_putc(json->out, '\n');
	strbuf_pad(json->out, (size_t)json->depth * 2);
}

/* A code point, as UTF-8 or, where it could harm a terminal, as \uNNNN. */
static const char *put_character(struct strbuf *out, const char *text)
{
	static const char *const replacement = "\xef\xbf\xbd";
	const unsigned char *p = (const unsigned char *)text;
	unsigned int n = escape_utf8_len(text);

	if (n > 0) {
		if (*text == '"' || *text == '\\')
			strbuf_putc(out, '\\');
		strbuf_put(out, text, n);
		return text + n;
	}
	if (p[0] < 0x20 || p[0] == 0x7f) {
		if (p[0] == '\n')
			strbuf_puts(out, "\\n");
		else if (p[0] == '\t')
			strbuf_puts(out, "\\t");
		else
			strbuf_printf(out, "\\u%04x", p[0]);
		return text + 1;
	}
	/* C1, U+0080..U+009F: well-formed, but terminals obey it. */
	if (p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0) {
		strbuf_printf(out, "\\u%04x", p[1]);
		return text + 2;
	}
	strbuf_puts(out, replacement);
	return text + 1;
}

static void put_string(struct strbuf *out, const char *text)
{
	strbuf_putc(out, '"');
	while (*text)
		text = put_character(out, text);
	strbuf_putc(out, '"');
}

/* All that stands in front of a value. */
static void put_key(struct json_writer *json, const char *key)
{
	unsigned int depth = json->depth;

	assert(depth > 0 || !json->levels[0].has_items);
	assert(!key == !json->levels[depth].is_object);
	if (json->levels[depth].has_items)
		strbuf_puts(json->out, json->rows ? ", " : ",");
	else if (json->rows && json->levels[depth].is_object)
		strbuf_putc(json->out, ' ');
	json->levels[depth].has_items = true;
	if (depth > 0)
		break_line(json);
	if (key) {
		put_string(json->out, key);
		strbuf_puts(json->out, ": ");
	}
}

static void begin(struct json_writer *json, const char *key, bool is_object)
{
	put_key(json, key);
	assert(json->depth < JSON_MAX_DEPTH);
	strbuf_putc(json->out, is_object ? '{' : '[');
	json->depth++;
	json->levels[json->depth].is_object = is_object;
	json->levels[json->depth].has_items = false;
	if (json->row_next && !json->rows)
		json->rows = json->depth;
	json->row_next = false;
}

void json_begin_object(struct json_writer *json, const char *key)
{
	begin(json, key, true);
}

void json_begin_array(struct json_writer *json, const char *key)
{
	begin(json, key, false);
}

void json_end(struct json_writer *json)
{
	bool is_object = json->levels[json->depth].is_object;
	bool has_items = json->levels[json->depth].has_items;
	bool was_line = json->rows == 1;

	assert(json->depth > 0);
	json->depth--;
	if (has_items && json->rows && is_object)
		strbuf_putc(json->out, ' ');
	if (has_items)
		break_line(json);
	if (json->rows > json->depth)
		json->rows = 0;
	strbuf_putc(json->out, is_object ? '}' : ']');
	if (json->depth == 0 && !was_line)
		strbuf_putc(json->out, '\n');
}

void json_row(struct json_writer *json)
{
	json->row_next = true;
}

void json_put_text(struct json_writer *json, const char *key, const char *text)
{
	if (!text) {
		if (!key)
			json_put_null(json, NULL);
		return;
	}
	put_key(json, key);
	put_string(json->out, text);
}

void json_put_int(struct json_writer *json, const char *key, int64_t number)
{
	put_key(json, key);
	strbuf_printf(json->out, "%" PRId64, number);
}

void json_put_uint(struct json_writer *json, const char *key, uint64_t number)
{
	put_key(json, key);
	strbuf_printf(json->out, "%" PRIu64, number);
}

void json_put_bool(struct json_writer *json, const char *key, bool yes)
{
	put_key(json, key);
	strbuf_puts(json->out, yes ? "true" : "false");
}

void json_put_null(struct json_writer *json, const char *key)
{
	put_key(json, key);
	strbuf_puts(json->out, "null");
}

void json_put_real(struct json_writer *json, const char *key, double number,
		   unsigned int decimals)
{
	if (!isfinite(number)) {
		json_put_null(json, key);
		return;
	}
	put_key(json, key);
	strbuf_printf(json->out, "%.*f", (int)decimals, number);
}

void json_put_num(struct json_writer *json, const char *key, struct num num)
{
	if (num.known)
		json_put_int(json, key, num.value);
	else if (!key)
		json_put_null(json, NULL);
}

void json_put_cpuset(struct json_writer *json, const char *key,
		     const struct cpuset *set)
{
	put_key(json, key);
	strbuf_putc(json->out, '"');
	cpuset_to_text(set, json->out);
	strbuf_putc(json->out, '"');
}

void json_put_value(struct json_writer *json, const char *key,
		    const struct value *value)
{
	struct strbuf text;

	switch (value->type) {
	case VALUE_NONE:
		json_put_null(json, key);
		return;
	case VALUE_UINT:
		json_put_uint(json, key, value->u.number);
		return;
	case VALUE_TEXT:
		json_put_text(json, key, value->u.text);
		return;
	case VALUE_KEEP:
	case VALUE_MAX:
	case VALUE_SHARE:
		break;
	}
	strbuf_init(&text, json->out->arena);
	value_to_text(value, &text);
	json_put_text(json, key, text.text);
}

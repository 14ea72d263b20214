/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/scan.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct key {
	const char *text;
	unsigned int line;
};

struct level {
	bool is_object;
	VEC(struct key) keys;
};

struct scan {
	struct arena *arena;
	const char *at;
	const char *end;
	unsigned int line;
	unsigned int max_depth;
	unsigned int depth;
	struct level *levels; /* levels[1] is the outermost value */
	struct strbuf string; /* the string last read, decoded */
	struct err *err;
};

static int bad(struct scan *scan, const char *what)
{
	return err_set(scan->err, -EBADMSG, "line %u: %s", scan->line, what);
}

static unsigned char byte_at(const struct scan *scan, size_t offset)
{
	if (offset >= (size_t)(scan->end - scan->at))
		return 0;
	return (unsigned char)scan->at[offset];
}

/* RFC 3629, table 3-7 of the Unicode standard: no overlong form, no
 * surrogate, nothing above U+10FFFF. */
static size_t utf8_len(const struct scan *scan)
{
	unsigned char first = byte_at(scan, 0), second = byte_at(scan, 1);
	size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;

	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((byte_at(scan, i) & 0xc0) != 0x80)
			return 0;
	if ((first == 0xe0 && second < 0xa0) ||
	    (first == 0xed && second > 0x9f) ||
	    (first == 0xf0 && second < 0x90) ||
	    (first == 0xf4 && second > 0x8f))
		return 0;
	return n;
}

static int hex_digit(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits behind "\u", or -1. */
static long unit_at(const struct scan *scan, size_t offset)
{
	long unit = 0;

	if (byte_at(scan, offset) != '\\' || byte_at(scan, offset + 1) != 'u')
		return -1;
	for (size_t i = offset + 2; i < offset + 6; i++) {
		int digit = hex_digit(byte_at(scan, i));

		if (digit < 0)
			return -1;
		unit = unit << 4 | digit;
	}
	return unit;
}

static void put_utf8(struct strbuf *out, unsigned long code)
{
	if (code < 0x80) {
		strbuf_putc(out, (char)code);
		return;
	}
	if (code < 0x800) {
		strbuf_putc(out, (char)(0xc0 | code >> 6));
	} else if (code < 0x10000) {
		strbuf_putc(out, (char)(0xe0 | code >> 12));
		strbuf_putc(out, (char)(0x80 | (code >> 6 & 0x3f)));
	} else {
		strbuf_putc(out, (char)(0xf0 | code >> 18));
		strbuf_putc(out, (char)(0x80 | (code >> 12 & 0x3f)));
		strbuf_putc(out, (char)(0x80 | (code >> 6 & 0x3f)));
	}
	strbuf_putc(out, (char)(0x80 | (code & 0x3f)));
}

static int scan_unit(struct scan *scan)
{
	long unit = unit_at(scan, 0), low;

	if (unit < 0)
		return bad(scan, "\\u without four hexadecimal digits");
	if (unit == 0)
		return bad(scan, "\\u0000 in a string");
	scan->at += 6;
	if (unit < 0xd800 || unit > 0xdfff) {
		put_utf8(&scan->string, (unsigned long)unit);
		return 0;
	}
	low = unit_at(scan, 0);
	if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return bad(scan, "half a surrogate pair in a string");
	scan->at += 6;
	put_utf8(&scan->string,
		 0x10000UL + ((unsigned long)unit - 0xd800) * 0x400UL +
			 ((unsigned long)low - 0xdc00));
	return 0;
}

static int scan_escape(struct scan *scan)
{
	static const char names[] = "\"\\/bfnrt";
	static const char meant[] = "\"\\/\b\f\n\r\t";
	unsigned char c = byte_at(scan, 1);
	const char *name;

	if (c == 'u')
		return scan_unit(scan);
	name = c ? strchr(names, c) : NULL;
	if (!name)
		return bad(scan, "unknown escape in a string");
	strbuf_putc(&scan->string, meant[name - names]);
	scan->at += 2;
	return 0;
}

/* From the opening quote to behind the closing one. */
static int scan_string(struct scan *scan)
{
	strbuf_reset(&scan->string);
	for (scan->at++; scan->at < scan->end;) {
		unsigned char c = byte_at(scan, 0);
		size_t n;
		int r;

		if (c == '"') {
			scan->at++;
			return 0;
		}
		if (c == '\\') {
			r = scan_escape(scan);
			if (r < 0)
				return r;
			continue;
		}
		if (c < 0x20)
			return bad(scan, "control character in a string");
		n = utf8_len(scan);
		if (n == 0)
			return bad(scan, "not UTF-8");
		strbuf_put(&scan->string, scan->at, n);
		scan->at += n;
	}
	return bad(scan, "a string does not end");
}

static bool is_space(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(struct scan *scan)
{
	for (; scan->at < scan->end && is_space(byte_at(scan, 0)); scan->at++)
		if (*scan->at == '\n')
			scan->line++;
}

/* A string, remembered when it is a key of the object we are in. */
static int scan_text(struct scan *scan)
{
	struct level *level = &scan->levels[scan->depth];
	struct key key = { .line = scan->line };
	int r = scan_string(scan);

	if (r < 0)
		return r;
	skip_space(scan);
	if (level->is_object && byte_at(scan, 0) == ':') {
		key.text = arena_strndup(scan->arena, scan->string.text,
					 scan->string.len);
		*vec_add(scan->arena, &level->keys) = key;
	}
	return 0;
}

static bool is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

static size_t skip_digits(struct scan *scan)
{
	const char *start = scan->at;

	while (is_digit(byte_at(scan, 0)))
		scan->at++;
	return (size_t)(scan->at - start);
}

/* RFC 8259, section 6; json-c takes "1." and more. */
static bool skip_number(struct scan *scan, bool *ret_is_integer)
{
	bool is_zero;
	size_t n;

	*ret_is_integer = true;
	if (byte_at(scan, 0) == '-')
		scan->at++;
	is_zero = byte_at(scan, 0) == '0';
	n = skip_digits(scan);
	if (n == 0 || (is_zero && n > 1))
		return false;
	if (byte_at(scan, 0) == '.') {
		*ret_is_integer = false;
		scan->at++;
		if (skip_digits(scan) == 0)
			return false;
	}
	if ((byte_at(scan, 0) | 0x20) == 'e') {
		*ret_is_integer = false;
		scan->at++;
		if (byte_at(scan, 0) == '-' || byte_at(scan, 0) == '+')
			scan->at++;
		if (skip_digits(scan) == 0)
			return false;
	}
	return true;
}

static bool fits(const char *digits, const char *end)
{
	uint64_t limit = *digits == '-' ? UINT64_C(1) << 63 : UINT64_MAX;
	uint64_t value = 0;

	for (digits += *digits == '-'; digits < end; digits++) {
		unsigned int digit = (unsigned char)*digits - (unsigned int)'0';

		if (value > (limit - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	return true;
}

static int scan_number(struct scan *scan)
{
	const char *start = scan->at;
	bool is_integer;

	if (!skip_number(scan, &is_integer) || byte_at(scan, 0) == '-')
		return bad(scan, "not a number");
	if (is_integer && !fits(start, scan->at))
		return bad(scan, "an integer does not fit into 64 bits");
	return 0;
}

/* json-c also knows NaN and Infinity; JSON does not. */
static int scan_word(struct scan *scan)
{
	static const char *const words[] = { "true", "false", "null" };
	const char *start = scan->at;
	size_t n;

	while ((byte_at(scan, 0) | 0x20) >= 'a' &&
	       (byte_at(scan, 0) | 0x20) <= 'z')
		scan->at++;
	n = (size_t)(scan->at - start);
	for (size_t i = 0; n && i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == n && memcmp(words[i], start, n) == 0)
			return 0;
	return bad(scan, byte_at(scan, 0) == 0 && scan->at < scan->end ?
				 "a NUL byte" :
				 "neither a value nor punctuation");
}

static int open_level(struct scan *scan, bool is_object)
{
	if (scan->depth == scan->max_depth)
		return bad(scan, "nested too deeply");
	scan->at++;
	scan->depth++;
	scan->levels[scan->depth].is_object = is_object;
	scan->levels[scan->depth].keys.n = 0;
	return 0;
}

static int by_text_then_line(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int close_level(struct scan *scan)
{
	struct level *level = &scan->levels[scan->depth];

	if (scan->depth == 0)
		return bad(scan, "closed more than was opened");
	if (level->keys.n > 1)
		qsort(level->keys.items, level->keys.n,
		      sizeof(*level->keys.items), by_text_then_line);
	for (size_t i = 1; i < level->keys.n; i++) {
		const struct key *key = &level->keys.items[i];

		if (strcmp(key[-1].text, key->text) == 0)
			return err_set(scan->err, -EBADMSG,
				       "line %u: \"%s\" a second time",
				       key->line, key->text);
	}
	scan->at++;
	scan->depth--;
	return 0;
}

static int scan_token(struct scan *scan)
{
	switch (byte_at(scan, 0)) {
	case '{':
		return open_level(scan, true);
	case '[':
		return open_level(scan, false);
	case '}':
	case ']':
		return close_level(scan);
	case ',':
	case ':':
		scan->at++;
		return 0;
	case '"':
		return scan_text(scan);
	default:
		if (strchr("+-.0123456789", byte_at(scan, 0)) &&
		    byte_at(scan, 0))
			return scan_number(scan);
		return scan_word(scan);
	}
}

int json_scan(struct arena *arena, const char *text, size_t len,
	      unsigned int max_depth, struct err *err)
{
	struct scan scan = {
		.arena = arena,
		.at = text,
		.end = text + len,
		.line = 1,
		.max_depth = max_depth,
		.err = err,
	};
	int r = 0;

	scan.levels = arena_array(arena, max_depth + 1, sizeof(*scan.levels));
	strbuf_init(&scan.string, arena);
	skip_space(&scan);
	while (r == 0 && scan.at < scan.end) {
		r = scan_token(&scan);
		skip_space(&scan);
	}
	return r;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

/*
 * A look at JSON text before the library sees it.
 *
 * json-c 0.16 keeps the last of duplicate keys, saturates integers, cuts a
 * key at \u0000, stops at a NUL byte, takes NaN, raw control characters,
 * overlong UTF-8 and lone surrogates, all without a word.  Here each of these
 * is an error with its line; the grammar itself stays the library's.
 *
 * 0, or -EBADMSG with err set: the text is not well-formed UTF-8; a NUL byte
 * or a control character in a string; \u0000 or half a surrogate pair; the
 * same key twice in one object; an integer outside INT64_MIN..UINT64_MAX; a
 * word other than true, false and null; more than max_depth levels.
 */

struct arena;
struct err;

int json_scan(struct arena *arena, const char *text, size_t len,
	      unsigned int max_depth, struct err *err);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/glob.h"

#include <stddef.h>
#include <string.h>

/*
 * The set at p ("[" behind it) against c.  Returns what follows the set, or
 * NULL when the "[" is not closed and so stands for itself.
 */
static const char *match_set(const char *p, const char *end, char c,
			     bool *ret_hit)
{
	bool negated = false, hit = false;
	const char *first;

	if (p < end && (*p == '!' || *p == '^')) {
		negated = true;
		p++;
	}
	first = p;
	for (; p < end; p++) {
		if (*p == ']' && p > first) {
			*ret_hit = hit != negated;
			return p + 1;
		}
		if (p + 2 < end && p[1] == '-' && p[2] != ']') {
			if (c >= p[0] && c <= p[2])
				hit = true;
			p += 2;
		} else if (*p == c) {
			hit = true;
		}
	}
	return NULL;
}

/* One pattern element against one character; NULL is no match. */
static const char *match_one(const char *p, const char *end, char c)
{
	const char *next;
	bool hit;

	if (*p == '?')
		return p + 1;
	if (*p == '[') {
		next = match_set(p + 1, end, c, &hit);
		if (next)
			return hit ? next : NULL;
	}
	if (*p == '\\' && p + 1 < end)
		p++;
	return *p == c ? p + 1 : NULL;
}

static bool match_alternative(const char *p, const char *end, const char *text)
{
	const char *star = NULL, *retry = NULL;

	while (*text) {
		const char *next = NULL;

		if (p < end && *p == '*') {
			star = ++p;
			retry = text;
			continue;
		}
		if (p < end)
			next = match_one(p, end, *text);
		if (next) {
			p = next;
			text++;
		} else if (star) {
			p = star;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (p < end && *p == '*')
		p++;
	return p == end;
}

/* The end of the alternative that starts at p. */
static const char *alternative_end(const char *p)
{
	for (; *p && *p != '|'; p++)
		if (*p == '\\' && p[1])
			p++;
	return p;
}

bool glob_match(const char *pattern, const char *text)
{
	for (;;) {
		const char *end = alternative_end(pattern);

		if (match_alternative(pattern, end, text))
			return true;
		if (!*end)
			return false;
		pattern = end + 1;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/owner.h"

#include <string.h>

#include "base/parse.h"

bool owner_is_us(const char *content)
{
	const char *second;

	if (!content)
		return false;
	if (text_has_prefix(content, "#!")) {
		second = strchr(content, '\n');
		return second && text_has_prefix(second + 1, OWNER_MARK);
	}
	return text_has_prefix(content, OWNER_MARK);
}

char *owner_unit(struct arena *arena, const char *path)
{
	const char *end;

	if (!text_has_prefix(path, OWNER_UNITS))
		return NULL;
	path += strlen(OWNER_UNITS);
	end = strstr(path, ".d/");
	return end ? arena_strndup(arena, path, (size_t)(end - path)) : NULL;
}

char *owner_drop_in(struct arena *arena, const char *unit)
{
	return arena_printf(arena, OWNER_UNITS "%s.d/" OWNER_DROP_IN, unit);
}

const char *owner_wrapper(const char *path)
{
	return text_has_prefix(path, OWNER_SCRIPTS) ?
		       path + strlen(OWNER_SCRIPTS) :
		       NULL;
}

char *owner_profile(struct arena *arena, const char *content)
{
	const char *name = content;
	const char *end;

	if (!content || !text_has_prefix(content, OWNER_FROM))
		return NULL;
	name += strlen(OWNER_FROM);
	end = strstr(name, ".  ");
	return end ? arena_strndup(arena, name, (size_t)(end - name)) : NULL;
}

static const char *skip_comments(const char *text)
{
	while (*text == '#') {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return text;
}

bool owner_same_lines(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	for (;;) {
		size_t n;

		a = skip_comments(a);
		b = skip_comments(b);
		n = strcspn(a, "\n");
		if (n != strcspn(b, "\n") || memcmp(a, b, n) != 0 ||
		    a[n] != b[n])
			return false;
		if (!a[n])
			return true;
		a += n + 1;
		b += n + 1;
	}
}

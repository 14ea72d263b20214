/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/cmdline.h"

#include <string.h>

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The end of the argument at text: the first white space outside quotes. */
static const char *argument_end(const char *text)
{
	bool quoted = false;

	for (; *text && (quoted || !is_space(*text)); text++)
		if (*text == '"')
			quoted = !quoted;
	return text;
}

static void take_quotes_off(char **text)
{
	size_t n;

	if (**text != '"')
		return;
	(*text)++;
	n = strlen(*text);
	if (n && (*text)[n - 1] == '"')
		(*text)[n - 1] = '\0';
}

void cmdline_parse(struct arena *arena, const char *text, struct cmdline *ret)
{
	struct cmdline cmdline = { { 0 } };

	for (;;) {
		struct cmdline_arg *arg;
		const char *end;
		char *word, *value;

		while (is_space(*text))
			text++;
		if (*text == '\0')
			break;
		end = argument_end(text);
		word = arena_strndup(arena, text, (size_t)(end - text));
		text = end;
		take_quotes_off(&word); /* "name=a b" */
		value = strchr(word, '=');
		if (value) {
			*value++ = '\0';
			take_quotes_off(&value); /* name="a b" */
		}
		arg = vec_add(arena, &cmdline.args);
		arg->name = word;
		arg->value = value;
	}
	*ret = cmdline;
}

static char dash_to_underscore(char c)
{
	return c == '-' ? '_' : c;
}

bool cmdline_name_equal(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (dash_to_underscore(*a) != dash_to_underscore(*b))
			return false;
	return *a == *b;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct value value_uint(uint64_t number)
{
	return (struct value){ .type = VALUE_UINT, .u.number = number };
}

bool value_text(const char *text, struct value *ret)
{
	size_t n = strlen(text);

	if (n >= VALUE_TEXT_SIZE)
		return false;
	*ret = (struct value){ .type = VALUE_TEXT };
	memcpy(ret->u.text, text, n + 1);
	return true;
}

void uint_to_text(unsigned int number, char *text)
{
	(void)snprintf(text, 11, "%u", number);
}

bool value_equal(const struct value *a, const struct value *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case VALUE_UINT:
	case VALUE_SHARE:
		return a->u.number == b->u.number;
	case VALUE_TEXT:
		return strcmp(a->u.text, b->u.text) == 0;
	case VALUE_NONE:
	case VALUE_KEEP:
	case VALUE_MAX:
		return true;
	}
	return false;
}

void value_to_text(const struct value *value, struct strbuf *out)
{
	switch (value->type) {
	case VALUE_UINT:
		strbuf_printf(out, "%" PRIu64, value->u.number);
		break;
	case VALUE_SHARE:
		strbuf_printf(out, "%" PRIu64 "%%", value->u.number);
		break;
	case VALUE_TEXT:
		strbuf_puts(out, value->u.text);
		break;
	case VALUE_KEEP:
		strbuf_puts(out, "keep");
		break;
	case VALUE_MAX:
		strbuf_puts(out, "max");
		break;
	case VALUE_NONE:
		strbuf_puts(out, "-");
		break;
	}
}

char *value_string(struct arena *arena, const struct value *value)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	value_to_text(value, &out);
	return out.text;
}

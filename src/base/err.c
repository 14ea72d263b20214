/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/err.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"

/* The cut may go through a character: what is left of it becomes "?". */
static void cut(char *text, size_t size)
{
	memcpy(text + size - 4, "...", 4);
	escape_in_place(text);
}

static void format(struct err *err, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));

static void format(struct err *err, const char *fmt, va_list args)
{
	int n = vsnprintf(err->text, sizeof(err->text), fmt, args);

	if (n < 0 || (size_t)n >= sizeof(err->text))
		cut(err->text, sizeof(err->text));
	escape_in_place(err->text);
}

int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list args;

	assert(code < 0);
	if (!err)
		return code;
	err->code = code;
	va_start(args, fmt);
	format(err, fmt, args);
	va_end(args);
	return code;
}

int err_errno(struct err *err, int code, const char *fmt, ...)
{
	va_list args;
	size_t n;

	assert(code < 0);
	if (!err)
		return code;
	err->code = code;
	va_start(args, fmt);
	format(err, fmt, args);
	va_end(args);
	n = strlen(err->text);
	if ((size_t)snprintf(err->text + n, sizeof(err->text) - n, ": %s",
			     strerror(-code)) >= sizeof(err->text) - n)
		cut(err->text, sizeof(err->text));
	return code;
}

int err_context(struct err *err, const char *fmt, ...)
{
	struct err front;
	va_list args;
	size_t n;

	if (!err)
		return -EINVAL;
	va_start(args, fmt);
	format(&front, fmt, args);
	va_end(args);
	n = strlen(front.text);
	if ((size_t)snprintf(front.text + n, sizeof(front.text) - n, ": %s",
			     err->text) >= sizeof(front.text) - n)
		cut(front.text, sizeof(front.text));
	memcpy(err->text, front.text, sizeof(err->text));
	return err->code;
}

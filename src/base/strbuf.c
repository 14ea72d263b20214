/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/strbuf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void reserve(struct strbuf *sb, size_t more)
{
	size_t cap = sb->cap;
	char *moved;

	if (sb->cap - sb->len > more)
		return;
	while (cap - sb->len <= more)
		cap *= 2;
	moved = arena_alloc(sb->arena, cap);
	memcpy(moved, sb->text, sb->len + 1);
	sb->text = moved;
	sb->cap = cap;
}

void strbuf_init(struct strbuf *sb, struct arena *arena)
{
	*sb = (struct strbuf){
		.arena = arena,
		.text = arena_alloc(arena, 128),
		.cap = 128,
	};
}

void strbuf_put(struct strbuf *sb, const char *text, size_t n)
{
	reserve(sb, n);
	memcpy(sb->text + sb->len, text, n);
	sb->len += n;
	sb->text[sb->len] = '\0';
}

void strbuf_puts(struct strbuf *sb, const char *text)
{
	strbuf_put(sb, text, strlen(text));
}

void strbuf_putc(struct strbuf *sb, char c)
{
	strbuf_put(sb, &c, 1);
}

void strbuf_printf(struct strbuf *sb, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	assert(n >= 0);
	reserve(sb, (size_t)n);
	va_start(args, fmt);
	(void)vsnprintf(sb->text + sb->len, (size_t)n + 1, fmt, args);
	va_end(args);
	sb->len += (size_t)n;
}

void strbuf_pad(struct strbuf *sb, size_t n)
{
	reserve(sb, n);
	memset(sb->text + sb->len, ' ', n);
	sb->len += n;
	sb->text[sb->len] = '\0';
}

void strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	sb->text[0] = '\0';
}

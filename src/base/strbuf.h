/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "base/arena.h"

/*
 * Text that grows, in an arena.  Always NUL-terminated; text is never NULL.
 * Growing follows the arena's rule: it does not fail.
 */

struct strbuf {
	struct arena *arena;
	char *text;
	size_t len;
	size_t cap;
};

void strbuf_init(struct strbuf *sb, struct arena *arena);
void strbuf_put(struct strbuf *sb, const char *text, size_t n);
void strbuf_puts(struct strbuf *sb, const char *text);
void strbuf_putc(struct strbuf *sb, char c);
void strbuf_printf(struct strbuf *sb, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void strbuf_pad(struct strbuf *sb, size_t n); /* n spaces */
void strbuf_reset(struct strbuf *sb);	      /* empty, memory kept */

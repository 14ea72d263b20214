/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/*
 * stdout is the result: a command builds it in a strbuf and writes it here,
 * once or in parts.  stderr is talk.
 */

enum out_format {
	OUT_TABLE,
	OUT_JSON,
	OUT_RAW, /* tab separated, without header */
};

/* What a piece of text means; colours follow from it. */
enum tone {
	TONE_PLAIN,
	TONE_STRONG, /* headings, names of drives */
	TONE_FAINT,  /* what matters least: reasons, sources */
	TONE_GOOD,
	TONE_WARN,
	TONE_BAD,
};

int out_format_parse(const char *text, enum out_format *ret);

/* Columns of the terminal behind stdout, or 0: it is none. */
unsigned int out_width(void);
/* A terminal that knows more than to print (not TERM=dumb). */
bool out_takes_codes(int fd);
/* Such a one, and nobody asked for plain text (NO_COLOR). */
bool out_wants_color(void);

/* The codes around a piece of text: "" without color. */
const char *tone_on(enum tone tone, bool color);
const char *tone_off(enum tone tone, bool color);

/* text is escaped; the codes count nothing for alignment. */
void out_tone(struct strbuf *sb, enum tone tone, bool color, const char *text);

/* Cells that text takes on a terminal: characters, combining ones too. */
size_t out_columns(const char *text);

/* A paragraph of words, escaped and wrapped at width (0: not at all), each line
 * but the first indented; the cursor is at column indent when it begins. */
void out_wrapped(struct strbuf *sb, const char *text, unsigned int indent,
		 unsigned int width);

/* The same for text that is harmless already. */
void out_folded(struct strbuf *sb, const char *text, unsigned int indent,
		unsigned int width);

/* Append to stdout; what fails is told by out_finish(). */
void out_write(const struct strbuf *sb);
/* Flush.  -errno when anything written to stdout did not get there. */
int out_finish(struct err *err);

/* One line of talk, "nvmetune: ..." on stderr; foreign bytes made harmless. */
void out_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/parse.h"

#define WIDTH_MIN 40U
#define WIDTH_MAX 1000U

int out_format_parse(const char *text, enum out_format *ret)
{
	static const char *const names[] = { "table", "json", "raw" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(text, names[i])) {
			*ret = (enum out_format)i;
			return 0;
		}
	}
	return -EINVAL;
}

unsigned int out_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	unsigned int width = 0;

	if (columns && parse_uint(columns, &width) == 0 && width >= WIDTH_MIN)
		return width < WIDTH_MAX ? width : WIDTH_MAX;
	if (!isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return 0;
	return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col;
}

bool out_takes_codes(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) == 1 && term && strcmp(term, "dumb") != 0;
}

bool out_wants_color(void)
{
	const char *no_color = getenv("NO_COLOR");

	return out_takes_codes(STDOUT_FILENO) && !(no_color && no_color[0]);
}

const char *tone_on(enum tone tone, bool color)
{
	static const char *const codes[] = {
		[TONE_PLAIN] = "",	  [TONE_STRONG] = "\033[1m",
		[TONE_FAINT] = "\033[2m", [TONE_GOOD] = "\033[32m",
		[TONE_WARN] = "\033[33m", [TONE_BAD] = "\033[31m",
	};

	return color ? codes[tone] : "";
}

const char *tone_off(enum tone tone, bool color)
{
	return color && tone != TONE_PLAIN ? "\033[0m" : "";
}

void out_tone(struct strbuf *sb, enum tone tone, bool color, const char *text)
{
	strbuf_puts(sb, tone_on(tone, color));
	escape_to(sb, text);
	strbuf_puts(sb, tone_off(tone, color));
}

size_t out_columns(const char *text)
{
	size_t n = 0;

	/* Continuation bytes of UTF-8 take no column of their own. */
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

void out_wrapped(struct strbuf *sb, const char *text, unsigned int indent,
		 unsigned int width)
{
	struct strbuf harmless;

	strbuf_init(&harmless, sb->arena);
	escape_to(&harmless, text);
	out_folded(sb, harmless.text, indent, width);
}

void out_folded(struct strbuf *sb, const char *text, unsigned int indent,
		unsigned int width)
{
	size_t column = indent;
	const char *gap = "";

	while (*text) {
		size_t n = strcspn(text, " ");
		char *word = arena_strndup(sb->arena, text, n);
		size_t columns = out_columns(word);

		if (width && gap[0] && column + 1 + columns > width) {
			strbuf_putc(sb, '\n');
			strbuf_pad(sb, indent);
			column = indent;
			gap = "";
		}
		strbuf_puts(sb, gap);
		strbuf_puts(sb, word);
		column += strlen(gap) + columns;
		gap = " ";
		text += n;
		text += strspn(text, " ");
	}
}

void out_write(const struct strbuf *sb)
{
	(void)fwrite(sb->text, 1, sb->len, stdout);
}

int out_finish(struct err *err)
{
	int code;

	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	code = errno ? -errno : -EIO;
	return err_errno(err, code, "cannot write to standard output");
}

void out_note(const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	escape_in_place(text);
	/* What is said so far comes first, also where both are one pipe. */
	(void)fflush(stdout);
	(void)fprintf(stderr, "nvmetune: %s\n", text);
}

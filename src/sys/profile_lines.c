/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/profile_lines.h"

#include <errno.h>
#include <ini.h>
#include <string.h>

#include "base/err.h"
#include "base/escape.h"
#include "base/parse.h"

#define LONGEST_LINE 4095U

/*
 * inih splits keys from values.  All that it would misread is caught here,
 * before it sees the line: it glues an indented line to the value before it,
 * cuts a long line and takes the rest for further keys, drops headings
 * without keys, and gives no line numbers.
 */
struct reader {
	struct arena *arena;
	const char *next;
	const char *end;
	unsigned int line;
	const char *value; /* of the line that inih has */
	bool in_section;
	struct profile_lines *lines;
};

static struct profile_line *add_line(const struct reader *reader,
				     enum profile_line_kind kind,
				     const char *text)
{
	struct profile_line *line =
		vec_add(reader->arena, &reader->lines->items);

	line->kind = kind;
	line->line = reader->line;
	line->text = arena_strdup(reader->arena, text);
	return line;
}

/* The next line in the arena without its end, or NULL; *ret_n its length. */
static char *next_line(struct reader *reader, size_t *ret_n)
{
	size_t left = (size_t)(reader->end - reader->next), n;
	const char *start = reader->next, *newline;

	if (left == 0)
		return NULL;
	newline = memchr(start, '\n', left);
	n = newline ? (size_t)(newline - start) : left;
	reader->next = start + n + (newline ? 1 : 0);
	reader->line++;
	/* A byte order mark, as editors elsewhere write it. */
	if (reader->line == 1 && n >= 3 &&
	    memcmp(start, "\xef\xbb\xbf", 3) == 0)
		start += 3, n -= 3;
	if (n > 0 && start[n - 1] == '\r')
		n--;
	*ret_n = n;
	return arena_strndup(reader->arena, start, n);
}

static int check_bytes(const char *line, size_t n, struct err *err)
{
	size_t i = 0;

	if (n > LONGEST_LINE)
		return err_set(err, -EINVAL,
			       "the line has %zu bytes, at most %u are legal",
			       n, LONGEST_LINE);
	while (i < n) {
		unsigned int len = line[i] == '\t' ? 1 : 0;

		if (!len && line[i])
			len = escape_utf8_len(line + i);
		if (!len)
			return err_set(
				err, -EINVAL,
				"byte 0x%02x at column %zu is no printable UTF-8",
				(unsigned char)line[i], i + 1);
		i += len;
	}
	return 0;
}

/* Take a comment off the end: ";" behind white space, as inih has it. */
static void cut_comment(char *line)
{
	for (char *p = line; *p; p++)
		if (*p == ';' && p > line && (p[-1] == ' ' || p[-1] == '\t')) {
			*p = '\0';
			return;
		}
}

static int parse_heading(char *line, const char **ret, struct err *err)
{
	char *close = strchr(line, ']');

	if (!close)
		return err_set(
			err, -EINVAL,
			"the section heading is not closed: write \"%s]\"",
			line);
	if (close[1])
		return err_set(err, -EINVAL,
			       "\"%s\" stands behind the section heading",
			       close + 1);
	*close = '\0';
	line = text_trim(line + 1);
	if (!*line)
		return err_set(err, -EINVAL, "the section heading is empty");
	*ret = line;
	return 0;
}

/* *ret_equals is the "=" of a line that is "key = value" and nothing else. */
static int check_key(const struct reader *reader, const char *line,
		     const char **ret_equals, struct err *err)
{
	const char *separator = strpbrk(line, "=:");

	if (!separator)
		return err_set(
			err, -EINVAL,
			"\"%s\" is neither a section heading nor \"key = value\"",
			line);
	if (*separator == ':')
		return err_set(
			err, -EINVAL,
			"\":\" separates nothing: write \"key = value\"");
	if (separator == line)
		return err_set(err, -EINVAL, "no key stands in front of \"=\"");
	if (!reader->in_section)
		return err_set(err, -EINVAL,
			       "\"%s\" stands before the first section heading",
			       line);
	*ret_equals = separator;
	return 0;
}

/*
 * Hand the key to inih, and the value too where it fits: distributions build
 * inih with different limits, and a value of ours has one limit everywhere.
 */
static int hand_over(struct reader *reader, const char *line,
		     const char *equals, char *str, size_t size,
		     struct err *err)
{
	size_t n = strlen(line), key = (size_t)(equals - line) + 1;

	if (n + 2 > size)
		n = key;
	if (n + 2 > size)
		return err_set(err, -EINVAL, "the key is too long");
	memcpy(str, line, n);
	memcpy(str + n, "\n", 2);
	reader->value = text_trim(arena_strdup(reader->arena, equals + 1));
	if (*reader->value == ';') /* a comment right behind "=" */
		reader->value = "";
	return 0;
}

static void take_heading(struct reader *reader, char *line)
{
	const char *heading = "";
	struct err err;

	reader->in_section = true;
	if (parse_heading(line, &heading, &err) < 0)
		(void)add_line(reader, LINE_WRONG_HEADING, err.text);
	else
		(void)add_line(reader, LINE_HEADING, heading);
}

/* 1: a key is in str, 0: the line is done with, negative: err says why. */
static int take_line(struct reader *reader, char *line, size_t n, char *str,
		     size_t size, struct err *err)
{
	bool indented = *line == ' ' || *line == '\t';
	const char *equals = NULL;
	int r = check_bytes(line, n, err);

	if (r < 0)
		return r;
	line = text_trim(line);
	if (!*line || *line == ';' || *line == '#')
		return 0;
	cut_comment(line);
	line = text_trim(line);
	if (indented)
		return err_set(
			err, -EINVAL,
			"\"%s\" is indented: a line starts in the first column, and no value goes on in the next line",
			line);
	if (*line == '[') {
		take_heading(reader, line);
		return 0;
	}
	r = check_key(reader, line, &equals, err);
	if (r == 0)
		r = hand_over(reader, line, equals, str, size, err);
	return r < 0 ? r : 1;
}

static char *read_line(char *str, int num, void *stream)
{
	struct reader *reader = stream;
	struct err err;
	char *line;
	size_t n;
	int r;

	while ((line = next_line(reader, &n))) {
		r = take_line(reader, line, n, str, (size_t)num, &err);
		if (r > 0)
			return str;
		if (r < 0)
			(void)add_line(reader, LINE_WRONG, err.text);
	}
	return NULL;
}

static int take_key(void *user, const char *section, const char *name,
		    const char *value)
{
	const struct reader *reader = user;

	(void)section; /* it does not see our headings */
	(void)value;   /* perhaps cut */
	add_line(reader, LINE_KEY, reader->value)->key =
		arena_strdup(reader->arena, name);
	return 1;
}

void profile_lines_read(struct arena *arena, const struct profile_bytes *bytes,
			struct profile_lines *ret)
{
	struct reader reader = {
		.arena = arena,
		.next = bytes->text,
		.end = bytes->text + bytes->n,
		.lines = ret,
	};

	if (ini_parse_stream(read_line, &reader, take_key, &reader) != 0)
		(void)add_line(&reader, LINE_WRONG,
			       "the file cannot be read as INI");
}

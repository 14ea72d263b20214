/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/throughput.h"

#include <float.h>
#include <string.h>

#include "base/arena.h"
#include "base/parse.h"

#define NAME_LIMIT 48 /* longer is prose */

/* One line, and a number in it. */
struct place {
	const char *line;
	const char *number; /* its first digit */
	const char *behind; /* the first character after it */
	double value;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* What a name or a unit is made of. */
static bool is_wordy(char c)
{
	return is_letter(c) || c == '/' || c == '_' || c == ' ';
}

static bool ends_word(char c)
{
	return !is_letter(c) && !is_digit(c) && c != '_' && c != '/';
}

/* Moves *text behind k, M, G or T, with an i for powers of 1024. */
static double prefix(const char **text)
{
	static const char letters[] = "kMGT";
	const char *p = *text;
	const char *at = *p == 'K' ? letters : strchr(letters, *p ? *p : '?');
	double base = 1000, factor = 1;

	if (!at)
		return 1;
	if (p[1] == 'i') {
		base = 1024;
		p++;
	}
	for (const char *step = letters; step <= at; step++)
		factor *= base;
	*text = p + 1;
	return factor;
}

static bool has_word(const char **text, const char *word)
{
	size_t n = strlen(word);

	if (strncasecmp(*text, word, n) != 0 || !ends_word((*text)[n]))
		return false;
	*text += n;
	return true;
}

static const char *const counts[] = {
	"iops", "tps", "qps", "rps", "ops", "txps"
};

/* "IOPS", "tps": a unit of one word. */
static bool has_count(const char **text)
{
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (has_word(text, counts[i]))
			return true;
	return false;
}

/* "B/s", "requests/sec", "/s", "per second", "requests per second". */
static bool has_rate(const char **text)
{
	static const char *const seconds[] = { "s", "sec", "second" };
	const char *p = *text;

	while (is_letter(*p))
		p++;
	if (text_has_prefix(*text, "per "))
		p = *text + strlen("per ");
	else if (text_has_prefix(p, " per "))
		p += strlen(" per ");
	else if (*p == '/')
		p++;
	else
		return false;
	for (size_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++)
		if (has_word(&p, seconds[i])) {
			*text = p;
			return true;
		}
	return false;
}

static bool has_unit(const char **text)
{
	return has_count(text) || has_rate(text);
}

/*
 * The unit behind the number, its prefix multiplied out.  A unit may begin
 * with the letter of a prefix ("Transactions/s" does not, "MB/s" does): with
 * the prefix taken off, what is left must be bytes, bits or a count.
 */
static bool read_unit(struct place *at, const char **ret, size_t *ret_n)
{
	const char *p = at->behind, *unit;
	double factor;

	while (is_blank(*p))
		p++;
	unit = p;
	factor = prefix(&p);
	while (factor > 1 && is_blank(*p))
		p++;
	if (factor > 1 && (*p == 'B' || *p == 'b' || *p == '/' ||
			   has_count(&(const char *){ p }))) {
		unit = p;
	} else {
		factor = 1;
		p = unit;
	}
	if (!has_unit(&p))
		return false;
	at->value *= factor;
	*ret = unit;
	*ret_n = (size_t)(p - unit);
	return true;
}

/* Does the text from..to end with this word? */
static bool ends_with(const char *from, const char *to, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(to - from) >= n && strncasecmp(to - n, word, n) == 0 &&
	       (word[0] == '/' || to - n == from || ends_word(to[-(int)n - 1]));
}

static bool names_rate(const char *from, const char *to)
{
	static const char *const names[] = { "throughput", "bandwidth",	 "bw",
					     "per sec",	   "per second", "/s",
					     "/sec",	   "/second" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (ends_with(from, to, names[i]))
			return true;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (ends_with(from, to, counts[i]))
			return true;
	return false;
}

/* The name in front of the number; "Throughput(ops/sec), 12" is one, too. */
static bool read_name(struct place *at, const char **ret, size_t *ret_n)
{
	const char *to = at->number, *from, *p = at->behind;

	while (to > at->line && is_blank(to[-1]))
		to--;
	if (to == at->line || !strchr("=:,", to[-1]))
		return false;
	to--;
	while (to > at->line && (is_blank(to[-1]) || to[-1] == ')'))
		to--;
	for (from = to; from > at->line && is_wordy(from[-1]);)
		from--;
	while (from < to && *from == ' ')
		from++;
	if (!names_rate(from, to))
		return false;
	at->value *= prefix(&p);
	*ret = from;
	*ret_n = (size_t)(to - from);
	return true;
}

/* What the line begins with tells one figure from another of the same unit:
 * "queries: 100 (2.0 per sec)". */
static const char *full_name(struct arena *arena, const struct place *at,
			     const char *what, size_t n)
{
	const char *p = at->line, *from;

	while (is_blank(*p))
		p++;
	for (from = p; p < at->number && is_wordy(*p);)
		p++;
	while (p > from && p[-1] == ' ')
		p--;
	if (n > NAME_LIMIT)
		n = NAME_LIMIT;
	if (p == from || (what >= from && what <= p) || p - from > NAME_LIMIT)
		return arena_strndup(arena, what, n);
	return arena_printf(arena, "%.*s, %.*s", (int)(p - from), from, (int)n,
			    what);
}

/* More than nothing, also with its prefix within what a double holds. */
static bool is_figure(double value)
{
	return value > 0 && value <= DBL_MAX;
}

/* A number begins here that can be read without doubt. */
static bool read_number(struct place *at, const char *p)
{
	const char *last = p > at->line ? p - 1 : NULL;

	if (!is_digit(*p) ||
	    (last &&
	     (is_letter(*last) || is_digit(*last) || strchr("._-+", *last) ||
	      (*last == ',' && last > at->line && is_digit(last[-1])))))
		return false;
	at->number = at->behind = p;
	if (parse_decimal_prefix(&at->behind, &at->value) < 0)
		return false;
	return *at->behind != '.' || !is_digit(at->behind[1]);
}

static bool is_group(const struct place *at)
{
	return *at->behind == ',' && is_digit(at->behind[1]);
}

static bool find_rate(struct arena *arena, const char *line,
		      struct throughput *ret)
{
	bool found = false;

	for (const char *p = line; *p; p++) {
		struct place at = { .line = line };
		const char *what;
		size_t n;

		if (!read_number(&at, p) || is_group(&at))
			continue;
		if (!read_unit(&at, &what, &n) && !read_name(&at, &what, &n))
			continue;
		if (!is_figure(at.value))
			continue;
		ret->value = at.value;
		ret->name = full_name(arena, &at, what, n);
		found = true;
	}
	return found;
}

/* The line is a number and nothing else. */
static bool is_number(char *line, struct throughput *ret)
{
	const char *p = text_trim(line);
	double value;

	if (parse_decimal_prefix(&p, &value) < 0)
		return false;
	value *= prefix(&p);
	if (*p || !is_figure(value))
		return false;
	*ret = (struct throughput){ .value = value, .name = "" };
	return true;
}

bool throughput_find(struct arena *arena, const char *text,
		     struct throughput *ret)
{
	bool last = true;

	for (size_t n = strlen(text); n;) {
		const char *start;
		char *line;

		n -= text[n - 1] == '\n';
		start = memrchr(text, '\n', n);
		start = start ? start + 1 : text;
		line = arena_strndup(arena, start, n - (size_t)(start - text));
		n = (size_t)(start - text);
		if (find_rate(arena, line, ret))
			return true;
		if (!text_trim(line)[0])
			continue;
		if (last && is_number(line, ret))
			return true;
		last = false;
	}
	return false;
}

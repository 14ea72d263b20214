/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/parse.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <string.h>

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

static int digits(const char **text, unsigned int base, uint64_t *ret)
{
	const char *p = *text;
	uint64_t value = 0;
	bool overflow = false;

	for (; digit_value(*p) < (int)base; p++) {
		unsigned int digit = (unsigned int)digit_value(*p);

		if (value > (UINT64_MAX - digit) / base)
			overflow = true;
		value = value * base + digit;
	}
	if (p == *text)
		return -EINVAL;
	*text = p;
	if (overflow)
		return -ERANGE;
	*ret = value;
	return 0;
}

int parse_u64_prefix(const char **text, uint64_t *ret)
{
	return digits(text, 10, ret);
}

static int whole(const char *text, unsigned int base, uint64_t *ret)
{
	uint64_t value = 0;
	int r = digits(&text, base, &value);

	if (r == -EINVAL || *text)
		return -EINVAL;
	if (r < 0)
		return r;
	*ret = value;
	return 0;
}

int parse_u64(const char *text, uint64_t *ret)
{
	return whole(text, 10, ret);
}

int parse_hex_u64(const char *text, uint64_t *ret)
{
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	return whole(text, 16, ret);
}

int parse_uint(const char *text, unsigned int *ret)
{
	uint64_t value;
	int r = parse_u64(text, &value);

	if (r < 0)
		return r;
	if (value > UINT_MAX)
		return -ERANGE;
	*ret = (unsigned int)value;
	return 0;
}

int parse_i64(const char *text, int64_t *ret)
{
	bool negative = text[0] == '-';
	uint64_t value;
	int r = parse_u64(text + (negative ? 1 : 0), &value);

	if (r < 0)
		return r;
	if (value > (uint64_t)INT64_MAX + (negative ? 1U : 0U))
		return -ERANGE;
	if (negative)
		*ret = value ? -(int64_t)(value - 1) - 1 : 0;
	else
		*ret = (int64_t)value;
	return 0;
}

/* Digits of the whole part and of the fraction, as one number and a power. */
static void mantissa(const char **text, double *ret, int *ret_power)
{
	const char *p = *text;
	bool fraction = false;

	*ret = 0;
	*ret_power = 0;
	for (; digit_value(*p) < 10 ||
	       (!fraction && *p == '.' && digit_value(p[1]) < 10);
	     p++) {
		if (*p == '.') {
			fraction = true;
			continue;
		}
		*ret = *ret * 10 + digit_value(*p);
		*ret_power -= fraction;
	}
	*text = p;
}

/* "e+06": only with digits, otherwise the letter belongs to what follows. */
static void exponent(const char **text, int *power)
{
	const char *p = *text;
	uint64_t value = 0;
	bool negative;
	int r;

	if (*p != 'e' && *p != 'E')
		return;
	p++;
	negative = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	r = digits(&p, 10, &value);
	if (r == -EINVAL)
		return;
	if (r < 0 || value > 1000)
		value = 1000; /* beyond any double, either way */
	*power += negative ? -(int)value : (int)value;
	*text = p;
}

int parse_decimal_prefix(const char **text, double *ret)
{
	const char *p = *text;
	double value;
	int power;

	if (digit_value(*p) >= 10)
		return -EINVAL;
	mantissa(&p, &value, &power);
	exponent(&p, &power);
	for (; power > 0 && value <= DBL_MAX; power--)
		value *= 10;
	for (; power < 0 && value > 0; power++)
		value /= 10;
	if (value > DBL_MAX)
		return -ERANGE;
	*text = p;
	*ret = value;
	return 0;
}

struct unit {
	const char *name;
	uint64_t factor;
};

static int scaled(const char *text, const struct unit *units, size_t n,
		  uint64_t *ret)
{
	uint64_t value = 0;
	int r = digits(&text, 10, &value);

	if (r == -EINVAL)
		return r;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(text, units[i].name) != 0)
			continue;
		if (r < 0 || value > UINT64_MAX / units[i].factor)
			return -ERANGE;
		*ret = value * units[i].factor;
		return 0;
	}
	return -EINVAL;
}

int parse_size(const char *text, uint64_t *ret_bytes)
{
	static const struct unit units[] = {
		{ "", 1 },
		{ "k", 1024 },
		{ "K", 1024 },
		{ "M", 1024 * 1024 },
		{ "G", 1024 * 1024 * 1024 },
	};

	return scaled(text, units, sizeof(units) / sizeof(units[0]), ret_bytes);
}

int parse_time(const char *text, uint64_t *ret_us)
{
	static const struct unit units[] = {
		{ "us", 1 },
		{ "ms", 1000 },
		{ "s", 1000 * 1000 },
		{ "m", 60ULL * 1000 * 1000 },
		{ "min", 60ULL * 1000 * 1000 },
		{ "h", 3600ULL * 1000 * 1000 },
	};

	if (strcmp(text, "0") == 0) {
		*ret_us = 0;
		return 0;
	}
	return scaled(text, units, sizeof(units) / sizeof(units[0]), ret_us);
}

int parse_percent(const char *text, unsigned int *ret)
{
	uint64_t value = 0;
	int r = digits(&text, 10, &value);

	if (r == -EINVAL || strcmp(text, "%") != 0)
		return -EINVAL;
	if (r < 0 || value > 100)
		return -ERANGE;
	*ret = (unsigned int)value;
	return 0;
}

bool text_has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_has_suffix(const char *text, const char *suffix)
{
	size_t n = strlen(text), m = strlen(suffix);

	return n >= m && strcmp(text + n - m, suffix) == 0;
}

bool text_equal(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return strcmp(a, b) == 0;
}

bool text_has_word(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *p = list; p && (p = strstr(p, word)); p += n)
		if ((p == list || p[-1] == ' ') &&
		    (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

char *text_trim(char *text)
{
	size_t n;

	while (is_space(*text))
		text++;
	n = strlen(text);
	while (n && is_space(text[n - 1]))
		n--;
	text[n] = '\0';
	return text;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Numbers from text, strictly: the whole text must be the number, without
 * leading or trailing space, sign (but for _i64) or locale.  All return 0,
 * -EINVAL (not a number) or -ERANGE (does not fit); *ret is untouched on
 * failure.
 */
int parse_u64(const char *text, uint64_t *ret);	     /* decimal */
int parse_i64(const char *text, int64_t *ret);	     /* decimal, one "-" */
int parse_hex_u64(const char *text, uint64_t *ret);  /* optional 0x */
int parse_uint(const char *text, unsigned int *ret); /* decimal, <= UINT_MAX */

/*
 * The decimal digits at the start of *text; *text is moved behind them.
 * -EINVAL when there is no digit.
 */
int parse_u64_prefix(const char **text, uint64_t *ret);

/*
 * A number as programs print it at the start of *text: 12, 12.5, 1.25e+06;
 * *text is moved behind it.  -EINVAL when there is no digit, -ERANGE when it
 * is beyond what a double holds.
 */
int parse_decimal_prefix(const char **text, double *ret);

/* A number with a unit: 4096, 128k, 1M (bytes, powers of 1024). */
int parse_size(const char *text, uint64_t *ret_bytes);

/* A number with a required unit unless it is 0: 250us, 30s, 5ms, 2m, 1h. */
int parse_time(const char *text, uint64_t *ret_us);

/* N% with N in 0..100. */
int parse_percent(const char *text, unsigned int *ret);

bool text_has_prefix(const char *text, const char *prefix);
bool text_has_suffix(const char *text, const char *suffix);
bool text_equal(const char *a, const char *b); /* NULL equals only NULL */

/* Is the word in a list with a space between its words?  NULL has none. */
bool text_has_word(const char *list, const char *word);

/* White space (space, tab, newline, CR) off both ends, in place. */
char *text_trim(char *text);

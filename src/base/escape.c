/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/escape.h"

#include "base/strbuf.h"

/* The code point behind a well-formed sequence of n bytes; overlong forms,
 * surrogates and values above U+10FFFF are not well-formed (RFC 3629). */
static int is_legal(unsigned long code, unsigned int n)
{
	static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	return code >= least[n] && code <= 0x10ffff &&
	       !(code >= 0xd800 && code <= 0xdfff);
}

unsigned int escape_utf8_len(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned long code;
	unsigned int n;

	if (p[0] < 0x20 || p[0] == 0x7f)
		return 0;
	if (p[0] < 0x80)
		return 1;
	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		n = 2;
	else if (p[0] >= 0xe0 && p[0] <= 0xef)
		n = 3;
	else if (p[0] >= 0xf0 && p[0] <= 0xf4)
		n = 4;
	else
		return 0;
	code = p[0] & (0x7fU >> n);
	for (unsigned int i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (!is_legal(code, n) || (code >= 0x80 && code < 0xa0))
		return 0;
	return n;
}

void escape_in_place(char *text)
{
	while (*text) {
		unsigned int n = escape_utf8_len(text);

		if (n == 0) {
			*text = '?';
			n = 1;
		}
		text += n;
	}
}

void escape_to(struct strbuf *out, const char *text)
{
	if (!text)
		return;
	while (*text) {
		unsigned int n = escape_utf8_len(text);

		if (n == 0) {
			strbuf_printf(out, "\\x%02x", (unsigned char)*text);
			n = 1;
		} else if (*text == '\\') {
			strbuf_puts(out, "\\\\");
		} else {
			strbuf_put(out, text, n);
		}
		text += n;
	}
}

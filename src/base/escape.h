/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/*
 * Foreign text made harmless: model strings, serial numbers, sysfs contents,
 * paths and file lines may hold terminal escapes or broken UTF-8.
 */

struct strbuf;

/*
 * Replace, in place, every control character (C0, DEL, C1) and every byte
 * that is not part of well-formed UTF-8 by "?".  The length stays.
 */
void escape_in_place(char *text);

/*
 * Append text for a terminal or a log: as it is where it is harmless,
 * otherwise \xNN for each offending byte and \\ for a backslash.
 * A NULL text appends nothing.
 */
void escape_to(struct strbuf *out, const char *text);

/* The length in bytes (1..4) of the well-formed UTF-8 character at text that
 * is no control character, or 0. */
unsigned int escape_utf8_len(const char *text);

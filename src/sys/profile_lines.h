/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/vec.h"
#include "sys/profile_search.h"

/*
 * The lines of a profile's text that say something, in order: headings and
 * keys, split and checked but not understood.  Of what sys/profile_file.h
 * promises, the shape of a line is checked here.
 */
enum profile_line_kind {
	LINE_HEADING,
	LINE_KEY,
	LINE_WRONG,	    /* text says what is wrong with it */
	LINE_WRONG_HEADING, /* the same; the keys below it are nobody's */
};

struct profile_line {
	enum profile_line_kind kind;
	unsigned int line;
	const char *key;  /* LINE_KEY */
	const char *text; /* the heading, the value, or what is wrong */
};

struct profile_lines {
	VEC(struct profile_line) items;
};

void profile_lines_read(struct arena *arena, const struct profile_bytes *bytes,
			struct profile_lines *ret);

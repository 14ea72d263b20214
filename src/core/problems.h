/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/err.h"
#include "base/vec.h"

/*
 * Several errors, each one line for the user: a profile with five mistakes
 * names all five.
 */
struct problems {
	struct arena *arena;
	VEC(const char *) lines;
};

/* The sentence of err becomes a line. */
void problems_add(struct problems *problems, const struct err *err);

/* "FILE:LINE: " in front of the sentence. */
void problems_add_at(struct problems *problems, const char *file,
		     unsigned int line, const struct err *err);

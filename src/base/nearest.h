/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

/*
 * The name that was probably meant: the candidate with the fewest edits
 * (insert, delete, replace, swap of neighbours), if that is at most a third
 * of its length, rounded up; NULL when none is near.  The first of equals.
 * Names over 64 bytes are never near anything.
 */
const char *nearest_name(const char *text, const char *const *candidates,
			 size_t n);

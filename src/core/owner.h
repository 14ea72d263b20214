/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * Whose file it is: every file that nvmetune writes carries this at the start
 * of its first line, or of the second behind "#!".  What lies at one of our
 * paths without it is somebody else's and is never overwritten.
 */
#define OWNER_MARK "# Written by nvmetune"

bool owner_is_us(const char *content); /* NULL: absent, so nobody's: false */

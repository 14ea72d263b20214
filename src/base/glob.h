/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * Shell patterns as udev matches them: * ? [a-z] [!a-z], and "|" between
 * alternatives.  A backslash takes the next character literally.  The whole
 * text must match.  Linear in the text for each "*": no pattern can hang.
 */
bool glob_match(const char *pattern, const char *text);

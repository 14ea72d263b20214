/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"

/*
 * Kernel parameters as the kernel splits them (lib/cmdline.c, next_arg()):
 * white space separates, double quotes keep it, and are taken off a value or
 * a whole word.  The same for the kernel's command line and for the options
 * of one module.
 */

struct cmdline_arg {
	const char *name;
	const char *value; /* NULL: given without "=" */
};

struct cmdline {
	VEC(struct cmdline_arg) args;
};

/* "--" is an argument like any other. */
void cmdline_parse(struct arena *arena, const char *text, struct cmdline *ret);

/* Are two parameter names the same to the kernel?  "-" and "_" are equal. */
bool cmdline_name_equal(const char *a, const char *b);

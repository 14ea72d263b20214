/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/command.h"

/* All of these return an exit code. */

/* Help for one command, or the overview for NULL, to stdout. */
int help_print(const struct command *command, unsigned int width);
int help_version(void);
/* Nothing was asked: the overview goes to stderr. */
int help_missing(void);
int help_unknown(const char *name, const char *near, struct err *err);

/* The i-th option of a command, those of every command last; or NULL. */
const struct opt *command_opt(const struct command *command, size_t i);

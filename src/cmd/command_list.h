/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/command.h"

/*
 * Every command, one row each, in the order of "nvmetune help".  C(x) stands
 * for "const struct command command_x" in cmd/x.c.
 */
/* clang-format off */
#define COMMAND_LIST(C) \
	C(status) \
	C(plan) \
	C(apply) \
	C(verify) \
	C(rollback) \
	C(history) \
	C(bench) \
	C(confirm) \
	C(run) \
	C(capture) \
	C(profile) \
	C(explain) \
	C(device) \
	C(help) \
	C(manual)
/* clang-format on */

#define COMMAND_DECLARE(id) extern const struct command command_##id;
COMMAND_LIST(COMMAND_DECLARE)
#undef COMMAND_DECLARE

struct command_set {
	const struct command *const *items;
	size_t n;
};

const struct command_set *commands_all(void);

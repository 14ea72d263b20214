/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"

/* "profile check --foreign FILE...": an exit code, 1 with findings. */
int profile_foreign(struct context *ctx, int argc, char **argv,
		    struct err *err);

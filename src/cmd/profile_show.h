/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"

/* "nvmetune profile show NAME": an exit code. */
int profile_show(struct context *ctx, const char *name, struct err *err);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"

/*
 * "apply --resume", under the lock: finish the transaction that a crash left
 * open.  Returns an exit code: EXIT_OPEN when it cannot be finished and is to
 * be rolled back; EXIT_FAILED when it failed, and is undone.
 */
int apply_resume(struct context *ctx, struct err *err);

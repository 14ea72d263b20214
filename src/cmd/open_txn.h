/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"

/*
 * -EBUSY with the sentence when a transaction is open, half undone or
 * damaged: nothing new may begin.  0 also where only root could tell.
 */
int open_txn_check(struct context *ctx, struct err *err);

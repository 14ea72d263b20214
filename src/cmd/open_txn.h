/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"

/*
 * -EBUSY with the sentence when a transaction is open, half undone or
 * damaged: nothing new may begin.  Who only looks is told 0 also where he may
 * not see; who is going to write has to.
 */
int open_txn_check(struct context *ctx, bool only_looks, struct err *err);

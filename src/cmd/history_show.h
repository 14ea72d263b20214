/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"
#include "write/journal.h"

/* Every step of one transaction, in the format of the options. */
int history_show(struct context *ctx, const struct journal *journal,
		 struct err *err);

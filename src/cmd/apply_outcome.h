/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/confirm.h"
#include "cmd/provisional.h"
#include "write/execute.h"

/* What came of an apply, and how it is shown. */
struct apply_outcome {
	struct execute_result result;
	struct confirm confirm;
	bool confirms; /* --confirm, --trial */
	bool has_boots;
	struct provisional boots; /* what --confirm leaves to a reboot */
};

/* Writes the result to stdout, and returns the exit code that follows. */
int apply_finish(const struct context *ctx,
		 const struct apply_outcome *outcome);

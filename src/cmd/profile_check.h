/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"
#include "core/facts.h"
#include "core/problems.h"
#include "core/profile.h"

/*
 * The mistakes that a profile's text does not show but a host does: module
 * parameters that this kernel lacks, values that would keep the module from
 * loading.  Good for a profile with mistakes too: all are told in one run.
 */
void profile_check_host(struct arena *arena, const struct facts *facts,
			const struct profile *profile,
			struct problems *problems);

/* "nvmetune profile check NAME...": an exit code. */
int profile_check(struct context *ctx, int argc, char **argv, struct err *err);

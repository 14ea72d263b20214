/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/vec.h"
#include "cmd/load.h"
#include "core/health.h"

/*
 * Heat and links of the drives of a load, asked at the borders of a
 * measurement's blocks: one SMART command to each controller.
 */

struct heat_drive {
	const struct ctrl *ctrl;
	struct health last;
};

struct heat {
	const struct sysroot *root;
	VEC(struct heat_drive) drives; /* each controller once */
};

/* Asks nobody yet.  The load's facts are borrowed. */
void heat_init(struct heat *heat, struct arena *arena,
	       const struct sysroot *root, const struct load *load);

/* Why what lies between the last look and this one says more of heat or a
 * link than of anything else; NULL: nothing was seen. */
const char *heat_look(struct heat *heat);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/plan.h"

/*
 * What each owned file is to hold, against what it holds now: fills
 * plan->files, all owned files always, in a fixed order.  applied tells what
 * we left there (NULL: nothing yet); a file without our mark, or that
 * somebody changed since, is a conflict.  One of ours that differs only in
 * comments is the same: where a setting was asked may move from line to line.
 */
void render_files(struct arena *arena, const struct facts *facts,
		  const struct applied *applied, struct plan *plan);

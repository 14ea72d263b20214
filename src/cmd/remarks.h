/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "core/plan.h"

/*
 * One advice for the eye, in the arena: "nvme0, nvme1: the slot is ...".
 * What is said of several drives is one sentence, at the first of them; NULL
 * for the others.
 */
const char *remark_text(struct arena *arena, const struct plan *plan,
			size_t nr);

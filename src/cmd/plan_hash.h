/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/plan.h"
#include "sys/hash.h"

/*
 * What tells this plan from any other: the SHA-256 of its JSON text, so that
 * "nvmetune plan --format json | sha256sum" says the same.
 */
void plan_hash(struct arena *arena, const struct plan *plan,
	       const struct facts *facts, char ret[HASH_TEXT_SIZE]);

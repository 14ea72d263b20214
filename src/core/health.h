/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

struct strbuf;

/*
 * The bits of "critical warning" in the SMART log as words, ", " between
 * them (NVMe Base 2.0, figure 207); "ok" for 0.
 */
void health_to_text(int64_t critical_warning, struct strbuf *out);

/* What a drive and its link say of themselves at one moment. */
struct health {
	struct smart smart;
	struct link link; /* now; unknown at most */
};

/*
 * Why a measurement between two moments says more of the drive's heat or its
 * link than of anything else: it throttled, it warns of its temperature, its
 * link changed.  Words that stay; NULL: nothing of the kind was seen.
 */
const char *health_change(const struct health *before,
			  const struct health *after);

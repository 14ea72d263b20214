/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/confirm.h"

/* "CONFIRMED", "REJECTED (too small)", "PROVISIONAL", "NOT MEASURABLE"; NULL:
 * none of its own, or none yet. */
const char *confirm_verdict_text(const struct confirm_unit *unit,
				 struct arena *arena);

/* Why it has that verdict or is kept in spite of it, as a sentence without a
 * period; NULL: the figures say it. */
const char *confirm_why(const struct confirm_unit *unit,
			const struct decide_rule *rule, struct arena *arena);

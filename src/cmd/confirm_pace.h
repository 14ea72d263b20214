/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/confirm.h"

/*
 * How the reads are spaced that are to find a unit's drives asleep, and how
 * long a slice of them is; of what shows under load, the usual.
 */
struct confirm_pace {
	uint32_t gap_ms; /* 0: one after another */
	uint32_t settle_ms;
	uint32_t measure_ms;
	/* Drives that are not sure to be asleep then, or NULL: it was cut, and
	 * nobody knows when they would be. */
	const char *cut;
	const char *unknown;
};

struct confirm_pace confirm_pace_of(const struct confirm *confirm,
				    const struct confirm_unit *unit);

/* Behind the method: ", 150 ms apart"; "" under load. */
const char *confirm_pace_text(struct arena *arena,
			      const struct confirm_pace *pace);

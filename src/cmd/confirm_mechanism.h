/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/mechanism.h"
#include "cmd/confirm.h"
#include "cmd/confirm_arms.h"

/*
 * What of a unit's change shows in the interrupts of the drives that are read
 * for it, beside that it reads back.
 */
struct confirm_mechanism {
	bool shows; /* something of it does */
	/* Cell by cell; with a command there are none. */
	const char **names;
	struct interrupt_shift *shifts;
	size_t n;
};

/* From the steps in which the arms differ; those that a drive refused are none
 * of them. */
void confirm_mechanism_find(const struct confirm *confirm,
			    const struct confirm_unit *unit,
			    const struct confirm_arms *arms,
			    struct confirm_mechanism *ret);

/* As a sentence without a period: what was looked at, and what it did. */
const char *confirm_mechanism_text(struct arena *arena,
				   const struct confirm_mechanism *it,
				   const struct mechanism *seen);

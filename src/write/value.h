/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "write/journal.h"

/*
 * One value of a step, written and read back: what apply and the device helper
 * have in common.  Where it was written down before is the caller's business.
 */

struct err;
struct sysroot;

/*
 * Write step->after to the attribute at path and read it back into left.
 * nudge: see attr_write_nudged().  "Accepted and ignored" is -EPROTO, or
 * -EOPNOTSUPP where the knob may be refused; a drive that did not take what
 * the kernel took is -EOPNOTSUPP.
 */
int value_write(const struct sysroot *root, const struct step *step,
		const char *path, bool nudge, char left[VALUE_TEXT_SIZE],
		struct err *err);

/* -ENODEV, a refusal, when it is not the drive of the step any more. */
int value_check_drive(const struct sysroot *root, struct arena *arena,
		      const struct step *step, struct err *err);

/* The kernel or the drive does not do it, which is no failure. */
bool value_is_refused(const struct step *step, int code);

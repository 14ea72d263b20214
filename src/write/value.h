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

/* An earlier step of the list that was done on the same disk may have moved the
 * value without the attribute showing it.  step is one of the list. */
bool value_needs_nudge(const struct step_list *list, const struct step *step);

/* Does the attribute at path read as text, as the knob compares values? */
bool value_reads_as(const struct sysroot *root, const struct step *step,
		    const char *path, const char *text);

/* The kernel or the drive does not do it, which is no failure. */
bool value_is_refused(const struct step *step, int code);

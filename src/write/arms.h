/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "write/journal.h"

/*
 * The values of an open transaction, switched between before and after while
 * something is measured.  Single switches are not journaled: the journal has
 * the values of before, and whatever ends the transaction but a commit brings
 * them back.
 */

struct err;
struct sysroot;

enum arm {
	ARM_BEFORE,
	ARM_AFTER,
};

struct arms {
	const struct sysroot *root;
	struct step_list *list;
	const char *const *paths; /* of the attribute of each step */
};

/*
 * Write every value of one arm, in the order of the steps, and read all of
 * them back.  Values that are there already are written too, so that both
 * arms cost the same.  What the kernel refused when it was applied is left
 * out.  -ESTALE: another drive has the name of one of them now.
 */
int arms_switch(const struct arms *arms, enum arm arm, struct err *err);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "write/journal.h"

/*
 * The values of an open transaction, switched to and fro while something is
 * measured.  Single switches are not journaled: the journal has the values of
 * before, and whatever ends the transaction brings them back.
 */

struct err;
struct sysroot;

struct arms {
	const struct sysroot *root;
	struct step_list *list;
	const char *const *paths; /* of the attribute of each step */
};

/*
 * An arm says for each step what its attribute is to read: the text, or NULL
 * for what the kernel makes of it (see steps_wanted()).
 *
 * Write all of them, in the order of the steps, and read them back in the end.
 * Values that are there already are written too, so that both arms cost the
 * same.  -ESTALE: another drive has the name of one of them now.  -EPROTO:
 * accepted, but it does not stand.  Others are of the write that failed.
 * *ret_failed (may be NULL) is the step, NULL where it is of a drive, and
 * value_is_refused() tells whether the kernel or the drive does not do it.
 */
int arms_set(const struct arms *arms, const char *const *wanted,
	     const struct step **ret_failed, struct err *err);

/* Do they still read so?  -EPROTO: one does not, err says which. */
int arms_check(const struct arms *arms, const char *const *wanted,
	       struct err *err);

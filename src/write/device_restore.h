/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/knob.h"
#include "write/history.h"
#include "write/restore.h"

/*
 * Bring back what the device helper found on drives that came after apply,
 * under the profiles of transaction down_to and all behind it, which are undone
 * now.  history is as it was before.  Where a journal has the value of before
 * too, that is the older one and was brought back already.
 *
 * Notes that are done with are removed; those of which something failed or is
 * in conflict stay, for a rollback by force.  Counts are added to *count.
 */
int device_restore(struct arena *arena, const struct restore *restore,
		   const struct history *history, const struct knob_set *knobs,
		   unsigned int down_to, struct restore_count *count,
		   struct err *err);

/*
 * What the helper set on such drives under profiles that stand, as if their
 * transactions had: so that another profile, which does not speak of it, brings
 * it back.
 */
void device_add_applied(const struct sysroot *root, struct arena *arena,
			const struct history *history,
			const struct knob_set *knobs, struct applied *applied);

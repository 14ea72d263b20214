/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/confirm.h"

/* What there is to be confirmed in a plan, and profiles of a part of it. */

/* Fills units. */
void confirm_find_units(struct confirm *confirm);

/*
 * Behind load_open(): what would hide from the watch over a drive in use that
 * its users wait is not measured there.  Sets unfit.
 */
void confirm_spare_users(struct confirm *confirm);

/* Can its effect be seen while it is switched to and fro? */
bool confirm_can_measure(const struct confirm_unit *unit);

/* Controllers and disks that the measurable units work on. */
struct drives confirm_drives(const struct confirm *confirm);

/* Does the unit work on this drive?  What is host-wide works on all. */
bool confirm_unit_has(const struct confirm *confirm,
		      const struct confirm_unit *unit,
		      const struct load_drive *drive);

/* The controller of a knob's target, also of one of its vectors; NULL: it is
 * none's alone. */
const struct ctrl *confirm_ctrl_of(const struct confirm *confirm,
				   const struct knob *knob,
				   const struct target *target);

typedef bool confirm_choice(const struct confirm_unit *unit, const void *data);

/*
 * The profile with those of the measurable units that has chooses; with or
 * without all others.
 */
const struct profile *confirm_profile_with(const struct confirm *confirm,
					   bool measurable_only,
					   confirm_choice *has,
					   const void *data);

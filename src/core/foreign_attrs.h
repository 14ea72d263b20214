/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/rules.h"

/*
 * What is wrong with rules that set attributes of a controller, its PCI
 * function, its subsystem or a CPU; core/foreign_rules.c has those of disks.
 * They are tried on a made-up device of each kind and on one that is none of
 * ours.
 */

struct foreign_attrs;

struct foreign_attrs *foreign_attrs_new(struct arena *arena,
					const struct rule_set *set);

struct foreign_findings {
	VEC(const char *) lines; /* sentences */
};

/* Of the nr-th rule of the set. */
struct foreign_findings foreign_attrs_look(const struct foreign_attrs *attrs,
					   size_t nr);

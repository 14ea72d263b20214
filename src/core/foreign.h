/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"
#include "core/problems.h"
#include "core/rules.h"

/*
 * What is wrong with somebody else's udev rules or module options, where they
 * are about NVMe drives.  One line a finding: "FILE:LINE: sentence".
 */

/* All rules of one file, text and line set; those that udev ignores too. */
struct foreign_rules {
	const char *file;
	VEC(struct rule) lines;
};

/* facts: their disks are tried beside names made up; NULL: there are none. */
void foreign_rules_check(struct arena *arena, const struct foreign_rules *rules,
			 const struct facts *facts, struct problems *findings);

/* Options in the order of the file; all of them, for any module. */
struct foreign_options {
	const char *file;
	VEC(struct module_option) options;
};

/* facts: their kernel's parameters and CPUs count; NULL: none are known. */
void foreign_options_check(struct arena *arena,
			   const struct foreign_options *options,
			   const struct facts *facts,
			   struct problems *findings);

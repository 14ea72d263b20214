/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"
#include "core/rules.h"
#include "sys/sysroot.h"

/*
 * Assignments of attributes in the udev rules, in the order in which udev
 * reads them: what stands there, not what it comes to.  Of a file that has one
 * the lines with GOTO or LABEL are in the list too, without an attribute.
 */
struct udev_assignment {
	struct rule_line line;
	/* The patterns of a KERNEL== and a SUBSYSTEM== on the same line, or
	 * NULL. */
	const char *kernel;
	const char *subsystem;
};

struct udev_rules {
	VEC(struct udev_assignment) assignments;
	VEC(const char *) unreadable; /* files */
};

/* Attributes whose name is one of names or, for those that end with "/",
 * starts with one, behind any number of "device/"; names ends with NULL. */
void udev_rules_read(const struct sysroot *root, struct arena *arena,
		     const char *const *names, struct udev_rules *ret);

/* Every rule of one text, which is cut up: text and line of each, no tokens. */
struct udev_lines {
	VEC(struct rule) rules;
};

void udev_rules_split(struct arena *arena, const char *path, char *text,
		      struct udev_lines *ret);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"
#include "sys/sysroot.h"

/*
 * Module options in modprobe.d, in the order in which libkmod gives them to
 * a module, each with its file and line: libkmod has no lines, and reads the
 * running host whatever the root.  The kernel's command line, which counts
 * after these, is not in here.
 */
struct modprobe_conf {
	VEC(struct module_option) options;
	/* In files whose names have no suffix at all, which libkmod passes
	 * over; what was renamed to be out of the way (.bak) is left out. */
	VEC(struct module_option) ignored;
	VEC(const char *) unreadable; /* files */
};

void modprobe_conf_read(const struct sysroot *root, struct arena *arena,
			struct modprobe_conf *ret);

/* The options of one text, which is cut up; path is only told. */
void modprobe_conf_parse(struct arena *arena, const char *path, char *text,
			 struct modprobe_conf *ret);

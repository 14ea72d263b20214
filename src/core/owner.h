/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * The files that are nvmetune's alone.  Their names never change: a rule
 * file's place in udev's order, and what an administrator looks for, depend
 * on them.
 */
#define OWNER_RULES "/etc/udev/rules.d/90-nvmetune.rules"
#define OWNER_OPTIONS "/etc/modprobe.d/nvmetune.conf"
#define OWNER_APPLIED "/etc/nvmetune/applied.ini"

/*
 * Whose file it is: every file that nvmetune writes carries this at the start
 * of its first line, or of the second behind "#!".  What lies at one of our
 * paths without it is somebody else's and is never overwritten.
 */
#define OWNER_MARK "# Written by nvmetune"

bool owner_is_us(const char *content); /* NULL: absent, so nobody's: false */

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/*
 * The files that are nvmetune's alone.  Their names never change: a rule
 * file's place in udev's order, and what an administrator looks for, depend
 * on them.
 */
#define OWNER_RULES "/etc/udev/rules.d/90-nvmetune.rules"
#define OWNER_OPTIONS "/etc/modprobe.d/nvmetune.conf"
#define OWNER_SYSCTL "/etc/sysctl.d/90-nvmetune.conf"
#define OWNER_WORDS "/etc/default/grub.d/nvmetune.cfg"
#define OWNER_APPLIED "/etc/nvmetune/applied.ini"
#define OWNER_IRQBALANCE "/etc/nvmetune/irqbalance.env"

/* Below it, systemd reads what we write for a unit: UNIT.d/50-nvmetune.conf. */
#define OWNER_UNITS "/etc/systemd/system/"
#define OWNER_DROP_IN "50-nvmetune.conf"
#define OWNER_IRQBALANCE_UNIT OWNER_UNITS "irqbalance.service.d/" OWNER_DROP_IN

/* Where the scripts of wrappers are. */
#define OWNER_SCRIPTS "/usr/local/bin/"

/*
 * The packaged rule that runs the device helper lies in /usr/lib: a file of
 * this name in /etc would mask it, so none of ours has it.
 */
#define OWNER_HELPER_RULE "91-nvmetune-device.rules"

/*
 * Whose file it is: every file that nvmetune writes carries this at the start
 * of its first line, or of the second behind "#!".  What lies at one of our
 * paths without it is somebody else's and is never overwritten.
 */
#define OWNER_MARK "# Written by nvmetune"
#define OWNER_FROM OWNER_MARK " from profile " /* NAME "." */

/* The unit that a path below OWNER_UNITS is about, "irqbalance.service"; NULL
 * for any other path. */
char *owner_unit(struct arena *arena, const char *path);

/* Our drop-in of a unit: the other way round. */
char *owner_drop_in(struct arena *arena, const char *unit);

/* The wrapper whose script this path is, or NULL. */
const char *owner_wrapper(const char *path);

bool owner_is_us(const char *content); /* NULL: absent, so nobody's: false */

/* The name of the profile it was written from, or NULL. */
char *owner_profile(struct arena *arena, const char *content);

/*
 * Do two files of ours say the same but for their comments ("#" first), which
 * tell from where it was asked?  NULL equals only NULL.
 */
bool owner_same_lines(const char *a, const char *b);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * What a change of modprobe.d still needs from the user, as sentences with
 * the exact commands.
 */

/*
 * The command that rebuilds the initramfs with this tool for this kernel;
 * NULL when there is no tool, or an unknown one.  kernel may be NULL.
 */
const char *needed_initramfs(struct arena *arena, const char *tool,
			     const char *kernel);

/*
 * "still needed: \"dracut -f\", then a reload of the nvme module or a reboot"
 * and a newline.  needs: enum need; command NULL: there is no initramfs to
 * rebuild.
 */
void needed_put(struct strbuf *out, unsigned int needs, const char *command);

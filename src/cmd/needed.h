/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "core/facts.h"

/*
 * What changes of files still need from the user, as sentences with the exact
 * commands.
 */

/*
 * The command that rebuilds the initramfs with this tool for this kernel;
 * NULL when there is no tool, or an unknown one.  kernel may be NULL.
 */
const char *needed_initramfs(struct arena *arena, const char *tool,
			     const char *kernel);

/* What is needed, and of whom. */
struct needed {
	unsigned int needs;  /* enum need */
	const char *command; /* NULL: there is no initramfs to rebuild */
	const char *units;   /* to restart: "irqbalance.service", or NULL */
};

/* The same for the host that the facts are of, or for each kernel of an image. */
const char *needed_rebuild(struct arena *arena, const struct facts *facts);

/*
 * "\"dracut -f\", then a reload of the nvme modules, or a reboot", or NULL when
 * nothing is.
 */
char *needed_text(struct arena *arena, const struct needed *needed);

/* "still needed: ..." and a newline, or nothing. */
void needed_put(struct strbuf *out, const struct needed *needed);

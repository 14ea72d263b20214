/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/facts.h"

/*
 * The arguments of irqbalance, as text.  It is told to leave vectors alone by
 * the name of their driver (--banmod=nvme): numbers of interrupts change from
 * boot to boot.
 */

#define IRQBALANCE_BAN "--banmod=nvme"

/* Do these arguments ban the vectors of NVMe controllers?  irqbalance takes a
 * name for banned that has the given one anywhere in it.  NULL: no. */
bool irqbalance_bans_nvme(const char *arguments);

/*
 * The same arguments with the ban: its own words in their order, then each
 * --banirq= and --banmod= once and sorted, since some hosts write theirs in
 * another order at each boot.  Done twice it is as done once.
 */
char *irqbalance_add_ban(struct arena *arena, const char *arguments);

/*
 * Why no drop-in of ours can give irqbalance another argument here, as half a
 * sentence in the arena; NULL: one can.
 */
const char *irqbalance_barred(struct arena *arena, const struct facts *facts);

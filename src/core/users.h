/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

/*
 * Who uses a PCIe drive of this host, so that nvme must stay loaded: a
 * sentence in the arena, or NULL when no mount, no swap space, no md, dm or
 * the like is seen.  A program that has a drive open is not in the facts.
 */
const char *users_of_drives(struct arena *arena, const struct facts *facts);

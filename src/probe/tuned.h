/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "probe/scan.h"

/* What the active tuned profile and those it includes write, into writers. */
void tuned_scan(struct scan *scan);

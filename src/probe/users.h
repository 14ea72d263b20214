/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

struct scan;

/* Who uses each disk of facts: holders, mounts, swap. */
void users_scan(struct scan *scan);

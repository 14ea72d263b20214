/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/bench_result.h"

struct bench_epoch;

/* Add what one worker did to the slice of its group, whose elapsed_ns is a sum
 * until all are in. */
void collect_epoch(struct bench_slice *slice, const struct bench_epoch *epoch);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "core/bench_result.h"

struct arena;
struct err;

/*
 * What "fio --output-format=json+ --group_reporting --lat_percentiles=1" prints
 * of one job that reads, as a slice: counts, rate, latencies from submission
 * to completion as far as fio's buckets tell them, CPU time of its threads.
 * What it does not count is 0.  -EBADMSG: it is none, or fio failed.
 */
int fio_slice_from_json(struct arena *arena, const char *text, size_t len,
			struct bench_slice *ret, struct err *err);

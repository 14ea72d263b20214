/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

struct context;
struct err;

/* "bench --result FILE": judge what was measured before. An exit code. */
int bench_saved(struct context *ctx, struct err *err);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

struct bench_page;

/*
 * What the cells are of the limits around them: the drive's link, and what
 * rings alone can on a CPU, which is measured here.
 */
void bench_share_judge(struct bench_page *page);

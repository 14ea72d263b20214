/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

struct bench_page;

/* What the cells are of the limits around them: the drive's link. */
void bench_share_judge(struct bench_page *page);

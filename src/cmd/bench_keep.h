/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

struct arena;
struct bench_matrix;
struct bench_page;
struct err;

/* What becomes of a result beside its output: -o DIR and --baseline NAME. */

/* "2026-11-30T19:05:00Z", now. */
const char *bench_date(struct arena *arena);

/* Before anything is measured: an exit code. */
int bench_keep_check(struct bench_page *page, struct err *err);

/*
 * Can the result be compared with the baseline, or become it?  Behind
 * context_facts(), and again whenever more is known: the drives that are open,
 * the methods of the cells.
 */
int bench_keep_look(struct bench_page *page, const struct bench_matrix *matrix,
		    struct err *err);

/*
 * Write the result into the folder, under a name made of its labels and never
 * over a file; compare it with the baseline, which goes into page->against, or
 * make it the baseline where there is none of that name.
 */
int bench_keep(struct bench_page *page, struct err *err);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/bench_mode.h"

/* What all modes that visit cells do alike. */

/* Drives, cells, slices, outputs; returns an exit code. */
int bench_page_run(struct bench_page *page, int argc, char **argv,
		   struct err *err);

/* Visit what is wanted so far, and forget that it is: a pilot. */
int bench_page_measure(struct bench_page *page, uint32_t passes,
		       struct bench_matrix *ret, struct err *err);

/* The whole result as it is shown and kept, into an empty buffer. */
void bench_page_json(const struct bench_page *page, struct strbuf *out);

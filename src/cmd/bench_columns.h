/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/table.h"
#include "core/bench_result.h"

/* A cell of the matrix and what its columns say. */
struct bench_row {
	const struct bench_matrix *matrix;
	const struct bench_cell *cell;
};

extern const struct column bench_columns[];

/* "87 us", "1.3 ms": two or three digits that mean something. */
void bench_time_text(uint64_t ns, struct strbuf *out);

/* "1.12" of 1120. */
void bench_ratio_text(int64_t ppt, struct strbuf *out);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/table.h"
#include "core/bench_result.h"

/*
 * The columns that modes of bench choose from.  A mode's table is a list of
 * these rows, which ends with one without name.
 */

/* A row of such a table. */
struct bench_row {
	const struct bench_matrix *matrix;
	const struct bench_cell *cell;
	const struct facts *facts; /* of the host as it was before */
};

void bench_get_drive(const void *row, struct cell *cell);
void bench_get_label(const void *row, struct cell *cell);
void bench_get_node(const void *row, struct cell *cell);
void bench_get_near(const void *row, struct cell *cell);
void bench_get_jobs(const void *row, struct cell *cell);
void bench_get_depth(const void *row, struct cell *cell);
void bench_get_iops(const void *row, struct cell *cell);
void bench_get_iops_low(const void *row, struct cell *cell);
void bench_get_iops_high(const void *row, struct cell *cell);
void bench_get_iops_min(const void *row, struct cell *cell);
void bench_get_iops_max(const void *row, struct cell *cell);
void bench_get_spread(const void *row, struct cell *cell);
void bench_get_mbs(const void *row, struct cell *cell);
void bench_get_mean(const void *row, struct cell *cell);
void bench_get_p50(const void *row, struct cell *cell);
void bench_get_p95(const void *row, struct cell *cell);
void bench_get_p99(const void *row, struct cell *cell);
void bench_get_p999(const void *row, struct cell *cell);
void bench_get_of_local(const void *row, struct cell *cell);
void bench_get_of_link(const void *row, struct cell *cell);
void bench_get_of_ceiling(const void *row, struct cell *cell);
void bench_get_cores(const void *row, struct cell *cell);
void bench_get_fio(const void *row, struct cell *cell);
void bench_get_of_fio(const void *row, struct cell *cell);
void bench_get_remark(const void *row, struct cell *cell);

/* clang-format off */
#define BENCH_DRIVE { "drive", "DRIVE", bench_get_drive, COLUMN_KEY, 0 }
#define BENCH_LABEL(header) \
	{ "label", header, bench_get_label, COLUMN_KEY, 0 }
#define BENCH_NODE \
	{ "node", "NODE", bench_get_node, COLUMN_KEY | COLUMN_RIGHT, 0 }
#define BENCH_NEAR { "near", "IS", bench_get_near, COLUMN_SPARSE, 0 }
#define BENCH_JOBS { "jobs", "JOBS", bench_get_jobs, COLUMN_RIGHT, 0 }
#define BENCH_QD { "depth", "QD", bench_get_depth, COLUMN_RIGHT, 0 }
#define BENCH_IOPS { "iops", "IOPS", bench_get_iops, COLUMN_RIGHT, 0 }
#define BENCH_MOST \
	{ "iops_min", "LEAST", bench_get_iops_min, COLUMN_DATA, 0 }, \
	{ "iops_max", "MOST", bench_get_iops_max, COLUMN_DATA, 0 }
#define BENCH_RANGE \
	{ "iops_low", "LOW", bench_get_iops_low, COLUMN_RIGHT, 0 }, \
	{ "iops_high", "HIGH", bench_get_iops_high, COLUMN_RIGHT, 0 }, \
	{ "spread_ppt", "SPREAD", bench_get_spread, COLUMN_RIGHT, 0 }
#define BENCH_MBS { "mbs", "MB/S", bench_get_mbs, COLUMN_RIGHT, 0 }
#define BENCH_MEAN { "mean_ns", "MEAN", bench_get_mean, COLUMN_RIGHT, 0 }
#define BENCH_P50 { "p50_ns", "P50", bench_get_p50, COLUMN_RIGHT, 0 }
#define BENCH_P95 { "p95_ns", "P95", bench_get_p95, COLUMN_RIGHT, 0 }
#define BENCH_P99 { "p99_ns", "P99", bench_get_p99, COLUMN_RIGHT, 0 }
#define BENCH_P999 { "p999_ns", "P99.9", bench_get_p999, COLUMN_RIGHT, 0 }
#define BENCH_OF_LOCAL \
	{ "of_local_ppt", "OF LOCAL", bench_get_of_local, \
	  COLUMN_RIGHT | COLUMN_SPARSE, 0 }
/* Where the limits are that no setting moves; and at which cost. */
#define BENCH_SHARES \
	{ "of_link_ppt", "OF LINK", bench_get_of_link, \
	  COLUMN_RIGHT | COLUMN_SPARSE, 0 }, \
	{ "of_ceiling_ppt", "OF CEILING", bench_get_of_ceiling, \
	  COLUMN_RIGHT | COLUMN_SPARSE, 0 }, \
	{ "cores_per_100k_milli", "CORES/100K", bench_get_cores, \
	  COLUMN_RIGHT | COLUMN_SPARSE, 0 }, \
	{ "fio_iops", "FIO", bench_get_fio, COLUMN_RIGHT | COLUMN_SPARSE, 0 }, \
	{ "of_fio_ppt", "OF FIO", bench_get_of_fio, \
	  COLUMN_RIGHT | COLUMN_SPARSE, 0 }
#define BENCH_REMARK \
	{ "remark", "", bench_get_remark, COLUMN_SPARSE | COLUMN_TEXT, 0 }
#define BENCH_COLUMNS_END { .name = NULL }
/* clang-format on */

/* A measured number, or none of a cell that was skipped. */
void bench_put_number(const void *row, struct cell *cell, uint64_t number);

/* "87 us", "1.3 ms": two or three digits that mean something. */
void bench_time_text(uint64_t ns, struct strbuf *out);

/* "1.12" of 1120. */
void bench_ratio_text(int64_t ppt, struct strbuf *out);

/* "37.1 %" of 371. */
void bench_percent_text(int64_t ppt, struct strbuf *out);

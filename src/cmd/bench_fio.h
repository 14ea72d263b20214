/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/bench_mode.h"

/*
 * --engine fio: after nvmetune has measured, fio reads the same cells, as many
 * slices of the same length in an order of the same kind, and both are set
 * side by side.
 */

/* An exit code: the option may be wrong. */
int bench_fio_check(const struct bench_page *page, struct err *err);

/* Cells get their check; -EOPNOTSUPP: there is no fio. */
int bench_fio_run(struct bench_page *page, struct err *err);

void bench_fio_put(const struct bench_page *page, struct strbuf *out);
void bench_fio_to_json(const struct bench_page *page, struct json_writer *json);

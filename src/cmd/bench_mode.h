/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/cells.h"
#include "cmd/bench_columns.h"
#include "cmd/context.h"
#include "cmd/load.h"
#include "cmd/table.h"
#include "json/bench_against.h"
#include "json/write.h"

/*
 * A mode of "nvmetune bench" is one file and one row in the list below: which
 * cells it visits, in which shape, and what it says of them.  Everything else
 * (drives, order, slices, outputs, files) is the same for all.
 */

struct bench_page {
	struct context *ctx;
	const struct bench_mode *mode;
	const struct bench_scenario *scenario; /* of the mode of that name */
	const char *date; /* "2026-11-30T19:05:00Z", when it was measured */
	struct load load;
	VEC(struct bench_want) wants;
	struct bench_matrix matrix;
	uint64_t ceiling; /* of rings alone on one CPU, a second; 0: unknown */
	VEC(struct bench_row) rows;
	/* With --baseline, where there was one. */
	const struct bench_steps *against;
};

/* What counts where the user says nothing. */
struct bench_usual {
	unsigned int passes;
	unsigned int seconds;
	unsigned int jobs;
	unsigned int depth;
};

struct bench_mode {
	const char *name; /* "sweep" */
	const struct column *columns;
	struct bench_usual usual;
	/* Long options that only these modes take; ends with NULL. */
	const char *const *own;
	/* Take what is no drive from the operands; NULL: all are drives.
	 * Returns an exit code. */
	int (*operands)(struct bench_page *page, int *argc, char ***argv,
			struct err *err);
	/* Something without cells, that does its own output; returns an exit
	 * code.  NULL: cells it is. */
	int (*instead)(struct bench_page *page, int argc, char **argv,
		       struct err *err);
	/* Fills wants. */
	int (*cells)(struct bench_page *page, struct err *err);
	/* Marks cells that stand out; NULL: none does. */
	void (*mark)(struct bench_page *page);
	/* What follows from the cells, in words and as members; both may be
	 * NULL. */
	void (*put)(const struct bench_page *page, struct strbuf *out);
	void (*json)(const struct bench_page *page, struct json_writer *json);
};

/* clang-format off */
#define BENCH_MODE_LIST(M) \
	M(matrix) \
	M(sweep) \
	M(scenario) \
	M(sizes) \
	M(rate) \
	M(ceiling) \
	M(compare)
/* clang-format on */

#define BENCH_MODE_DECLARE(id) extern const struct bench_mode bench_mode_##id;
BENCH_MODE_LIST(BENCH_MODE_DECLARE)
#undef BENCH_MODE_DECLARE

/* The place from which a drive is read where no node is asked for: its own. */
const struct bench_place *bench_page_place(const struct bench_page *page,
					   size_t drive);

/* One more cell; without a place it is read from the drive's own. */
void bench_page_want(struct bench_page *page, const struct bench_want *want);

/* How many jobs such a cell will have. */
uint32_t bench_page_jobs(const struct bench_page *page, size_t drive);

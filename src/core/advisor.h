/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "core/plan.h"

/*
 * What matters but is no setting.  One row a check, in a file for each
 * subject; advice.c lists the files.  A check that cannot see enough says
 * nothing, and never infers from a kernel's release what can be looked at.
 */

/* Where a check puts what it has to say. */
struct advisor {
	struct arena *arena;
	const struct facts *facts;
	struct plan *plan;
	const struct advice_doc *doc;
};

/* Exactly one of the two checks is set. */
struct advice_row {
	struct advice_doc doc;
	void (*check_ctrl)(const struct advisor *advisor,
			   const struct ctrl *ctrl);
	void (*check_host)(const struct advisor *advisor);
};

struct advice_rows {
	const struct advice_row *rows;
	size_t n;
};

#define ADVICE_ROWS(table)                                               \
	{                                                                \
		.rows = (table), .n = sizeof(table) / sizeof((table)[0]) \
	}

extern const struct advice_rows advice_drive;
extern const struct advice_rows advice_idle;
extern const struct advice_rows advice_link;
extern const struct advice_rows advice_log;
extern const struct advice_rows advice_queue;
extern const struct advice_rows advice_samples;
extern const struct advice_rows advice_mount;
extern const struct advice_rows advice_boot;
extern const struct advice_rows advice_host;
extern const struct advice_rows advice_writer;

/* Say it: subject is a drive's name, or "host". */
void advise(const struct advisor *advisor, const char *subject, const char *fmt,
	    ...) __attribute__((format(printf, 3, 4)));

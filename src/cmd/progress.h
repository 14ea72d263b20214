/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * How far long work has come, on stderr: one line that is written over on a
 * terminal, no wider than that, a line each elsewhere.
 */
struct progress {
	bool is_terminal; /* one whose line can be written over */
	bool has_line;	  /* there is something to write over */
};

void progress_init(struct progress *progress);
void progress_tell(struct progress *progress, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Clear the line, before other talk and before the result. */
void progress_done(struct progress *progress);

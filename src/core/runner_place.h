/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "core/planner.h"
#include "core/runner.h"

/*
 * Where a service or wrapper is to run: from the drive that a profile names to
 * nodes, from these to CPUs and memory, and to the lines of a file.  What the
 * plan says of it is plan_runner.c's.
 */

/* One runner on its way into the plan. */
struct runner_placing {
	struct planner *planner;
	const struct runner *runner;
	struct runner_intent intent; /* path and is_service are the caller's */
	struct err err;
};

/*
 * Fill in the intent's binding and lines, and what it is about.  A negative
 * errno with the reason in placing->err; -ENOENT and -ENODATA: the drive, or
 * its node, is not known now.
 */
int runner_place(struct runner_placing *placing);

/* What lies at this path, one of ours, or NULL; its text, or NULL. */
const struct own_file *runner_file(const struct facts *facts, const char *path);
const char *runner_content(const struct facts *facts, const char *path);

/* Is this text, or NULL where there is no file, ours and has these lines? */
bool runner_is_written(const char *content, const char *lines);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/context.h"
#include "json/bench_against.h"

/* A saved result that the user named; the text is the arena's. */
int bench_file_read(struct context *ctx, const char *name,
		    struct saved_text *ret, struct err *err);

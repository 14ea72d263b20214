/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/ring.h"
#include "bench/trial.h"
#include "cmd/command.h"

/*
 * --block, --metric, --depth, --jobs, --time: the reads that changes are
 * measured under, and what is compared.
 */
struct confirm_shape {
	uint32_t block_bytes; /* 0: as the drive says */
	bool has_metric;      /* asked for: no pilot chooses it */
	enum bench_metric metric;
};

/* EXIT_DONE, or EXIT_USAGE with the sentence. */
int confirm_shape_read(const struct command *command,
		       const struct options *options, struct confirm_shape *ret,
		       struct err *err);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/cpuset.h"
#include "base/vec.h"
#include "core/facts.h"

/*
 * How many interrupts a drive's vectors raised between two looks, CPU by CPU:
 * what shows that something which works on them took hold.
 */

struct arena;
struct sysroot;

/* The vectors that are looked at. */
struct interrupts {
	struct cpuset possible; /* CPUs that the kernel counts on */
	VEC(int64_t) irqs;
};

/* Those that only this controller's queues use. */
void interrupts_add(struct arena *arena, const struct facts *facts,
		    const struct ctrl *ctrl, struct interrupts *interrupts);

struct interrupts_look {
	bool known; /* all of them could be read */
	/* Vector by vector, of each a number for each possible CPU. */
	VEC(uint64_t) counts;
};

/* Into look, which may hold an earlier one; its memory is the arena's. */
void interrupts_read(const struct sysroot *root, struct arena *arena,
		     const struct interrupts *interrupts,
		     struct interrupts_look *look);

/* Added up over the vectors.  False, and *ret untouched: not known, or a
 * counter was set back. */
bool interrupts_between(struct arena *arena,
			const struct interrupts *interrupts,
			const struct interrupts_look *before,
			const struct interrupts_look *after,
			struct cpu_counts *ret);

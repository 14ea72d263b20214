/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* In which order things are measured, from a seed: pure. */

struct arena;

/*
 * passes rows of n places: each row visits all n once, and in n rows each
 * comes once at every position (a Latin square of shuffled rows and
 * columns), so that a slow drift of the host weighs on all alike.
 */
void order_latin(struct arena *arena, uint64_t seed, size_t n, size_t passes,
		 size_t *order);

/*
 * blocks of four slices, each ABBA or BAAB by a toss: a steady drift cancels
 * within each block.  arms[] holds 4 * blocks of 0 (A) and 1 (B).
 */
void order_blocks(uint64_t seed, size_t blocks, int *arms);

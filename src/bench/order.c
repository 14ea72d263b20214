/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/order.h"

#include "base/arena.h"
#include "bench/random.h"

/* Streams beyond any worker's, so that offsets and orders are unrelated. */
#define STREAM_LATIN (UINT64_C(1) << 32)
#define STREAM_BLOCKS (UINT64_C(2) << 32)

/* Row k of the cyclic square is the places moved on by k. */
void order_latin(struct arena *arena, uint64_t seed, size_t n, size_t passes,
		 size_t *order)
{
	size_t *places = arena_array(arena, n, sizeof(*places));
	size_t *shifts = arena_array(arena, n, sizeof(*shifts));
	struct random random;

	random_seed(&random, seed, STREAM_LATIN);
	for (size_t i = 0; i < n; i++)
		places[i] = shifts[i] = i;
	for (size_t pass = 0; n && pass < passes; pass++) {
		if (pass % n == 0) { /* a new square */
			random_shuffle(&random, places, n);
			random_shuffle(&random, shifts, n);
		}
		for (size_t i = 0; i < n; i++)
			order[pass * n + i] =
				places[(i + shifts[pass % n]) % n];
	}
}

void order_blocks(uint64_t seed, size_t blocks, int *arms)
{
	struct random random;

	random_seed(&random, seed, STREAM_BLOCKS);
	for (size_t block = 0; block < blocks; block++) {
		int first = (int)random_below(&random, 2);
		int *slice = arms + 4 * block;

		slice[0] = slice[3] = first;
		slice[1] = slice[2] = !first;
	}
}

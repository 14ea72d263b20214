/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Numbers that repeat from a recorded seed.  random_next() is on the path of
 * every I/O: a xorshift with a period of 2^64 - 1, whose high bits are the
 * good ones, brought into a range by multiplication instead of a division.
 */

struct random {
	uint64_t state; /* never 0 */
};

/* Neighbouring seeds and streams give unrelated sequences (splitmix64). */
static inline void random_seed(struct random *random, uint64_t seed,
			       uint64_t stream)
{
	uint64_t z = seed + (stream + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	random->state = z ? z : 1;
}

/* x / 2^64 of range. */
static inline uint64_t random_scale(uint64_t x, uint64_t range)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)((wide)x * range >> 64);
#else
	return x % range; /* 32-bit machines: slower, as even */
#endif
}

/* 0 .. range - 1; range may be anything but 0. */
static inline uint64_t random_below(struct random *random, uint64_t range)
{
	uint64_t x = random->state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	random->state = x;
	return random_scale(x, range);
}

static inline void random_shuffle(struct random *random, size_t *items,
				  size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)random_below(random, i);
		size_t item = items[i - 1];

		items[i - 1] = items[j];
		items[j] = item;
	}
}

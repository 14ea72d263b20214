/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/vec.h"

#include <string.h>

void *vec_grow(struct arena *arena, void **items, size_t *n, size_t *cap,
	       size_t size)
{
	if (*n == *cap) {
		size_t bigger = *cap ? *cap * 2 : 4;
		void *moved = arena_array(arena, bigger, size);

		if (*n)
			memcpy(moved, *items, *n * size);
		*items = moved;
		*cap = bigger;
	}
	return (char *)*items + (*n)++ * size;
}

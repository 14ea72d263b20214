/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "base/arena.h"

/*
 * Growable arrays in an arena.
 *
 *	VEC(struct ctrl) ctrls;				zeroed is empty
 *	struct ctrl *ctrl = vec_add(arena, &ctrls);	zeroed new last item
 *	VEC_EACH(&ctrls, struct ctrl, it) use(it);
 *
 * Adding may move the items: pointers into a vec are good until the next
 * vec_add() to the same vec.
 */

/* clang-format off */
#define VEC(type) struct { type *items; size_t n; size_t cap; }
/* clang-format on */

/* A pointer to the new, zeroed last item, typed as the vec's items. */
#define vec_add(arena, vec)                                                \
	((__typeof__((vec)->items))vec_grow(arena, (void **)&(vec)->items, \
					    &(vec)->n, &(vec)->cap,        \
					    sizeof(*(vec)->items)))

#define VEC_EACH(vec, type, it) \
	for (type *it = (vec)->items; it && it < (vec)->items + (vec)->n; it++)

/* Behind vec_add() and for code that knows an item only by its size. */
void *vec_grow(struct arena *arena, void **items, size_t *n, size_t *cap,
	       size_t size) __attribute__((returns_nonnull));

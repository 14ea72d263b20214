/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

/*
 * Memory that lives as long as one command: facts, profile and plan come
 * from one arena and are released together.
 *
 * No function here returns NULL.  An arena that cannot grow ends the program
 * through assert(): everything a plan needs is allocated before the first
 * write, so nothing can be half done by that.
 */

struct arena;

struct arena *arena_new(void) __attribute__((returns_nonnull));
void arena_free(struct arena *arena); /* NULL is fine */
void arena_freep(struct arena **arena);

#define _cleanup_arena_ __attribute__((cleanup(arena_freep)))

/* Zeroed, aligned for any type.  size 0 gives a valid pointer. */
void *arena_alloc(struct arena *arena, size_t size)
	__attribute__((returns_nonnull, nonnull(1)));
void *arena_array(struct arena *arena, size_t n, size_t size)
	__attribute__((returns_nonnull, nonnull(1)));

char *arena_strdup(struct arena *arena, const char *text)
	__attribute__((returns_nonnull, nonnull(1, 2)));
char *arena_strndup(struct arena *arena, const char *text, size_t n)
	__attribute__((returns_nonnull, nonnull(1, 2)));
char *arena_printf(struct arena *arena, const char *fmt, ...)
	__attribute__((returns_nonnull, nonnull(1), format(printf, 2, 3)));

/* The next n bytes come out of memory that is already there. */
void arena_reserve(struct arena *arena, size_t n);

#define ARENA_NEW(arena, type) ((type *)arena_alloc(arena, sizeof(type)))

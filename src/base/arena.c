/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE (64U * 1024)
#define ALIGNMENT 16U

struct block {
	struct block *next;
	size_t used;
	size_t size;
};

struct arena {
	struct block *blocks;
};

static size_t aligned(size_t size)
{
	assert(size <= SIZE_MAX / 2);
	return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static struct block *block_new(size_t size)
{
	struct block *block = calloc(1, aligned(sizeof(*block)) + size);

	assert(block);
	block->size = size;
	return block;
}

struct arena *arena_new(void)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	assert(arena);
	return arena;
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	while (arena->blocks) {
		struct block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
	free(arena);
}

void arena_freep(struct arena **arena)
{
	arena_free(*arena);
}

void arena_reserve(struct arena *arena, size_t n)
{
	struct block *block = arena->blocks;

	if (block && block->size - block->used >= n)
		return;
	block = block_new(n > BLOCK_SIZE ? aligned(n) : BLOCK_SIZE);
	block->next = arena->blocks;
	arena->blocks = block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct block *block;
	char *memory;

	size = aligned(size ? size : 1);
	arena_reserve(arena, size);
	block = arena->blocks;
	memory = (char *)block + aligned(sizeof(*block)) + block->used;
	block->used += size;
	return memory;
}

void *arena_array(struct arena *arena, size_t n, size_t size)
{
	assert(size == 0 || n <= SIZE_MAX / size);
	return arena_alloc(arena, n * size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t n)
{
	char *copy = arena_alloc(arena, n + 1);

	memcpy(copy, text, n);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	assert(n >= 0);
	text = arena_alloc(arena, (size_t)n + 1);
	va_start(args, fmt);
	(void)vsnprintf(text, (size_t)n + 1, fmt, args);
	va_end(args);
	return text;
}

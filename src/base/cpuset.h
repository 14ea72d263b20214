/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A set of CPU or node numbers, 0..CPUSET_LAST.  A zeroed set is empty.
 * The words belong to the arena that was given when the set was made; sets
 * are values and are not changed once others may hold them.
 */

struct arena;
struct strbuf;

#define CPUSET_LAST 65535U

struct cpuset {
	uint64_t *words;
	size_t nr_words; /* the last one is not zero */
};

void cpuset_add(struct arena *arena, struct cpuset *set, unsigned int cpu);

/*
 * "0-3,8,10-14:2,16-31:2/4" (a kernel cpulist, which is written with used
 * CPUs and their group; empty text is the empty set) and
 * "ffffffff,0000000f" (hex words of 32 bits, most significant first).
 * -EINVAL for anything else, -ERANGE above CPUSET_LAST.
 */
int cpuset_parse_list(struct arena *arena, const char *text,
		      struct cpuset *ret);
int cpuset_parse_mask(struct arena *arena, const char *text,
		      struct cpuset *ret);

/*
 * A kernel cpulist, with its ranges in order, in at most size - 1 bytes: as it
 * is where it fits, otherwise with groups, "0-4092:1/4", which the kernel takes
 * though it never prints them (lib/bitmap-str.c, bitmap_parselist()).
 * -EINVAL: it is no list, -EFBIG: it is too long all the same; ret is then of
 * no use.
 */
int cpuset_fold_list(const char *list, char *ret, size_t size);

bool cpuset_has(const struct cpuset *set, unsigned int cpu);
bool cpuset_is_empty(const struct cpuset *set);
bool cpuset_equal(const struct cpuset *a, const struct cpuset *b);
bool cpuset_is_subset(const struct cpuset *part, const struct cpuset *whole);
bool cpuset_intersects(const struct cpuset *a, const struct cpuset *b);
unsigned int cpuset_count(const struct cpuset *set);

/* The first member that is not below from, or -1. */
int cpuset_next(const struct cpuset *set, unsigned int from);

struct cpuset cpuset_and(struct arena *arena, const struct cpuset *a,
			 const struct cpuset *b);
struct cpuset cpuset_or(struct arena *arena, const struct cpuset *a,
			const struct cpuset *b);
struct cpuset cpuset_minus(struct arena *arena, const struct cpuset *a,
			   const struct cpuset *b);

/* As a kernel cpulist; the empty set is the empty text. */
void cpuset_to_text(const struct cpuset *set, struct strbuf *out);
char *cpuset_text(struct arena *arena, const struct cpuset *set);

#define CPUSET_EACH(set, cpu)                         \
	for (int cpu = cpuset_next(set, 0); cpu >= 0; \
	     cpu = cpuset_next(set, (unsigned int)cpu + 1))

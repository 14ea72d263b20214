/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cpuset.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/strbuf.h"

#define WORD_BITS 64U

static uint64_t word(const struct cpuset *set, size_t i)
{
	return i < set->nr_words ? set->words[i] : 0;
}

void cpuset_add(struct arena *arena, struct cpuset *set, unsigned int cpu)
{
	size_t i = cpu / WORD_BITS;

	if (i >= set->nr_words) {
		uint64_t *words = arena_array(arena, i + 1, sizeof(*words));

		if (set->nr_words)
			memcpy(words, set->words,
			       set->nr_words * sizeof(*words));
		set->words = words;
		set->nr_words = i + 1;
	}
	set->words[i] |= UINT64_C(1) << (cpu % WORD_BITS);
}

/* "first", "first-last" or "first-last:stride" at *text. */
static int parse_range(const char **text, uint64_t *first, uint64_t *last,
		       uint64_t *stride)
{
	int r = parse_u64_prefix(text, first);

	*last = *first;
	*stride = 1;
	if (r == 0 && **text == '-') {
		(*text)++;
		r = parse_u64_prefix(text, last);
	}
	if (r == 0 && **text == ':') {
		(*text)++;
		r = parse_u64_prefix(text, stride);
	}
	if (r < 0)
		return r;
	if (*last > CPUSET_LAST)
		return -ERANGE;
	if (*last < *first || *stride == 0)
		return -EINVAL;
	/* A stride beyond all CPUs must not wrap around. */
	if (*stride > CPUSET_LAST)
		return -ERANGE;
	return 0;
}

int cpuset_parse_list(struct arena *arena, const char *text, struct cpuset *ret)
{
	struct cpuset set = { 0 };
	uint64_t first, last, stride;

	while (*text) {
		int r = parse_range(&text, &first, &last, &stride);

		if (r < 0)
			return r;
		/* From the top, so that the words are allocated once. */
		cpuset_add(arena, &set,
			   (unsigned int)(last - (last - first) % stride));
		for (uint64_t cpu = first; cpu <= last; cpu += stride)
			cpuset_add(arena, &set, (unsigned int)cpu);
		if (*text == ',' && text[1])
			text++;
		else if (*text)
			return -EINVAL;
	}
	*ret = set;
	return 0;
}

int cpuset_parse_mask(struct arena *arena, const char *text, struct cpuset *ret)
{
	struct cpuset set = { 0 };
	size_t nr_groups = 1, group;

	for (const char *p = text; *p; p++)
		nr_groups += *p == ',';
	if (nr_groups > (CPUSET_LAST + 1) / 32)
		return -ERANGE;
	for (group = nr_groups; group-- > 0;) {
		size_t n = strcspn(text, ",");
		char digits[9];
		uint64_t bits;

		if (n == 0 || n >= sizeof(digits))
			return -EINVAL;
		memcpy(digits, text, n);
		digits[n] = '\0';
		if (strchr(digits, 'x') || parse_hex_u64(digits, &bits) < 0)
			return -EINVAL;
		for (unsigned int bit = 32; bit-- > 0;)
			if (bits >> bit & 1)
				cpuset_add(arena, &set,
					   (unsigned int)group * 32 + bit);
		text += n + (text[n] == ',');
	}
	*ret = set;
	return 0;
}

bool cpuset_has(const struct cpuset *set, unsigned int cpu)
{
	return word(set, cpu / WORD_BITS) >> (cpu % WORD_BITS) & 1;
}

bool cpuset_is_empty(const struct cpuset *set)
{
	return cpuset_count(set) == 0;
}

static size_t most_words(const struct cpuset *a, const struct cpuset *b)
{
	return a->nr_words > b->nr_words ? a->nr_words : b->nr_words;
}

bool cpuset_equal(const struct cpuset *a, const struct cpuset *b)
{
	for (size_t i = 0; i < most_words(a, b); i++)
		if (word(a, i) != word(b, i))
			return false;
	return true;
}

bool cpuset_is_subset(const struct cpuset *part, const struct cpuset *whole)
{
	for (size_t i = 0; i < part->nr_words; i++)
		if (word(part, i) & ~word(whole, i))
			return false;
	return true;
}

bool cpuset_intersects(const struct cpuset *a, const struct cpuset *b)
{
	for (size_t i = 0; i < most_words(a, b); i++)
		if (word(a, i) & word(b, i))
			return true;
	return false;
}

unsigned int cpuset_count(const struct cpuset *set)
{
	unsigned int n = 0;

	for (size_t i = 0; i < set->nr_words; i++)
		n += (unsigned int)__builtin_popcountll(set->words[i]);
	return n;
}

int cpuset_next(const struct cpuset *set, unsigned int from)
{
	for (size_t i = from / WORD_BITS; i < set->nr_words; i++) {
		uint64_t bits = set->words[i];

		if (i == from / WORD_BITS)
			bits &= UINT64_MAX << (from % WORD_BITS);
		if (bits)
			return (int)(i * WORD_BITS) + __builtin_ctzll(bits);
	}
	return -1;
}

static struct cpuset trimmed(struct cpuset set)
{
	while (set.nr_words && !set.words[set.nr_words - 1])
		set.nr_words--;
	return set;
}

struct cpuset cpuset_and(struct arena *arena, const struct cpuset *a,
			 const struct cpuset *b)
{
	struct cpuset set = { .nr_words = most_words(a, b) };

	set.words = arena_array(arena, set.nr_words, sizeof(*set.words));
	for (size_t i = 0; i < set.nr_words; i++)
		set.words[i] = word(a, i) & word(b, i);
	return trimmed(set);
}

struct cpuset cpuset_or(struct arena *arena, const struct cpuset *a,
			const struct cpuset *b)
{
	struct cpuset set = { .nr_words = most_words(a, b) };

	set.words = arena_array(arena, set.nr_words, sizeof(*set.words));
	for (size_t i = 0; i < set.nr_words; i++)
		set.words[i] = word(a, i) | word(b, i);
	return trimmed(set);
}

struct cpuset cpuset_minus(struct arena *arena, const struct cpuset *a,
			   const struct cpuset *b)
{
	struct cpuset set = { .nr_words = a->nr_words };

	set.words = arena_array(arena, set.nr_words, sizeof(*set.words));
	for (size_t i = 0; i < set.nr_words; i++)
		set.words[i] = word(a, i) & ~word(b, i);
	return trimmed(set);
}

void cpuset_to_text(const struct cpuset *set, struct strbuf *out)
{
	const char *comma = "";

	for (int first = cpuset_next(set, 0); first >= 0;) {
		int last = first;

		while (cpuset_has(set, (unsigned int)last + 1))
			last++;
		if (last > first)
			strbuf_printf(out, "%s%d-%d", comma, first, last);
		else
			strbuf_printf(out, "%s%d", comma, first);
		comma = ",";
		first = cpuset_next(set, (unsigned int)last + 1);
	}
}

char *cpuset_text(struct arena *arena, const struct cpuset *set)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	cpuset_to_text(set, &out);
	return out.text;
}

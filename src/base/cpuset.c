/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cpuset.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
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

/* Of first to last, the first used ones of each group of stride. */
struct range {
	uint64_t first, last, used, stride;
};

static int parse_after(const char **text, char mark, uint64_t *ret)
{
	if (**text != mark)
		return 0;
	(*text)++;
	return parse_u64_prefix(text, ret);
}

/* "3", "3-9", "3-9:2" (every second one) or "3-9:1/2", which is the same. */
static int parse_range(const char **text, struct range *ret)
{
	struct range range = { .used = 1, .stride = 1 };
	int r = parse_u64_prefix(text, &range.first);

	range.last = range.first;
	if (r == 0)
		r = parse_after(text, '-', &range.last);
	if (r == 0 && **text == ':') {
		r = parse_after(text, ':', &range.stride);
		if (r == 0 && **text == '/') {
			range.used = range.stride;
			r = parse_after(text, '/', &range.stride);
		}
	}
	if (r < 0)
		return r;
	if (range.last > CPUSET_LAST)
		return -ERANGE;
	if (range.last < range.first || range.stride == 0)
		return -EINVAL;
	/* A stride beyond all CPUs must not wrap around. */
	if (range.stride > CPUSET_LAST)
		return -ERANGE;
	if (range.used == 0 || range.used > range.stride)
		return -EINVAL;
	*ret = range;
	return 0;
}

static void add_range(struct arena *arena, struct cpuset *set,
		      const struct range *range)
{
	const uint64_t last_group =
		range->last - (range->last - range->first) % range->stride;

	/* From the top, so that the words are allocated once. */
	for (uint64_t cpu = range->last; cpu > last_group; cpu--)
		if (cpu - last_group < range->used)
			cpuset_add(arena, set, (unsigned int)cpu);
	cpuset_add(arena, set, (unsigned int)last_group);
	for (uint64_t cpu = range->first; cpu < last_group; cpu++)
		if ((cpu - range->first) % range->stride < range->used)
			cpuset_add(arena, set, (unsigned int)cpu);
}

int cpuset_parse_list(struct arena *arena, const char *text, struct cpuset *ret)
{
	struct cpuset set = { 0 };
	struct range range;

	while (*text) {
		int r = parse_range(&text, &range);

		if (r < 0)
			return r;
		add_range(arena, &set, &range);
		if (*text == ',' && text[1])
			text++;
		else if (*text)
			return -EINVAL;
	}
	*ret = set;
	return 0;
}

/* Equal ranges at equal distances. */
struct run {
	struct range range; /* of all of them */
	uint64_t last_first;
	unsigned int n;
};

struct folded {
	char *text;
	size_t size, len;
};

/* Text that does not fit ends with len beyond size. */
static void __attribute__((format(printf, 2, 3)))
put(struct folded *out, const char *fmt, ...)
{
	const size_t room = out->len < out->size ? out->size - out->len : 0;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(out->text + (room ? out->len : 0), room, fmt, args);
	va_end(args);
	out->len += n > 0 ? (size_t)n : 0;
}

static void put_range(struct folded *out, uint64_t first, uint64_t length)
{
	put(out, "%s%" PRIu64, out->len ? "," : "", first);
	if (length > 1)
		put(out, "-%" PRIu64, first + length - 1);
}

static void put_run(struct folded *out, const struct run *run)
{
	const struct range *it = &run->range;

	if (run->n < 3) {
		put_range(out, it->first, it->used);
		if (run->n == 2)
			put_range(out, run->last_first, it->used);
		return;
	}
	put(out, "%s%" PRIu64 "-%" PRIu64 ":%" PRIu64 "/%" PRIu64,
	    out->len ? "," : "", it->first, it->last, it->used, it->stride);
}

/* Does the range go on with the run?  The second one gives it its stride. */
static bool joins(struct run *run, const struct range *range)
{
	const uint64_t step = range->first - run->last_first;

	if (run->n == 0 || range->last - range->first + 1 != run->range.used ||
	    (run->n > 1 && step != run->range.stride))
		return false;
	run->range.stride = step;
	return true;
}

static int fold(const char *list, struct folded *out)
{
	struct run run = { .n = 0 };
	struct range range;

	while (*list) {
		int r = parse_range(&list, &range);

		/* What is folded already needs no more of it. */
		if (r < 0 || range.stride != 1 ||
		    (run.n && range.first <= run.range.last))
			return -EINVAL;
		if (!joins(&run, &range)) {
			if (run.n)
				put_run(out, &run);
			run = (struct run){ .range = range };
			run.range.used = range.last - range.first + 1;
		}
		run.range.last = range.last;
		run.last_first = range.first;
		run.n++;
		list += *list == ',';
	}
	if (run.n)
		put_run(out, &run);
	return 0;
}

int cpuset_fold_list(const char *list, char *ret, size_t size)
{
	struct folded out = { .text = ret, .size = size };
	const size_t len = strlen(list);

	if (len < size) {
		memcpy(ret, list, len + 1);
		return 0;
	}
	if (fold(list, &out) < 0)
		return -EINVAL;
	return out.len < size ? 0 : -EFBIG;
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

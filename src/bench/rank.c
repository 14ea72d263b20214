/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/rank.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

#define MOST_VALUES 1000

size_t rank_pairs(size_t n)
{
	return n * (n + 1) / 2;
}

/*
 * P(W = w) for the sum W of the ranks with a positive sign, when each sign is
 * a toss: rank by rank, a sum either stays or moves on by the rank.  Halves
 * of halves are exact in binary up to n = 50, and good to 1e-13 beyond.
 */
static double *null_distribution(struct arena *arena, size_t n)
{
	double *p = arena_array(arena, rank_pairs(n) + 1, sizeof(*p));
	size_t most = 0;

	p[0] = 1;
	for (size_t rank = 1; rank <= n; rank++) {
		most += rank;
		for (size_t w = most + 1; w-- > 0;)
			p[w] = (p[w] + (w >= rank ? p[w - rank] : 0)) / 2;
	}
	return p;
}

size_t rank_index(struct arena *arena, size_t n, double alpha)
{
	const double *p;
	double below = 0;
	size_t c = 0;

	assert(n <= MOST_VALUES && alpha >= 0 && alpha <= 1);
	p = null_distribution(arena, n);
	/* Half of the Walsh averages lie on each side of the middle. */
	while (c < rank_pairs(n) / 2) {
		below += p[c];
		if (below > alpha / 2)
			break;
		c++;
	}
	return c;
}

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *walsh_averages(struct arena *arena, const double *values,
			      size_t n)
{
	double *walsh = arena_array(arena, rank_pairs(n), sizeof(*walsh));
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			walsh[k++] = (values[i] + values[j]) / 2;
	qsort(walsh, k, sizeof(*walsh), compare_double);
	return walsh;
}

struct rank_interval rank_interval(struct arena *arena, const double *values,
				   size_t n, size_t c)
{
	struct rank_interval ret = { NAN, NAN, NAN };
	size_t pairs = rank_pairs(n);
	const double *walsh;

	assert(n <= MOST_VALUES && c <= pairs / 2);
	if (n == 0)
		return ret;
	walsh = walsh_averages(arena, values, n);
	ret.estimate = (walsh[(pairs - 1) / 2] + walsh[pairs / 2]) / 2;
	if (c > 0) {
		ret.lower = walsh[c - 1];
		ret.upper = walsh[pairs - c];
	}
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/nearest.h"

#include <string.h>

#define LONGEST 64U

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Optimal string alignment distance of two names up to LONGEST bytes. */
static unsigned int distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned int row[3][LONGEST + 1];
	unsigned int *before = row[0], *prev = row[1], *cur = row[2];

	for (unsigned int j = 0; j <= nb; j++)
		prev[j] = j;
	for (unsigned int i = 1; i <= na; i++) {
		unsigned int *oldest = before;

		cur[0] = i;
		for (unsigned int j = 1; j <= nb; j++) {
			unsigned int cost = a[i - 1] != b[j - 1];

			cur[j] = least(least(prev[j] + 1, cur[j - 1] + 1),
				       prev[j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				cur[j] = least(cur[j], before[j - 2] + 1);
		}
		before = prev;
		prev = cur;
		cur = oldest;
	}
	return prev[nb];
}

const char *nearest_name(const char *text, const char *const *candidates,
			 size_t n)
{
	size_t len = strlen(text);
	const char *best = NULL;
	unsigned int best_edits = LONGEST;

	if (len > LONGEST)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t m = strlen(candidates[i]);
		unsigned int edits;

		if (m > LONGEST)
			continue;
		edits = distance(text, len, candidates[i], m);
		if (edits <= (m + 2) / 3 && edits < best_edits) {
			best = candidates[i];
			best_edits = edits;
		}
	}
	return best;
}

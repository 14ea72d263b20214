/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/crosscheck.h"

#include "base/arena.h"
#include "bench/stats.h"

static bool is_usable(const struct bench_cell *cell)
{
	return !cell->skipped && cell->check && cell->check->summary.iops &&
	       cell->summary.iops;
}

/* Of a single slice nobody knows how far the next one would be off. */
static bool has_order(const struct bench_cell *cell)
{
	return is_usable(cell) && cell->slices.n > 1 &&
	       cell->check->slices.n > 1;
}

/* 1: a is faster in every slice, -1: slower; 0: they overlap. */
static int order_of(const struct bench_summary *a,
		    const struct bench_summary *b)
{
	return (a->iops_min > b->iops_max) - (a->iops_max < b->iops_min);
}

static void compare_orders(const struct bench_matrix *matrix,
			   struct crosscheck *check)
{
	VEC_EACH(&matrix->cells, const struct bench_cell, a)
		for (const struct bench_cell *b = a + 1;
		     has_order(a) && b < matrix->cells.items + matrix->cells.n;
		     b++) {
			int ours, theirs;

			if (!has_order(b))
				continue;
			ours = order_of(&a->summary, &b->summary);
			theirs = order_of(&a->check->summary,
					  &b->check->summary);
			check->pairs += ours && theirs;
			check->agreeing += ours && ours == theirs;
		}
}

static double cpu_ns(const struct bench_cell *cell, bool of_check)
{
	double sum = 0;

	if (of_check)
		VEC_EACH(&cell->check->slices, const struct bench_slice, it)
			sum += (double)it->cpu_ns / (double)it->ios;
	else
		VEC_EACH(&cell->slices, const struct bench_slice, it)
			sum += it->ios ? (double)it->cpu_ns / (double)it->ios :
					 0;
	return sum /
	       (double)(of_check ? cell->check->slices.n : cell->slices.n);
}

bool crosscheck_judge(struct arena *arena, const struct bench_matrix *matrix,
		      struct crosscheck *ret)
{
	uint64_t *ratios =
		arena_array(arena, matrix->cells.n + 1, sizeof(*ratios));
	struct crosscheck check = { .least_ppt = INT64_MAX };
	double ours = 0, theirs = 0;

	VEC_EACH(&matrix->cells, const struct bench_cell, it) {
		int64_t ppt;

		if (!is_usable(it))
			continue;
		ppt = stats_ppt(it->summary.iops, it->check->summary.iops);
		ratios[check.cells++] = (uint64_t)ppt;
		if (ppt < check.least_ppt)
			check.least_ppt = ppt;
		if (ppt > check.most_ppt)
			check.most_ppt = ppt;
		ours += cpu_ns(it, false);
		theirs += cpu_ns(it, true);
	}
	if (check.cells == 0)
		return false;
	check.median_ppt = (int64_t)stats_median(arena, ratios, check.cells);
	check.cpu_ppt = theirs > 0 ? (int64_t)(ours / theirs * 1000 + 0.5) : -1;
	compare_orders(matrix, &check);
	*ret = check;
	return true;
}

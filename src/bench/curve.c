/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/curve.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/strbuf.h"

struct points {
	VEC(const struct bench_cell *) items;
};

static uint32_t in_flight(const struct bench_cell *cell)
{
	return cell->method.jobs * cell->method.depth;
}

static int by_jobs_and_depth(const void *a, const void *b)
{
	const struct bench_cell *x = *(const struct bench_cell *const *)a;
	const struct bench_cell *y = *(const struct bench_cell *const *)b;

	if (x->method.jobs != y->method.jobs)
		return x->method.jobs < y->method.jobs ? -1 : 1;
	return (x->method.depth > y->method.depth) -
	       (x->method.depth < y->method.depth);
}

/* In all but how many I/Os are in flight, and from how many jobs. */
static bool is_like(const struct bench_cell *a, const struct bench_cell *b)
{
	return a->drive == b->drive && a->node == b->node &&
	       a->method.block_bytes == b->method.block_bytes &&
	       a->method.write_ppt == b->method.write_ppt &&
	       a->method.sequential == b->method.sequential &&
	       a->method.polled == b->method.polled &&
	       a->method.batch == b->method.batch &&
	       a->method.gap_ns == b->method.gap_ns;
}

static struct points points_of(struct arena *arena,
			       const struct bench_matrix *matrix,
			       const struct bench_cell *like)
{
	struct points points = { 0 };

	VEC_EACH(&matrix->cells, const struct bench_cell, it)
		if (!it->skipped && is_like(it, like))
			*vec_add(arena, &points.items) = it;
	qsort(points.items.items, points.items.n, sizeof(*points.items.items),
	      by_jobs_and_depth);
	return points;
}

static struct knee_point knee_point_of(const struct bench_cell *cell)
{
	return (struct knee_point){ in_flight(cell), cell->summary.iops,
				    cell->summary.mean_ns };
}

static bool find_knee(struct arena *arena, const struct points *points,
		      struct curve *curve)
{
	struct knee_point *list =
		arena_array(arena, points->items.n, sizeof(*list));

	for (size_t i = 0; i < points->items.n; i++)
		list[i] = knee_point_of(points->items.items[i]);
	return knee_find(list, points->items.n, &curve->knee);
}

/*
 * More jobs of one depth, or so many reads in flight shared out among more,
 * which leaves up to half of them over.
 */
static bool is_over_jobs(const struct points *points)
{
	const struct bench_cell *first = points->items.items[0];
	bool depth = true, total = true;

	VEC_EACH(&points->items, const struct bench_cell *, it) {
		depth = depth && (*it)->method.depth == first->method.depth;
		total = total && in_flight(*it) <= in_flight(first) &&
			in_flight(*it) > in_flight(first) / 2;
	}
	return depth || total;
}

static bool find_scaling(struct arena *arena, const struct points *points,
			 struct curve *curve)
{
	struct scaling_point *list =
		arena_array(arena, points->items.n, sizeof(*list));

	for (size_t i = 0; i < points->items.n; i++) {
		const struct bench_cell *cell = points->items.items[i];

		list[i] = (struct scaling_point){ cell->method.jobs,
						  cell->summary.iops };
	}
	return scaling_find(list, points->items.n, &curve->scaling);
}

static void find_curve(struct arena *arena, const struct bench_matrix *matrix,
		       const struct bench_cell *first, struct curves *ret)
{
	const struct points points = points_of(arena, matrix, first);
	bool one_count = true;
	struct curve curve = {
		.drive = matrix->drives.items[first->drive],
		.node = first->node,
		.points = (uint32_t)points.items.n,
	};

	for (size_t i = 0; i < points.items.n; i++) {
		const struct bench_cell *cell = points.items.items[i];
		const struct knee_point point = knee_point_of(cell);

		one_count = one_count &&
			    cell->method.jobs == first->method.jobs;
		curve.holding += knee_flight(&point) == KNEE_FLIGHT_HOLDS;
	}
	curve.over_jobs = !one_count && is_over_jobs(&points);
	if (curve.over_jobs ? find_scaling(arena, &points, &curve) :
			      one_count && find_knee(arena, &points, &curve))
		*vec_add(arena, &ret->items) = curve;
}

/* Is no cell before this one like it? */
static bool is_first(const struct bench_matrix *matrix,
		     const struct bench_cell *cell)
{
	for (const struct bench_cell *it = matrix->cells.items; it < cell; it++)
		if (!it->skipped && is_like(it, cell))
			return false;
	return !cell->skipped;
}

void curves_find(struct arena *arena, const struct bench_matrix *matrix,
		 struct curves *ret)
{
	*ret = (struct curves){ 0 };
	VEC_EACH(&matrix->cells, const struct bench_cell, it)
		if (is_first(matrix, it))
			find_curve(arena, matrix, it, ret);
}

static void put_identity(const struct curve *curve, struct strbuf *out)
{
	if (curve->holding == curve->points)
		strbuf_puts(out, "; IOPS = depth / latency within 2 %");
	else
		strbuf_printf(out,
			      "; IOPS = depth / latency within 2 %% at %" PRIu32
			      " of %" PRIu32 " depths only",
			      curve->holding, curve->points);
}

void curves_to_text(const struct curves *curves, struct strbuf *out)
{
	VEC_EACH(&curves->items, const struct curve, it) {
		escape_to(out, it->drive);
		strbuf_puts(out, ": ");
		if (it->over_jobs) {
			scaling_to_text(&it->scaling, out);
		} else {
			knee_to_text(&it->knee, out);
			put_identity(it, out);
		}
		strbuf_putc(out, '\n');
	}
}

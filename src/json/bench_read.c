/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "json/bench_check.h"
#include "json/bench_json.h"
#include "json/read.h"

/* Of anything counted here; a file may hold more. */
#define MOST_COUNT (INT64_C(1) << 40)

/* The index of a drive, which is new when its first cell comes. */
static size_t drive_of(struct arena *arena, struct bench_matrix *matrix,
		       const char *name)
{
	for (size_t i = 0; i < matrix->drives.n; i++)
		if (text_equal(matrix->drives.items[i], name))
			return i;
	*vec_add(arena, &matrix->drives) = name;
	return matrix->drives.n - 1;
}

static bool take_count(const struct json_node *object, const char *key,
		       uint64_t *ret)
{
	int64_t number;

	if (!json_member_int(object, key, &number) || number < 0)
		return false;
	*ret = number < MOST_COUNT ? (uint64_t)number : MOST_COUNT;
	return true;
}

static void take_u32(const struct json_node *object, const char *key,
		     uint32_t *ret)
{
	uint64_t count;

	if (take_count(object, key, &count) && count <= UINT32_MAX)
		*ret = (uint32_t)count;
}

static void take_method(const struct json_node *node,
			struct bench_method *method)
{
	const char *pattern = json_member_text(node, "pattern");

	method->sequential = pattern && strstr(pattern, "sequential");
	take_u32(node, "jobs", &method->jobs);
	take_u32(node, "depth", &method->depth);
	take_u32(node, "block_bytes", &method->block_bytes);
	take_u32(node, "batch", &method->batch);
	take_u32(node, "write_ppt", &method->write_ppt);
	(void)take_count(node, "gap_ns", &method->gap_ns);
	(void)json_member_bool(node, "polled", &method->polled);
	(void)json_member_bool(node, "memory_bound", &method->memory_bound);
	method->memory_why = json_member_text(node, "memory_why");
}

static void take_slices(struct arena *arena, const struct json_node *node,
			struct bench_cell *cell)
{
	if (!node)
		return;
	VEC_EACH(&node->children, const struct json_node, it)
		(void)take_count(it, "iops",
				 &vec_add(arena, &cell->slices)->iops);
}

static int take_cell(struct arena *arena, const struct json_node *node,
		     size_t nr, struct bench_matrix *matrix, struct err *err)
{
	const char *drive = json_member_text(node, "drive");
	struct bench_cell *cell;

	if (!drive)
		return err_set(err, -EBADMSG, "cells[%zu]: names no drive", nr);
	cell = vec_add(arena, &matrix->cells);
	cell->drive = drive_of(arena, matrix, drive);
	cell->node = -1;
	cell->of_local_ppt = cell->of_link_ppt = cell->of_ceiling_ppt = -1;
	cell->summary.little_ppt = -1;
	(void)json_member_int(node, "node", &cell->node);
	(void)json_member_int(node, "of_link_ppt", &cell->of_link_ppt);
	(void)json_member_bool(node, "local", &cell->local);
	cell->skipped = json_member_text(node, "skipped");
	if (cell->skipped)
		return 0;
	if (!take_count(node, "iops", &cell->summary.iops))
		return err_set(err, -EBADMSG, "cells[%zu].iops: no count", nr);
	cell->summary.iops_min = cell->summary.iops_max = cell->summary.iops;
	(void)take_count(node, "iops_min", &cell->summary.iops_min);
	(void)take_count(node, "iops_max", &cell->summary.iops_max);
	(void)take_count(node, "mean_ns", &cell->summary.mean_ns);
	(void)take_count(node, "p99_ns", &cell->summary.p99_ns);
	(void)take_count(node, "errors", &cell->summary.errors);
	(void)json_member_bool(node, "cpu_bound", &cell->summary.cpu_bound);
	(void)json_member_int(node, "little_ppt", &cell->summary.little_ppt);
	take_method(json_member(node, "method"), &cell->method);
	take_slices(arena, json_member(node, "slices"), cell);
	return 0;
}

#define MOST_PPT 1000000

static int64_t ppt_of(uint64_t part, uint64_t whole)
{
	if (whole == 0)
		return -1;
	if (part / whole >= MOST_PPT / 1000)
		return MOST_PPT;
	return (int64_t)((part * 1000 + whole / 2) / whole);
}

static void compare_with_local(struct bench_matrix *matrix)
{
	VEC_EACH(&matrix->cells, struct bench_cell, cell)
		VEC_EACH(&matrix->cells, const struct bench_cell, local)
			if (local->drive == cell->drive && local->local &&
			    !local->skipped && !cell->skipped)
				cell->of_local_ppt =
					ppt_of(cell->summary.iops,
					       local->summary.iops);
}

int bench_matrix_from_json(struct arena *arena, const char *text, size_t len,
			   struct bench_matrix *ret, struct err *err)
{
	struct bench_matrix matrix = { 0 };
	const struct json_node *cells;
	struct json_node root;
	size_t nr = 0;
	int r = json_parse(arena, text, len, &root, err);

	if (r < 0)
		return r;
	if (!text_equal(json_member_text(&root, "schema"), BENCH_SCHEMA))
		return err_set(err, -EBADMSG, "schema: not \"%s\"",
			       BENCH_SCHEMA);
	cells = json_member(&root, "cells");
	if (!cells || cells->kind != JSON_ARRAY)
		return err_set(err, -EBADMSG, "cells: no array");
	(void)json_member_bool(&root, "together", &matrix.together);
	VEC_EACH(&cells->children, const struct json_node, it) {
		r = take_cell(arena, it, nr++, &matrix, err);
		if (r == 0 && !json_member_text(it, "skipped"))
			r = bench_check_cell(arena, &root, it, err);
		if (r < 0)
			return r;
	}
	compare_with_local(&matrix);
	*ret = matrix;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/bench_against.h"

#include <errno.h>
#include <inttypes.h>

#include "base/err.h"
#include "base/parse.h"
#include "json/bench_check.h"
#include "json/bench_json.h"
#include "json/read.h"

/* What "driver" of a method may be. */
#define KERNEL "kernel"
#define USER_SPACE "user-space"

struct side {
	const char *name;
	struct json_node root;
	bool is_planned; /* nothing is measured yet */
};

static int read_side(struct arena *arena, const struct saved_text *saved,
		     struct side *ret, struct err *err)
{
	int r = json_parse(arena, saved->text, saved->len, &ret->root, err);

	ret->name = saved->name;
	if (r == 0 &&
	    !text_equal(json_member_text(&ret->root, "schema"), BENCH_SCHEMA))
		r = err_set(err, -EBADMSG, "schema: not \"%s\"", BENCH_SCHEMA);
	return r < 0 ? err_context(err, "%s: not a saved result", saved->name) :
		       0;
}

static int check_figures(struct arena *arena, const struct side *side,
			 const struct json_node *cell, struct err *err)
{
	int r = side->is_planned ?
			0 :
			bench_check_cell(arena, &side->root, cell, err);

	return r < 0 ? err_context(err, "%s", side->name) : 0;
}

struct wanted {
	const char *key;
	const char *otherwise; /* of a result that has none; NULL: unknown */
};

/* A label as text; a number or a missing one, too. */
static const char *label(struct arena *arena, const struct json_node *object,
			 const struct wanted *wanted)
{
	const struct json_node *node = json_member(object, wanted->key);

	if (node && node->kind == JSON_TEXT)
		return node->text;
	if (node && node->kind == JSON_INT)
		return arena_printf(arena, "%" PRId64, node->number);
	if (node && node->kind == JSON_BOOL)
		return node->number ? "true" : "false";
	return wanted->otherwise ? wanted->otherwise : "unknown";
}

/* What is not known on both sides is not known to be the same. */
static int check_labels(struct arena *arena, const struct side *before,
			const struct json_node *a, const struct side *after,
			const struct json_node *b, const struct wanted *wanted,
			struct err *err)
{
	for (; wanted->key; wanted++) {
		const char *x = label(arena, a, wanted);
		const char *y = label(arena, b, wanted);

		if (after->is_planned && !json_member(b, wanted->key))
			continue;
		if (text_equal(x, y) && !text_equal(x, "unknown"))
			continue;
		return err_set(err, -EXDEV,
			       "not comparable: %s is %s in %s, %s in %s",
			       wanted->key, x, before->name, y, after->name);
	}
	return 0;
}

static const struct json_node *find(const struct json_node *root,
				    const char *list, const char *key,
				    const char *text)
{
	const struct json_node *array = json_member(root, list);

	if (!array || !text)
		return NULL;
	VEC_EACH(&array->children, const struct json_node, it)
		if (text_equal(json_member_text(it, key), text))
			return it;
	return NULL;
}

/* The drive of side with this serial number; names move. */
static const struct json_node *find_same(const struct side *side,
					 const struct json_node *drive)
{
	return drive ? find(&side->root, "drives", "serial",
			    json_member_text(drive, "serial")) :
		       NULL;
}

static int64_t node_of(const struct json_node *cell)
{
	int64_t node = -1;

	(void)json_member_int(cell, "node", &node);
	return node;
}

/* The cell of side for the same drive, node and label as cell. */
static const struct json_node *find_cell(const struct side *side,
					 const char *drive,
					 const struct json_node *cell)
{
	const struct json_node *cells = json_member(&side->root, "cells");
	const char *label = json_member_text(cell, "label");

	if (!cells || !drive)
		return NULL;
	VEC_EACH(&cells->children, const struct json_node, it)
		if (text_equal(json_member_text(it, "drive"), drive) &&
		    text_equal(json_member_text(it, "label"), label) &&
		    node_of(it) == node_of(cell) &&
		    !json_member_text(it, "skipped"))
			return it;
	return NULL;
}

static uint64_t count_of(const struct json_node *cell, const char *key)
{
	int64_t value = 0;

	(void)json_member_int(cell, key, &value);
	return value > 0 ? (uint64_t)value : 0;
}

static bool is_driver(const struct json_node *cell, const char *name)
{
	return text_equal(
		json_member_text(json_member(cell, "method"), "driver"), name);
}

/* One read through the kernel, the other past it. */
static bool is_path_pair(const struct json_node *a, const struct json_node *b)
{
	return (is_driver(a, KERNEL) && is_driver(b, USER_SPACE)) ||
	       (is_driver(a, USER_SPACE) && is_driver(b, KERNEL));
}

static int64_t ppt_of(uint64_t part, uint64_t whole)
{
	return (int64_t)((part * 1000 + whole / 2) / whole);
}

/* Of a single slice nobody knows how far the next one would be off; several
 * may well agree, where something holds the rate. */
static bool has_spread(const struct json_node *cell)
{
	const struct json_node *slices = json_member(cell, "slices");

	if (slices)
		return slices->children.n > 1;
	return count_of(cell, "iops_max") > count_of(cell, "iops_min");
}

#define MOST_IOPS (UINT64_MAX / 2000)

static int add_step(struct arena *arena, const struct json_node *a,
		    const struct json_node *b, const char *drive,
		    struct bench_steps *steps, struct err *err)
{
	struct bench_step step = {
		.drive = drive,
		.node = node_of(b),
		.label = json_member_text(b, "label"),
		.before = count_of(a, "iops"),
		.after = count_of(b, "iops"),
		.spread = has_spread(a) && has_spread(b),
		.before_mean_ns = count_of(a, "mean_ns"),
		.after_mean_ns = count_of(b, "mean_ns"),
		.before_p99_ns = count_of(a, "p99_ns"),
		.after_p99_ns = count_of(b, "p99_ns"),
		.kernel_ppt = -1,
	};

	if (step.before == 0 || step.before > MOST_IOPS ||
	    step.after > MOST_IOPS)
		return err_set(err, -EBADMSG, "%s: no count of I/Os", drive);
	step.apart = step.spread &&
		     (count_of(b, "iops_min") > count_of(a, "iops_max") ||
		      count_of(b, "iops_max") < count_of(a, "iops_min"));
	step.ppt = ppt_of(step.after, step.before);
	if (is_path_pair(a, b) && step.after)
		step.kernel_ppt = is_driver(b, KERNEL) ?
					  step.ppt :
					  ppt_of(step.before, step.after);
	*vec_add(arena, &steps->items) = step;
	return 0;
}

static const struct wanted of_host[] = {
	{ "kernel", NULL },
	{ "machine", NULL },
	{ NULL, NULL },
};
static const struct wanted of_run[] = {
	{ "mode", "matrix" },	  { "measure_ms", NULL }, { "together", NULL },
	{ "file_bytes", "none" }, { NULL, NULL },
};
/* Not of every result: what is in neither is no difference. */
static const struct wanted of_drive[] = {
	{ "firmware", "not told" },
	{ "drive_state", "not told" },
	{ NULL, NULL },
};
static const struct wanted of_link[] = {
	{ "speed_mts", "not told" },
	{ "width", "not told" },
	{ NULL, NULL },
};
static const struct wanted of_cell[] = {
	{ "cpus", NULL },
	{ NULL, NULL },
};
static const struct wanted of_method[] = {
	{ "pattern", "random read" },
	{ "jobs", NULL },
	{ "depth", NULL },
	{ "block_bytes", NULL },
	{ "memory_bound", NULL },
	{ "polled", "false" },
	{ "batching", "natural" },
	{ "batch", "0" },
	{ "write_ppt", "0" },
	{ "gap_ns", "0" },
	{ "poisson", "false" },
	{ "most_iops", "0" },
	{ NULL, NULL },
};
static const struct wanted of_engine[] = {
	{ "engine", NULL },
	/* What is registered with the ring is worth a fifth of an I/O's cost. */
	{ "fixed_buffers", "not told" },
	{ "fixed_files", "not told" },
	{ NULL, NULL },
};

static int check_cells(struct arena *arena, const struct side *before,
		       const struct json_node *a, const struct side *after,
		       const struct json_node *b, struct err *err)
{
	int r = check_labels(arena, before, a, after, b, of_cell, err);

	if (r == 0)
		r = check_labels(arena, before, json_member(a, "method"), after,
				 json_member(b, "method"), of_method, err);
	/* Two drivers cannot have one engine: that is what is compared. */
	if (r == 0 && !is_path_pair(a, b))
		r = check_labels(arena, before, json_member(a, "method"), after,
				 json_member(b, "method"), of_engine, err);
	if (r == 0)
		r = check_figures(arena, before, a, err);
	return r < 0 ? r : check_figures(arena, after, b, err);
}

static int check_drives(struct arena *arena, const struct side *before,
			const struct json_node *a, const struct side *after,
			const struct json_node *b, struct err *err)
{
	int r = check_labels(arena, before, a, after, b, of_drive, err);

	return r < 0 ? r :
		       check_labels(arena, before, json_member(a, "link"),
				    after, json_member(b, "link"), of_link,
				    err);
}

static int step_of(struct arena *arena, const struct side *before,
		   const struct side *after, const struct json_node *b,
		   struct bench_steps *steps, struct err *err)
{
	const char *name = json_member_text(b, "drive");
	const struct json_node *drive =
		find(&after->root, "drives", "name", name);
	const struct json_node *same = find_same(before, drive);
	const struct json_node *a =
		same ? find_cell(before, json_member_text(same, "name"), b) :
		       NULL;
	int r;

	if (!a || json_member_text(b, "skipped"))
		return 0;
	r = check_drives(arena, before, same, after, drive, err);
	if (r == 0)
		r = check_cells(arena, before, a, after, b, err);
	return r < 0 ? r : add_step(arena, a, b, name, steps, err);
}

static int compare_hosts(struct arena *arena, const struct side *before,
			 const struct side *after, struct err *err)
{
	int r = check_labels(arena, before,
			     json_member(&before->root, "environment"), after,
			     json_member(&after->root, "environment"), of_host,
			     err);

	return r < 0 ? r :
		       check_labels(arena, before, &before->root, after,
				    &after->root, of_run, err);
}

static int nothing_in_common(const struct side *before,
			     const struct side *after, struct err *err)
{
	return err_set(
		err, -EXDEV,
		"not comparable: %s and %s have no drive of one serial number from one node in common",
		before->name, after->name);
}

static int compare_cells(struct arena *arena, const struct side *before,
			 const struct side *after, struct bench_steps *ret,
			 struct err *err)
{
	const struct json_node *cells = json_member(&after->root, "cells");
	struct bench_steps steps = { 0 };

	for (size_t i = 0; cells && i < cells->children.n; i++) {
		int r = step_of(arena, before, after, &cells->children.items[i],
				&steps, err);

		if (r < 0)
			return r;
	}
	if (steps.items.n == 0)
		return nothing_in_common(before, after, err);
	*ret = steps;
	return 0;
}

/* Where drives are known, and not yet how they will be read. */
static int compare_drives(struct arena *arena, const struct side *before,
			  const struct side *after, struct err *err)
{
	const struct json_node *drives = json_member(&after->root, "drives");
	bool any = false;

	for (size_t i = 0; drives && i < drives->children.n; i++) {
		const struct json_node *drive = &drives->children.items[i];
		const struct json_node *same = find_same(before, drive);
		int r = same ? check_drives(arena, before, same, after, drive,
					    err) :
			       0;

		if (r < 0)
			return r;
		any |= same != NULL;
	}
	return any || !drives || drives->children.n == 0 ?
		       0 :
		       nothing_in_common(before, after, err);
}

int bench_against(struct arena *arena, const struct saved_text *before_text,
		  const struct saved_text *after_text, struct bench_steps *ret,
		  struct err *err)
{
	struct side before = { 0 }, after = { 0 };
	int r = read_side(arena, before_text, &before, err);

	if (r == 0)
		r = read_side(arena, after_text, &after, err);
	if (r == 0)
		r = compare_hosts(arena, &before, &after, err);
	return r < 0 ? r : compare_cells(arena, &before, &after, ret, err);
}

int bench_against_planned(struct arena *arena,
			  const struct saved_text *before_text,
			  const struct saved_text *planned_text,
			  struct err *err)
{
	struct side before = { 0 }, planned = { .is_planned = true };
	const struct json_node *cells;
	struct bench_steps steps;
	int r = read_side(arena, before_text, &before, err);

	if (r == 0)
		r = read_side(arena, planned_text, &planned, err);
	if (r == 0)
		r = compare_hosts(arena, &before, &planned, err);
	if (r < 0)
		return r;
	cells = json_member(&planned.root, "cells");
	return cells && cells->children.n ?
		       compare_cells(arena, &before, &planned, &steps, err) :
		       compare_drives(arena, &before, &planned, err);
}

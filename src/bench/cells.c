/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/cells.h"

#include "base/arena.h"
#include "base/err.h"
#include "bench/order.h"
#include "bench/stats.h"

struct run {
	struct arena *arena;
	const struct bench_cells_config *config;
	struct bench_session *session;
	struct bench_matrix result;
	size_t *groups; /* per measured cell */
	size_t *cells;	/* of the measured ones, the index in the result */
	size_t nr;
	uint32_t done;
	uint32_t total;
};

const struct bench_place *bench_place_of(const struct bench_place *places,
					 size_t n, int64_t node)
{
	static const struct bench_place unknown = {
		.node = BINDING_NO_NODE,
		.skip = "the kernel does not know its node: choose one by --node",
	};

	if (n == 1)
		return &places[0];
	for (size_t i = 0; i < n; i++)
		if (node != BINDING_NO_NODE && places[i].node == node)
			return &places[i];
	return &unknown;
}

/* The CPUs that a cell's jobs run on: one each. */
static struct cpuset first_cpus(struct arena *arena, const struct cpuset *from,
				uint32_t n)
{
	struct cpuset cpus = { 0 };

	CPUSET_EACH(from, cpu) {
		if (n-- == 0)
			break;
		cpuset_add(arena, &cpus, (unsigned int)cpu);
	}
	return cpus;
}

/* What is not known is not near; but a single place has no other. */
static bool is_local(const struct bench_place *place, int64_t node)
{
	return place->node == node && (node != BINDING_NO_NODE || !place->skip);
}

static struct bench_cell *add_cell(struct run *run,
				   const struct bench_want *want)
{
	const struct bench_place *place = want->place;
	struct bench_cell *cell = vec_add(run->arena, &run->result.cells);

	cell->drive = want->drive;
	cell->label = want->label;
	cell->node = place->node;
	cell->local = is_local(place, run->config->drives[want->drive].node);
	cell->skipped = place->skip;
	cell->of_local_ppt = -1;
	cell->of_link_ppt = -1;
	cell->of_ceiling_ppt = -1;
	if (!place->skip)
		cell->cpus = want->jobs ? first_cpus(run->arena,
						     &place->binding.cpus,
						     want->jobs) :
					  place->binding.cpus;
	return cell;
}

static int start_cell(struct run *run, const struct bench_want *want,
		      struct err *err)
{
	struct bench_cell *cell = add_cell(run, want);
	struct binding *binding;
	size_t group;
	int r;

	if (cell->skipped)
		return 0;
	binding = ARENA_NEW(run->arena, struct binding);
	*binding = want->place->binding;
	binding->cpus = cell->cpus;
	r = bench_session_add(run->session,
			      &run->config->drives[want->drive].drive, binding,
			      &want->shape, &group, err);
	if (r < 0)
		return r;
	cell->method = bench_session_method(run->session, group);
	run->groups[run->nr] = group;
	run->cells[run->nr] = run->result.cells.n - 1;
	run->nr++;
	return 0;
}

static int start_cells(struct run *run, struct err *err)
{
	const struct bench_cells_config *config = run->config;
	size_t most = config->nr_wants;
	int r = 0;

	run->groups = arena_array(run->arena, most, sizeof(*run->groups));
	run->cells = arena_array(run->arena, most, sizeof(*run->cells));
	for (size_t i = 0; i < config->nr_drives; i++)
		*vec_add(run->arena, &run->result.drives) =
			config->drives[i].drive.name;
	for (size_t i = 0; i < most && r == 0; i++)
		r = start_cell(run, &config->wants[i], err);
	return r;
}

static void keep_slice(struct run *run, size_t i,
		       const struct bench_slice *slice)
{
	struct bench_cell *cell = &run->result.cells.items[run->cells[i]];

	*vec_add(run->arena, &cell->slices) = *slice;
}

static void tell(struct run *run, const struct bench_cell *cell, uint64_t iops)
{
	const struct bench_cells_config *config = run->config;
	struct bench_progress progress = {
		.done = ++run->done,
		.total = run->total,
		.node = cell ? cell->node : BINDING_NO_NODE,
		.drive = cell ? config->drives[cell->drive].drive.name : NULL,
		.label = cell ? cell->label : NULL,
		.iops = iops,
	};

	if (config->progress)
		config->progress(config->data, &progress);
}

static int measure_alone(struct run *run, size_t i, struct err *err)
{
	struct bench_slice slice;
	int r = bench_session_run(run->session, &run->groups[i], 1, err);

	if (r == 0)
		r = bench_session_measure(run->session, &run->groups[i], 1,
					  &slice, err);
	if (r == 0)
		r = bench_session_pause(run->session, &run->groups[i], 1, err);
	if (r < 0)
		return r;
	keep_slice(run, i, &slice);
	tell(run, &run->result.cells.items[run->cells[i]], slice.iops);
	return 0;
}

static int measure_cells(struct run *run, struct err *err)
{
	size_t n = (size_t)run->config->passes * run->nr;
	size_t *order = arena_array(run->arena, n, sizeof(*order));
	int r = 0;

	run->total = (uint32_t)n;
	order_latin(run->arena, run->result.seed, run->nr, run->config->passes,
		    order);
	for (size_t i = 0; i < n && r == 0; i++)
		r = measure_alone(run, order[i], err);
	return r;
}

static int measure_together(struct run *run, struct err *err)
{
	struct bench_slice *slices =
		arena_array(run->arena, run->nr, sizeof(*slices));
	int r = bench_session_run(run->session, run->groups, run->nr, err);

	run->total = run->config->passes;
	for (uint32_t pass = 0; pass < run->config->passes && r == 0; pass++) {
		uint64_t iops = 0;

		r = bench_session_measure(run->session, run->groups, run->nr,
					  slices, err);
		if (r < 0)
			break;
		for (size_t i = 0; i < run->nr; i++) {
			keep_slice(run, i, &slices[i]);
			iops += slices[i].iops;
		}
		*vec_add(run->arena, &run->result.total_iops) = iops;
		tell(run, NULL, iops);
	}
	return r;
}

static const struct bench_cell *local_cell(const struct bench_matrix *matrix,
					   const struct bench_cell *cell)
{
	VEC_EACH(&matrix->cells, const struct bench_cell, it)
		if (it->drive == cell->drive && it->label == cell->label &&
		    it->local && !it->skipped)
			return it;
	return NULL;
}

static void summarise(struct run *run)
{
	struct bench_matrix *matrix = &run->result;

	VEC_EACH(&matrix->cells, struct bench_cell, cell)
		if (!cell->skipped)
			cell->summary =
				stats_summary(run->arena, cell->slices.items,
					      cell->slices.n, &cell->method);
	VEC_EACH(&matrix->cells, struct bench_cell, cell) {
		const struct bench_cell *local = local_cell(matrix, cell);

		if (local && !cell->skipped)
			cell->of_local_ppt = stats_ppt(cell->summary.iops,
						       local->summary.iops);
	}
}

static int run_all(struct run *run, struct err *err)
{
	const struct bench_cells_config *config = run->config;
	int r = start_cells(run, err);

	if (r == 0 && config->ready)
		r = config->ready(config->data, &run->result, err);
	if (r < 0 || run->nr == 0)
		return r;
	return config->together ? measure_together(run, err) :
				  measure_cells(run, err);
}

int bench_cells_run(struct arena *arena,
		    const struct bench_cells_config *config,
		    struct bench_matrix *ret, struct err *err)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	struct run run = {
		.arena = arena,
		.config = config,
		.result = {
			.seed = config->session.seed,
			.passes = config->passes,
			.settle_ms = config->session.settle_ms,
			.measure_ms = config->session.measure_ms,
			.together = config->together,
		},
	};
	int r = bench_session_new(&session, arena, &config->session, err);

	if (r < 0)
		return r;
	run.session = session;
	r = run_all(&run, err);
	if (r < 0)
		return r;
	summarise(&run);
	*ret = run.result;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/compare.h"

#include "base/arena.h"
#include "base/err.h"
#include "bench/order.h"
#include "bench/stats.h"

static int start_pairs(struct arena *arena,
		       const struct bench_compare_config *config,
		       struct bench_session *session, size_t *groups,
		       struct bench_compare *result, struct err *err)
{
	for (size_t i = 0; i < config->nr_drives; i++) {
		const struct bench_compare_drive *drive = &config->drives[i];
		struct bench_pair *pair = vec_add(arena, &result->pairs);
		int r = bench_session_add(session, &drive->drive,
					  &drive->binding, NULL, &groups[i],
					  err);

		if (r < 0)
			return r;
		pair->drive = drive->drive.name;
		pair->node = drive->binding.node;
		pair->method = bench_session_method(session, groups[i]);
	}
	return 0;
}

static void tell(const struct bench_compare_config *config, size_t done,
		 const struct bench_slice *slices)
{
	struct bench_progress progress = {
		.done = (uint32_t)done,
		.total = config->blocks * 4,
		.node = BINDING_NO_NODE,
	};

	for (size_t i = 0; i < config->nr_drives; i++)
		progress.iops += slices[i].iops;
	if (config->progress)
		config->progress(config->progress_data, &progress);
}

static int measure_arms(struct arena *arena,
			const struct bench_compare_config *config,
			struct bench_session *session, const size_t *groups,
			struct bench_compare *result, struct err *err)
{
	size_t n = (size_t)config->blocks * 4;
	int *arms = arena_array(arena, n, sizeof(*arms));
	struct bench_slice *slices =
		arena_array(arena, config->nr_drives, sizeof(*slices));
	int r = bench_session_run(session, groups, config->nr_drives, err);

	order_blocks(config->session.seed, config->blocks, arms);
	for (size_t i = 0; i < n && r == 0; i++) {
		r = config->arm(config->data, arms[i], err);
		if (r == 0)
			r = bench_session_measure(session, groups,
						  config->nr_drives, slices,
						  err);
		if (r < 0)
			break;
		for (size_t j = 0; j < config->nr_drives; j++)
			*vec_add(arena,
				 &result->pairs.items[j].arms[arms[i]].slices) =
				slices[j];
		tell(config, i + 1, slices);
	}
	return r;
}

static void summarise(struct arena *arena, struct bench_pair *pair)
{
	const struct bench_summary *before = &pair->arms[BENCH_BEFORE].summary;
	const struct bench_summary *after = &pair->arms[BENCH_AFTER].summary;

	for (int which = 0; which < BENCH_ARMS; which++) {
		struct bench_arm *arm = &pair->arms[which];

		arm->summary = stats_summary(arena, arm->slices.items,
					     arm->slices.n, &pair->method);
	}
	pair->iops_ppt = stats_ppt(after->iops, before->iops);
	pair->mean_ppt = stats_ppt(after->mean_ns, before->mean_ns);
	pair->p99_ppt = stats_ppt(after->p99_ns, before->p99_ns);
}

int bench_compare_run(struct arena *arena,
		      const struct bench_compare_config *config,
		      struct bench_compare *ret, struct err *err)
{
	_cleanup_bench_session_ struct bench_session *session = NULL;
	struct bench_compare result = {
		.seed = config->session.seed,
		.blocks = config->blocks,
		.settle_ms = config->session.settle_ms,
		.measure_ms = config->session.measure_ms,
	};
	size_t *groups = arena_array(arena, config->nr_drives, sizeof(*groups));
	int r = bench_session_new(&session, arena, &config->session, err);

	if (r == 0)
		r = start_pairs(arena, config, session, groups, &result, err);
	if (r == 0)
		r = measure_arms(arena, config, session, groups, &result, err);
	if (r < 0)
		return r;
	VEC_EACH(&result.pairs, struct bench_pair, pair)
		summarise(arena, pair);
	*ret = result;
	return 0;
}

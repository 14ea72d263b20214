/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/trial.h"

#include <errno.h>
#include <math.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/order.h"
#include "bench/trial_block.h"

struct run {
	struct arena *arena;
	const struct bench_trial_config *config;
	struct bench_trial *trial;
	struct trial_scratch scratch;
	const int *order; /* of the arms, four for each block */
	struct decide_block *counted;
	uint32_t nr_counted;
	uint32_t nr_void;
};

/* What an arm or a check says: what does not stand voids the block. */
static int disturbed(struct run *run, int code, const struct err *why,
		     const char **ret_why, struct err *err)
{
	if (code == -EPROTO) {
		if (!*ret_why)
			*ret_why = arena_strdup(run->arena, why->text);
		return 0;
	}
	if (code < 0)
		*err = *why;
	return code;
}

static int switch_arm(struct run *run, int which, const char **ret_why,
		      struct err *err)
{
	const struct bench_trial_config *config = run->config;
	struct err why = { 0 };

	if (!config->arm)
		return 0;
	return disturbed(run, config->arm(config->data, which, &why), &why,
			 ret_why, err);
}

static int check_arm(struct run *run, int which, const char **ret_why,
		     struct err *err)
{
	const struct bench_trial_config *config = run->config;
	struct err why = { 0 };

	if (!config->check)
		return 0;
	return disturbed(run, config->check(config->data, which, &why), &why,
			 ret_why, err);
}

static int measure(struct run *run, double *ret_figure, const char **ret_why,
		   struct err *err)
{
	const struct bench_trial_config *config = run->config;
	struct err why = { 0 };

	if (!config->figure)
		return config->measure(config->data, run->scratch.cells, err);
	return disturbed(run, config->figure(config->data, ret_figure, &why),
			 &why, ret_why, err);
}

/* nr: which of the four of its block. */
static int measure_slice(struct run *run, uint32_t block, size_t nr, int which,
			 struct err *err)
{
	double figure = NAN;
	const char *why = NULL;
	int r = switch_arm(run, which, &why, err);

	if (r == 0)
		r = measure(run, &figure, &why, err);
	if (r == 0)
		r = check_arm(run, which, &why, err);
	if (r < 0)
		return r;
	trial_add_slice(run->arena, run->config, &run->scratch, run->trial,
			&(struct trial_place){ block, nr, which, why, figure });
	return 0;
}

/*
 * Where the workers have time to sleep, the drive or the path is the limit:
 * then IOPS stay as they are whatever is tuned, and what moves is what an I/O
 * costs.  Where that cannot be seen for all tasks, latency is what is left:
 * a cost of the workers alone would not see work that moved elsewhere.
 */
static void choose_metric(struct run *run)
{
	struct bench_trial *trial = run->trial;
	double asleep = trial_share_asleep(run->config, trial);
	double cpu = trial_median(run->arena, trial, BENCH_METRIC_CPU,
				  BENCH_BEFORE, true);

	trial->metric = BENCH_METRIC_IOPS;
	if (!(asleep > TRIAL_ASLEEP)) {
		trial->metric_why = "the CPUs are the limit";
	} else if (!isnan(cpu)) {
		trial->metric = BENCH_METRIC_CPU;
		trial->metric_why = "the drive is the limit, not the CPUs";
	} else {
		trial->metric = BENCH_METRIC_P99;
		trial->metric_why =
			"the drive is the limit, and the CPU time of all tasks cannot be seen here";
	}
}

static int pilot(struct run *run, struct err *err)
{
	run->trial->metric = run->config->metric;
	for (uint32_t i = 0; i < run->config->pilot; i++) {
		int r = measure_slice(run, BENCH_TRIAL_PILOT, i % 4,
				      BENCH_BEFORE, err);

		if (r < 0)
			return r;
	}
	if (run->config->pilot)
		choose_metric(run);
	return 0;
}

static void tell(struct run *run, const struct bench_trial_block *block,
		 uint32_t last)
{
	const struct bench_trial_config *config = run->config;
	const struct bench_trial_progress progress = {
		.blocks = run->nr_counted,
		.next = decide_next(config->rule, run->nr_counted),
		.last = last,
		.voided = run->nr_void,
		.void_why = block->void_why,
		.effect = block->effects.effect,
		.metric = run->trial->metric,
	};

	if (config->progress)
		config->progress(config->data, &progress);
}

static const char *cross_border(const struct run *run)
{
	const struct bench_trial_config *config = run->config;

	return config->border ? config->border(config->data) : NULL;
}

/* Four slices; the block may turn out to be void. */
static int measure_block(struct run *run, uint32_t last, struct err *err)
{
	struct bench_trial *trial = run->trial;
	uint32_t nr = (uint32_t)trial->blocks.n;
	struct bench_trial_block *block;
	const char *why;

	for (size_t i = 0; i < 4; i++) {
		int r = measure_slice(run, nr, i, run->order[4 * nr + i], err);

		if (r < 0)
			return r;
	}
	block = vec_add(run->arena, &trial->blocks);
	*block = trial_judge_block(run->arena, trial);
	why = cross_border(run);
	if (why)
		block->void_why = why;
	if (block->void_why) {
		run->nr_void++;
	} else {
		trial_count_block(&run->scratch, trial);
		run->counted[run->nr_counted++] = block->effects;
	}
	tell(run, block, last);
	return 0;
}

static void look(struct run *run)
{
	const struct bench_trial_config *config = run->config;
	struct bench_trial *trial = run->trial;
	const struct decide_input input = {
		.blocks = run->counted,
		.n = run->nr_counted,
		.voided = run->nr_void,
		.nr_cells = config->nr_cells,
		.errors_before = trial->arms[BENCH_BEFORE].errors,
		.errors_after = trial->arms[BENCH_AFTER].errors,
		.mechanism = config->mechanism ?
				     config->mechanism(config->data) :
				     DECIDE_UNSEEN,
	};

	decide_look(run->arena, config->rule, &input, &trial->decision);
}

static uint32_t last_look(const struct decide_rule *rule)
{
	uint32_t last = 0;

	for (uint32_t next; (next = decide_next(rule, last)); last = next)
		;
	return last;
}

/* Void blocks are measured again, up to the point where too many were. */
static int measure_blocks(struct run *run, struct err *err)
{
	struct bench_trial *trial = run->trial;
	uint32_t last = last_look(run->config->rule);
	size_t most = last;
	int *order;

	while (!decide_is_contaminated(run->config->rule,
				       (uint32_t)(most - last)))
		most++;
	order = arena_array(run->arena, 4 * most, sizeof(*order));
	order_blocks(run->config->seed, most, order);
	run->order = order;
	run->counted = arena_array(run->arena, last, sizeof(*run->counted));
	(void)cross_border(run); /* what was before is no block's */
	while (trial->decision.verdict == DECIDE_MORE) {
		int r = measure_block(run, last, err);

		if (r < 0)
			return r;
		look(run);
	}
	return 0;
}

static void summarise(struct run *run)
{
	for (int which = 0; which < BENCH_ARMS; which++)
		for (int metric = 0; metric < BENCH_METRICS; metric++)
			run->trial->arms[which].metrics[metric] = trial_median(
				run->arena, run->trial,
				(enum bench_metric)metric, which, false);
}

int bench_trial_run(struct arena *arena,
		    const struct bench_trial_config *config,
		    struct bench_trial *ret, struct err *err)
{
	struct run run = { .arena = arena, .config = config, .trial = ret };
	int r;

	*ret = (struct bench_trial){
		.seed = config->seed,
		.nr_cells = config->nr_cells,
		.decision = { .verdict = DECIDE_MORE },
	};
	trial_scratch_init(arena, config->nr_cells, &run.scratch, ret);
	r = pilot(&run, err);
	if (r == 0)
		r = measure_blocks(&run, err);
	summarise(&run);
	return r;
}

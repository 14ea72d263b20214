/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/decide.h"

#include <assert.h>
#include <errno.h>
#include <math.h>

#include "base/arena.h"
#include "bench/rank.h"
#include "bench/student.h"

/* Of 2^6 outcomes two are as far out as can be: 3.1 %.  With 5 it is 6.3. */
#define FEWEST_BLOCKS 6

const struct decide_rule decide_rule_default = {
	.min_effect = 0.01,
	.alpha = 0.0182,
	.looks = { 8, 12, 16, 24 },
	.p99_limit = 1.10,
	.cpu_limit = 1.05,
	.cell_limit = 0.97,
	.power = 0.8,
};

/*
 * Pocock's constants: what each of so many equally spaced looks may miss, so
 * that all together miss 5 %.  Ours begin later than equal spacing would:
 * they share more of their data, and miss less.
 */
static const double alpha_of_looks
	[DECIDE_LOOKS +
	 1] = { [1] = 0.05, [2] = 0.0294, [3] = 0.0221, [4] = 0.0182 };

int decide_rule_within(const struct decide_rule *rule, uint32_t most,
		       struct decide_rule *ret)
{
	struct decide_rule within = *rule;
	size_t n = 0;

	if (most < FEWEST_BLOCKS)
		return -ERANGE;
	while (n < DECIDE_LOOKS && rule->looks[n] && rule->looks[n] <= most)
		n++;
	if (n < DECIDE_LOOKS && rule->looks[n]) {
		for (size_t i = n; i < DECIDE_LOOKS; i++)
			within.looks[i] = 0;
		if (n == 0)
			within.looks[n++] = most;
		within.alpha = alpha_of_looks[n];
	}
	*ret = within;
	return 0;
}

struct decide_rule decide_rule_gate(const struct decide_rule *rule)
{
	struct decide_rule gate = *rule;

	gate.alpha = alpha_of_looks[1];
	gate.looks[0] = 12;
	for (size_t i = 1; i < DECIDE_LOOKS; i++)
		gate.looks[i] = 0;
	return gate;
}

uint32_t decide_next(const struct decide_rule *rule, uint32_t n)
{
	for (size_t i = 0; i < DECIDE_LOOKS; i++)
		if (rule->looks[i] > n)
			return rule->looks[i];
	return 0;
}

static uint32_t last_look(const struct decide_rule *rule)
{
	uint32_t last = 0;

	for (size_t i = 0; i < DECIDE_LOOKS && rule->looks[i]; i++)
		last = rule->looks[i];
	return last;
}

static bool is_look(const struct decide_rule *rule, uint32_t n)
{
	return n > 0 && decide_next(rule, n - 1) == n;
}

bool decide_is_contaminated(const struct decide_rule *rule, uint32_t voided)
{
	return voided > last_look(rule) / 4;
}

struct judging {
	struct arena *arena;
	const struct decide_rule *rule;
	const struct decide_input *input;
	struct decide_result *result;
};

/* What is known of the values, whose number the index must be right for. */
static struct decide_range range_of(const struct judging *judging,
				    double *values)
{
	size_t n = 0, c;
	struct rank_interval found;

	for (uint32_t i = 0; i < judging->input->n; i++)
		if (isfinite(values[i]))
			values[n++] = values[i];
	c = rank_index(judging->arena, n, judging->rule->alpha);
	found = rank_interval(judging->arena, values, n, c);
	return (struct decide_range){ found.estimate, found.lower,
				      found.upper };
}

static double effect_of(const struct decide_block *block)
{
	return block->effect;
}

static double p99_of(const struct decide_block *block)
{
	return block->p99;
}

static double cpu_of(const struct decide_block *block)
{
	return block->cpu;
}

static struct decide_range
range_of_blocks(const struct judging *judging,
		double (*value_of)(const struct decide_block *block))
{
	const struct decide_input *input = judging->input;
	double *values = arena_array(judging->arena, input->n, sizeof(*values));

	for (uint32_t i = 0; i < input->n; i++)
		values[i] = value_of(&input->blocks[i]);
	return range_of(judging, values);
}

/* Cell by cell over the blocks, as the least of each block would be a noisy
 * one, another each time. */
static struct decide_range range_of_worst_cell(const struct judging *judging)
{
	const struct decide_input *input = judging->input;
	double *values = arena_array(judging->arena, input->n, sizeof(*values));
	struct decide_range worst = { NAN, NAN, NAN };

	for (size_t cell = 0; cell < input->nr_cells; cell++) {
		struct decide_range range;

		for (uint32_t i = 0; i < input->n; i++)
			values[i] = input->blocks[i].cells[cell];
		range = range_of(judging, values);
		if (!isnan(range.lower) && !(range.estimate >= worst.estimate))
			worst = range;
	}
	return worst;
}

/* The noise of one block, taken back from the width of its interval. */
static double noise_of(const struct decide_range *range, uint32_t n,
		       double alpha)
{
	if (isnan(range->lower))
		return NAN;
	return (range->upper - range->lower) / 2 * sqrt(n) /
	       student_quantile(1 - alpha / 2, n - 1);
}

static void measure(const struct judging *judging)
{
	const struct decide_rule *rule = judging->rule;
	struct decide_result *result = judging->result;
	double noise;

	result->effect = range_of_blocks(judging, effect_of);
	result->p99 = range_of_blocks(judging, p99_of);
	result->cpu = range_of_blocks(judging, cpu_of);
	result->cell = range_of_worst_cell(judging);
	noise = noise_of(&result->effect, result->blocks, rule->alpha);
	if (!isnan(noise))
		result->mde = student_detectable(noise, result->blocks,
						 rule->alpha, rule->power);
}

/*
 * A limit on how much worse something may be: worse and limit are
 * logarithms, + is worse.  By its upper bound, or, of a cell, one of many,
 * by its estimate.
 */
struct limit {
	struct decide_range worse;
	double limit;
	bool by_estimate;
	enum decide_reason trade;
	enum decide_reason noise;
};

#define LIMITS 3

static void find_limits(const struct judging *judging, struct limit *limits)
{
	const struct decide_rule *rule = judging->rule;
	const struct decide_result *result = judging->result;

	limits[0] = (struct limit){ result->p99, log(rule->p99_limit), false,
				    DECIDE_TRADE_P99, DECIDE_NOISE_P99 };
	limits[1] = (struct limit){ result->cpu, log(rule->cpu_limit), false,
				    DECIDE_TRADE_CPU, DECIDE_NOISE_CPU };
	limits[2] =
		(struct limit){ { -result->cell.estimate, -result->cell.upper,
				  -result->cell.lower },
				-log(rule->cell_limit),
				true,
				DECIDE_TRADE_CELL,
				DECIDE_NOISE_CELL };
}

/* What is not known is no objection: comparisons with NAN are false. */
static bool is_over(const struct limit *limit)
{
	return (limit->by_estimate ? limit->worse.estimate :
				     limit->worse.upper) > limit->limit;
}

static enum decide_reason over_for_sure(const struct limit *limits)
{
	for (size_t i = 0; i < LIMITS; i++)
		if (limits[i].worse.lower > limits[i].limit)
			return limits[i].trade;
	return DECIDE_NO_REASON;
}

static const struct limit *first_over(const struct limit *limits)
{
	for (size_t i = 0; i < LIMITS; i++)
		if (is_over(&limits[i]))
			return &limits[i];
	return NULL;
}

static void conclude(struct decide_result *result, enum decide_verdict verdict,
		     enum decide_reason reason)
{
	result->verdict = verdict;
	result->reason = reason;
}

/* Blocks until a bound that is so far away would be passed. */
static uint32_t needed(const struct judging *judging,
		       const struct decide_range *range, double distance)
{
	const struct decide_rule *rule = judging->rule;
	uint32_t n = judging->result->blocks;
	double noise = noise_of(range, n, rule->alpha);
	uint32_t most;

	if (isnan(noise) || !(distance > 0))
		return 0;
	most = student_needed(noise, distance, rule->alpha, rule->power,
			      DECIDE_MOST_BLOCKS);
	return most && most <= n ? n + 1 : most;
}

static void give_up(const struct judging *judging, enum decide_reason reason)
{
	struct decide_result *result = judging->result;
	double least = log1p(judging->rule->min_effect);
	double estimate = result->effect.estimate;

	conclude(result, DECIDE_INCONCLUSIVE, reason);
	result->blocks_needed =
		needed(judging, &result->effect,
		       estimate >= least ? estimate : least - estimate);
}

/* It looks as if it helped.  Where nothing that it works on has moved, that
 * is something else's doing. */
static void judge_mechanism(const struct judging *judging, bool last)
{
	const enum decide_mechanism mechanism = judging->input->mechanism;

	if (mechanism == DECIDE_UNSURE && !last)
		return;
	conclude(judging->result,
		 mechanism == DECIDE_UNSURE || mechanism == DECIDE_UNMOVED ?
			 DECIDE_NOT_APPLIED :
			 DECIDE_CONFIRMED,
		 DECIDE_NO_REASON);
}

/* Better, by enough.  Whether it costs too much is another question. */
static void judge_gain(const struct judging *judging,
		       const struct limit *limits, bool last)
{
	struct decide_result *result = judging->result;
	const struct limit *over = first_over(limits);

	if (!over) {
		judge_mechanism(judging, last);
	} else if (last && over->worse.lower > 0) {
		conclude(result, DECIDE_REJECTED, over->trade);
	} else if (last) {
		conclude(result, DECIDE_INCONCLUSIVE, over->noise);
		result->blocks_needed =
			needed(judging, &over->worse,
			       over->limit - over->worse.estimate);
	}
}

static void judge_look(const struct judging *judging, bool last)
{
	struct decide_result *result = judging->result;
	const struct decide_range *effect = &result->effect;
	double least = log1p(judging->rule->min_effect);
	struct limit limits[LIMITS];
	enum decide_reason over;

	find_limits(judging, limits);
	over = over_for_sure(limits);
	if (effect->upper < least)
		conclude(result, DECIDE_REJECTED,
			 effect->upper < 0 ? DECIDE_REGRESSION : DECIDE_SMALL);
	else if (over != DECIDE_NO_REASON)
		conclude(result, DECIDE_REJECTED, over);
	else if (effect->lower > 0 && effect->estimate >= least)
		judge_gain(judging, limits, last);
	else if (last)
		give_up(judging, DECIDE_NOISE);
}

void decide_look(struct arena *arena, const struct decide_rule *rule,
		 const struct decide_input *input, struct decide_result *ret)
{
	struct judging judging = { arena, rule, input, ret };
	bool last = input->last || input->n >= last_look(rule);
	bool failed = input->errors_after > input->errors_before;
	bool spoilt = decide_is_contaminated(rule, input->voided);

	*ret = (struct decide_result){
		.blocks = input->n,
		.voided = input->voided,
		.alpha = rule->alpha,
		.effect = { NAN, NAN, NAN },
		.p99 = { NAN, NAN, NAN },
		.cpu = { NAN, NAN, NAN },
		.cell = { NAN, NAN, NAN },
		.mde = NAN,
		.errors_before = input->errors_before,
		.errors_after = input->errors_after,
	};
	for (uint32_t i = 0; i < input->n; i++)
		assert(isfinite(input->blocks[i].effect));
	if (!failed && !spoilt && !last && !is_look(rule, input->n))
		return;
	/* All pairs of blocks: too much to do, and to keep, behind each. */
	measure(&judging);
	if (failed)
		conclude(ret, DECIDE_REJECTED, DECIDE_ERRORS);
	else if (spoilt)
		give_up(&judging, DECIDE_CONTAMINATED);
	else
		judge_look(&judging, last);
}

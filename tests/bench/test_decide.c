/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "bench/decide.h"

#define MOST 24

/* Blocks around a middle, alternating by spread to both sides; all are
 * percent. */
struct bench_host {
	struct arena *arena;
	struct decide_block blocks[MOST];
	struct decide_input input;
	struct decide_result result;
};

static double percent(double x)
{
	return log1p(x / 100);
}

static int set_up(void **state)
{
	struct arena *arena = arena_new();
	struct bench_host *host = ARENA_NEW(arena, struct bench_host);

	host->arena = arena;
	host->input.blocks = host->blocks;
	*state = host;
	return 0;
}

static int tear_down(void **state)
{
	struct bench_host *host = *state;

	arena_free(host->arena);
	return 0;
}

/* Spread out by rank, so that no two are equal. */
static double spread_out(double middle, double spread, uint32_t i)
{
	double way = (i % 2 ? 1.0 : -1.0) * (1 + i / 2) / (MOST / 2.0);

	return percent(middle + spread * way);
}

static void measured(struct bench_host *host, uint32_t n, double middle,
		     double spread)
{
	for (uint32_t i = 0; i < MOST; i++)
		host->blocks[i] = (struct decide_block){
			.effect = spread_out(middle, spread, i),
			.p99 = NAN,
			.cpu = NAN,
		};
	host->input.n = n;
}

static enum decide_verdict look(struct bench_host *host)
{
	decide_look(host->arena, &decide_rule_default, &host->input,
		    &host->result);
	return host->result.verdict;
}

static const char *sentence(struct bench_host *host)
{
	struct strbuf out;

	strbuf_init(&out, host->arena);
	decide_to_text(&host->result, &decide_rule_default, "IOPS", &out);
	return out.text;
}

static void assert_tells(struct bench_host *host, const char *part)
{
	if (!strstr(sentence(host), part))
		fail_msg("\"%s\" does not say \"%s\"", sentence(host), part);
}

static void assert_concludes(struct bench_host *host,
			     enum decide_verdict verdict,
			     enum decide_reason reason)
{
	assert_int_equal(look(host), verdict);
	assert_int_equal(host->result.reason, reason);
}

static void a_clear_gain_is_confirmed_at_the_first_look(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, 5, 1);
	assert_concludes(host, DECIDE_CONFIRMED, DECIDE_NO_REASON);
	assert_true(host->result.effect.lower > percent(4));
	assert_true(host->result.effect.upper < percent(6));
	assert_tells(host, "CONFIRMED: IOPS better by 5.0 %");
}

static void a_loss_is_a_regression_and_nothing_is_too_small(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, -5, 1);
	assert_concludes(host, DECIDE_REJECTED, DECIDE_REGRESSION);
	assert_tells(host, "REJECTED (regression): IOPS worse by 5.0 %");
	measured(host, 8, 0, 1);
	assert_concludes(host, DECIDE_REJECTED, DECIDE_SMALL);
	assert_tells(host, "a change must bring 1.0 %");
	/* Better for sure, and still not worth it. */
	measured(host, 8, 0.5, 0.2);
	assert_true(look(host) == DECIDE_REJECTED &&
		    host->result.effect.lower > 0);
}

static void what_nothing_disturbs_is_decided_without_noise(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, 0, 0);
	assert_concludes(host, DECIDE_REJECTED, DECIDE_SMALL);
	measured(host, 8, 1.5, 0);
	assert_concludes(host, DECIDE_CONFIRMED, DECIDE_NO_REASON);
}

static void between_looks_nothing_is_judged(void **state)
{
	struct bench_host *host = *state;

	for (uint32_t n = 1; n < MOST; n++) {
		measured(host, n, 5, 1);
		assert_int_equal(look(host), n == 8 || n == 12 || n == 16 ?
						     DECIDE_CONFIRMED :
						     DECIDE_MORE);
		/* Nor looked at: that takes all pairs of blocks. */
		if (host->result.verdict == DECIDE_MORE)
			assert_true(isnan(host->result.effect.estimate));
	}
	assert_int_equal(decide_next(&decide_rule_default, 0), 8);
	assert_int_equal(decide_next(&decide_rule_default, 8), 12);
	assert_int_equal(decide_next(&decide_rule_default, 13), 16);
	assert_int_equal(decide_next(&decide_rule_default, 24), 0);
}

static void noise_asks_for_more_until_the_last_look(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, 1, 20);
	assert_int_equal(look(host), DECIDE_MORE);
	measured(host, 16, 1, 20);
	assert_int_equal(look(host), DECIDE_MORE);
	measured(host, 24, 3, 20);
	assert_concludes(host, DECIDE_INCONCLUSIVE, DECIDE_NOISE);
	assert_true(host->result.mde > percent(1));
	assert_true(host->result.blocks_needed > 24);
	assert_tells(host, "INCONCLUSIVE (noise)");
	assert_tells(host, "this noise hides less than");
	assert_tells(host, "blocks would decide");
}

static void a_measurement_that_must_end_is_judged_where_it_is(void **state)
{
	struct bench_host *host = *state;

	measured(host, 10, 5, 1);
	host->input.last = true;
	assert_concludes(host, DECIDE_CONFIRMED, DECIDE_NO_REASON);
	measured(host, 3, 5, 1);
	assert_concludes(host, DECIDE_INCONCLUSIVE, DECIDE_NOISE);
	assert_true(isnan(host->result.mde));
	measured(host, 0, 0, 0);
	assert_concludes(host, DECIDE_INCONCLUSIVE, DECIDE_NOISE);
	assert_tells(host, "no block counts");
}

static void a_gain_that_costs_too_much_is_a_trade_off(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, 5, 1);
	for (uint32_t i = 0; i < MOST; i++)
		host->blocks[i].p99 = spread_out(20, 1, i);
	assert_concludes(host, DECIDE_REJECTED, DECIDE_TRADE_P99);
	assert_tells(host, "but p99 x 1.20");
	assert_tells(host, "the limit is 1.10");
	measured(host, 8, 5, 1);
	for (uint32_t i = 0; i < MOST; i++)
		host->blocks[i].cpu = spread_out(8, 1, i);
	assert_concludes(host, DECIDE_REJECTED, DECIDE_TRADE_CPU);
	assert_tells(host, "CPU time per I/O x 1.08");
	/* Worse within the limit is no objection. */
	for (uint32_t i = 0; i < MOST; i++)
		host->blocks[i].cpu = spread_out(3, 1, i);
	assert_concludes(host, DECIDE_CONFIRMED, DECIDE_NO_REASON);
}

/* Not shown to be worse, nor to be within the limit. */
static void a_limit_in_doubt_asks_for_more_and_ends_inconclusive(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, 5, 1);
	for (uint32_t i = 0; i < MOST; i++)
		host->blocks[i].p99 = spread_out(1, 40, i);
	assert_int_equal(look(host), DECIDE_MORE);
	host->input.n = 24;
	assert_concludes(host, DECIDE_INCONCLUSIVE, DECIDE_NOISE_P99);
	assert_tells(host, "INCONCLUSIVE (noise): IOPS better by 5.0 %");
	assert_tells(host, "but p99 x");
}

static void one_cell_that_loses_spoils_the_gain_of_all(void **state)
{
	struct bench_host *host = *state;
	double cells[MOST][3];

	measured(host, 8, 5, 1);
	host->input.nr_cells = 3;
	for (uint32_t i = 0; i < MOST; i++) {
		cells[i][0] = spread_out(12, 1, i);
		cells[i][1] = spread_out(-6, 1, i);
		cells[i][2] = NAN;
		host->blocks[i].cells = cells[i];
	}
	assert_concludes(host, DECIDE_REJECTED, DECIDE_TRADE_CELL);
	assert_tells(host, "the worst cell x 0.94");
	for (uint32_t i = 0; i < MOST; i++)
		cells[i][1] = spread_out(-1, 8, i);
	assert_concludes(host, DECIDE_CONFIRMED, DECIDE_NO_REASON);
}

static void what_is_known_of_few_blocks_only_is_no_objection(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, 5, 1);
	for (uint32_t i = 0; i < 4; i++)
		host->blocks[i].p99 = percent(50);
	assert_concludes(host, DECIDE_CONFIRMED, DECIDE_NO_REASON);
	assert_true(isnan(host->result.p99.upper));
}

static void new_errors_reject_at_once(void **state)
{
	struct bench_host *host = *state;

	measured(host, 3, 5, 1);
	host->input.errors_before = host->input.errors_after = 2;
	assert_int_equal(look(host), DECIDE_MORE);
	host->input.errors_after = 3;
	assert_concludes(host, DECIDE_REJECTED, DECIDE_ERRORS);
	assert_tells(host, "3 I/Os failed with it, 2 without");
}

static void what_did_not_move_anything_is_not_applied(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, 5, 1);
	host->input.mechanism = DECIDE_MOVED;
	assert_int_equal(look(host), DECIDE_CONFIRMED);
	host->input.mechanism = DECIDE_UNMOVED;
	assert_concludes(host, DECIDE_NOT_APPLIED, DECIDE_NO_REASON);
	assert_tells(host, "NOT APPLIED: IOPS better by 5.0 %");
}

static void what_may_still_move_is_looked_at_again(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, 5, 1);
	host->input.mechanism = DECIDE_UNSURE;
	assert_int_equal(look(host), DECIDE_MORE);
	measured(host, 24, 5, 1);
	assert_concludes(host, DECIDE_NOT_APPLIED, DECIDE_NO_REASON);
}

/* Whether it did anything matters only where it looks as if it helped. */
static void what_does_harm_is_rejected_moved_or_not(void **state)
{
	struct bench_host *host = *state;

	measured(host, 8, -5, 1);
	host->input.mechanism = DECIDE_UNMOVED;
	assert_concludes(host, DECIDE_REJECTED, DECIDE_REGRESSION);
}

static void too_many_disturbed_blocks_give_up(void **state)
{
	struct bench_host *host = *state;

	measured(host, 5, 5, 1);
	host->input.voided = 6;
	assert_int_equal(look(host), DECIDE_MORE);
	host->input.voided = 7;
	assert_concludes(host, DECIDE_INCONCLUSIVE, DECIDE_CONTAMINATED);
	assert_tells(host, "7 blocks were disturbed");
}

static void fewer_looks_ask_for_less_each(void **state)
{
	struct decide_rule rule;

	(void)state;
	assert_int_equal(decide_rule_within(&decide_rule_default, 5, &rule),
			 -ERANGE);
	assert_int_equal(decide_rule_within(&decide_rule_default, 6, &rule), 0);
	assert_true(rule.looks[0] == 6 && rule.looks[1] == 0);
	assert_true(fabs(rule.alpha - 0.05) < 1e-12);
	assert_int_equal(decide_rule_within(&decide_rule_default, 13, &rule),
			 0);
	assert_true(rule.looks[0] == 8 && rule.looks[1] == 12 &&
		    rule.looks[2] == 0);
	assert_true(fabs(rule.alpha - 0.0294) < 1e-12);
	assert_int_equal(decide_rule_within(&decide_rule_default, 23, &rule),
			 0);
	assert_true(rule.looks[2] == 16 && rule.looks[3] == 0);
	assert_true(fabs(rule.alpha - 0.0221) < 1e-12);
	assert_int_equal(decide_rule_within(&decide_rule_default, 500, &rule),
			 0);
	assert_memory_equal(&rule, &decide_rule_default, sizeof(rule));
}

static void the_gate_is_one_look_at_twelve_blocks(void **state)
{
	struct decide_rule rule = decide_rule_default, gate;

	(void)state;
	rule.min_effect = 0.02;
	gate = decide_rule_gate(&rule);
	assert_int_equal(decide_next(&gate, 0), 12);
	assert_int_equal(decide_next(&gate, 12), 0);
	assert_true(fabs(gate.alpha - 0.05) < 1e-12);
	assert_true(fabs(gate.min_effect - 0.02) < 1e-12);
}

static void ratios_are_parts_per_million_and_unknown_stays_unknown(void **state)
{
	(void)state;
	assert_int_equal(decide_ppm(log(1.02)), 20000);
	assert_int_equal(decide_ppm(log(0.5)), -500000);
	assert_int_equal(decide_ppm(NAN), INT64_MIN);
	assert_int_equal(decide_ppm(INFINITY), INT64_MIN);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_clear_gain_is_confirmed_at_the_first_look),
		T(a_loss_is_a_regression_and_nothing_is_too_small),
		T(what_nothing_disturbs_is_decided_without_noise),
		T(between_looks_nothing_is_judged),
		T(noise_asks_for_more_until_the_last_look),
		T(a_measurement_that_must_end_is_judged_where_it_is),
		T(a_gain_that_costs_too_much_is_a_trade_off),
		T(a_limit_in_doubt_asks_for_more_and_ends_inconclusive),
		T(one_cell_that_loses_spoils_the_gain_of_all),
		T(what_is_known_of_few_blocks_only_is_no_objection),
		T(new_errors_reject_at_once),
		T(what_did_not_move_anything_is_not_applied),
		T(what_may_still_move_is_looked_at_again),
		T(what_does_harm_is_rejected_moved_or_not),
		T(too_many_disturbed_blocks_give_up),
		T(fewer_looks_ask_for_less_each),
		T(the_gate_is_one_look_at_twelve_blocks),
		T(ratios_are_parts_per_million_and_unknown_stays_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The measuring half of apply --confirm: within the transaction of a trial,
 * units one by one, then those that were kept together. */

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/duration.h"
#include "cmd/apply_run.h"
#include "cmd/confirm_arms.h"
#include "cmd/confirm_mechanism.h"
#include "cmd/confirm_meter.h"
#include "cmd/confirm_units.h"
#include "cmd/out.h"
#include "cmd/plan_hash.h"
#include "cmd/restore_text.h"
#include "write/execute.h"
#include "json/facts_json.h"
#include "json/plan_json.h"

struct run {
	struct confirm *confirm;
	struct confirm_arms arms;
	/* Of what is measured now. */
	struct confirm_unit *unit;
	struct confirm_meter meter;
	struct confirm_mechanism mechanism;
	double alpha; /* of a look */
};

/* Is it switched by what is measured now? */
static bool is_switched(const struct run *run, const struct confirm_unit *unit)
{
	if (!run->unit->several)
		return unit == run->unit;
	if (run->confirm->together)
		return true;
	return unit->verdict == DECIDE_CONFIRMED &&
	       unit->evidence == run->unit->evidence;
}

struct choice {
	const struct run *run;
	bool after;
};

/* What was kept so far stays in both arms, what comes later in none. */
static bool is_on(const struct confirm_unit *unit, const void *data)
{
	const struct choice *choice = data;

	return is_switched(choice->run, unit) ? choice->after : unit->kept;
}

static int plan_arm(struct run *run, bool after, struct plan **ret,
		    struct err *err)
{
	const struct choice choice = { .run = run, .after = after };
	const struct profile *profile =
		confirm_profile_with(run->confirm, true, is_on, &choice);

	return context_plan_for(run->confirm->ctx, profile, ret, err);
}

static int switch_arm(void *data, int which, struct err *err)
{
	struct run *run = data;

	return confirm_arms_switch(&run->arms, which, err);
}

static int check_arm(void *data, int which, struct err *err)
{
	struct run *run = data;

	return confirm_arms_check(&run->arms, which, err);
}

/* Every arm was read back, so they differ where they were to.  What shows in
 * the interrupts, too, has to. */
static enum decide_mechanism has_moved(void *data)
{
	const struct run *run = data;
	struct confirm_unit *unit = run->unit;

	if (!run->mechanism.shows)
		return confirm_arms_differ(&run->arms) ? DECIDE_MOVED :
							 DECIDE_UNMOVED;
	unit->mechanism = mechanism_look(run->confirm->ctx->arena, &unit->trial,
					 run->mechanism.shifts, run->alpha);
	return unit->mechanism.state;
}

static int measure_slice(void *data, struct bench_slice *cells, struct err *err)
{
	struct run *run = data;

	return meter_measure(run->meter.meter, cells, err);
}

static int run_figure(void *data, double *ret, struct err *err)
{
	struct run *run = data;

	return meter_figure(run->meter.meter, ret, err);
}

static const char *cross_border(void *data)
{
	struct run *run = data;

	return heat_look(&run->meter.heat);
}

static void tell_progress(void *data,
			  const struct bench_trial_progress *progress)
{
	struct run *run = data;
	struct progress *line = &run->confirm->progress;
	const char *key = run->unit->key;

	if (progress->void_why)
		progress_tell(line, "%s: a block does not count: %s", key,
			      progress->void_why);
	else
		progress_tell(line,
			      "%s: block %u of %u, %u at most: %s %+.1f %%",
			      key, progress->blocks,
			      progress->next ? progress->next : progress->last,
			      progress->last,
			      bench_metric_text(progress->metric),
			      expm1(progress->effect) * 100);
}

static int run_trial(struct run *run, const struct decide_rule *rule,
		     struct err *err)
{
	struct confirm_unit *unit = run->unit;
	struct bench_trial_config config = {
		.seed = run->confirm->seed,
		.rule = rule,
		.measure = measure_slice,
		.figure = run_figure,
		.arm = switch_arm,
		.check = check_arm,
		.border = cross_border,
		.mechanism = has_moved,
		.progress = tell_progress,
		.data = run,
	};
	int r = confirm_meter_open(run->confirm, unit, &run->meter, &config,
				   err);

	confirm_mechanism_find(run->confirm, unit, &run->arms, &run->mechanism);
	run->alpha = rule->alpha;
	if (r == 0) {
		unit->measured = true;
		r = bench_trial_run(run->confirm->ctx->arena, &config,
				    &unit->trial, err);
	}
	if (unit->measured && run->mechanism.shows)
		unit->mechanism_text = confirm_mechanism_text(
			run->confirm->ctx->arena, &run->mechanism,
			&unit->mechanism);
	confirm_meter_close(&run->meter);
	return r;
}

/* One unit or group against the host without it. */
static int measure_unit(struct run *run, struct confirm_unit *unit,
			const struct decide_rule *rule, struct err *err)
{
	const char *why = "it changes nothing beside what is kept already";
	struct plan *before, *after;
	int r;

	run->unit = unit;
	r = plan_arm(run, false, &before, err);
	if (r == 0)
		r = plan_arm(run, true, &after, err);
	if (r < 0)
		return r;
	confirm_arms_want(&run->arms, before, after);
	r = confirm_arms_try(&run->arms, &why, err);
	if (r < 0)
		return r;
	unit->tried = true;
	if (!confirm_arms_differ(&run->arms)) {
		unit->verdict = DECIDE_NOT_APPLIED;
		unit->why = why;
		return 0;
	}
	r = run_trial(run, rule, err);
	unit->verdict = unit->trial.decision.verdict;
	return r;
}

static struct confirm_unit *add_group(struct confirm *confirm, const char *key,
				      enum evidence evidence)
{
	struct confirm_unit *group =
		vec_add(confirm->ctx->arena, &confirm->groups);

	group->key = key;
	group->several = true;
	group->evidence = evidence;
	return group;
}

/* Both kinds of evidence at once can only be seen under load. */
static int measure_together(struct run *run, struct err *err)
{
	struct confirm *confirm = run->confirm;
	struct confirm_unit *all;
	enum evidence evidence = EVIDENCE_IDLE_WAKE;
	int r;

	VEC_EACH(&confirm->units, const struct confirm_unit, unit)
		if (confirm_can_measure(unit) && unit->evidence < evidence)
			evidence = unit->evidence;
	all = add_group(confirm, "all", evidence);
	r = measure_unit(run, all, &confirm->rule, err);
	all->kept = r == 0 && all->verdict == DECIDE_CONFIRMED;
	VEC_EACH(&confirm->units, struct confirm_unit, unit)
		if (confirm_can_measure(unit))
			unit->kept = all->kept || unit->required;
	return r;
}

static int measure_each(struct run *run, struct err *err)
{
	VEC_EACH(&run->confirm->units, struct confirm_unit, unit) {
		int r;

		if (!confirm_can_measure(unit))
			continue;
		r = measure_unit(run, unit, &run->confirm->rule, err);
		if (r < 0)
			return r;
		unit->kept = unit->required ||
			     unit->verdict == DECIDE_CONFIRMED;
	}
	return 0;
}

/*
 * Each of several was sure to 5 %, so one of them may be there by chance:
 * together they are measured once more.
 */
static int measure_gate(struct run *run, enum evidence evidence,
			struct err *err)
{
	struct confirm *confirm = run->confirm;
	const struct decide_rule rule = decide_rule_gate(&confirm->rule);
	struct confirm_unit *gate;
	size_t n = 0;
	int r;

	VEC_EACH(&confirm->units, const struct confirm_unit, unit)
		n += unit->verdict == DECIDE_CONFIRMED &&
		     unit->evidence == evidence;
	if (n < 2)
		return 0;
	gate = add_group(confirm, "kept together", evidence);
	r = measure_unit(run, gate, &rule, err);
	gate->kept = r == 0 && gate->verdict == DECIDE_CONFIRMED;
	VEC_EACH(&confirm->units, struct confirm_unit, unit) {
		if (r < 0 || gate->kept || unit->verdict != DECIDE_CONFIRMED ||
		    unit->evidence != evidence)
			continue;
		unit->kept = unit->required;
		unit->why = "not confirmed together with the others";
	}
	return r;
}

static int measure(void *data, const struct arms *arms, struct err *err)
{
	struct run *run = data;
	int r;

	confirm_arms_init(&run->arms, run->confirm->ctx->arena, arms);
	progress_init(&run->confirm->progress);
	if (run->confirm->together) {
		r = measure_together(run, err);
	} else {
		r = measure_each(run, err);
		if (r == 0)
			r = measure_gate(run, EVIDENCE_LOAD, err);
		if (r == 0)
			r = measure_gate(run, EVIDENCE_IDLE_WAKE, err);
	}
	progress_done(&run->confirm->progress);
	return r;
}

static const char *result_text(void *data)
{
	const struct run *run = data;
	struct json_writer json;
	struct strbuf out;

	strbuf_init(&out, run->confirm->ctx->arena);
	json_writer_init(&json, &out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", CONFIRM_SCHEMA);
	confirm_to_json(run->confirm, true, &json);
	json_end(&json);
	return out.text;
}

/* That values go back is what a trial does: only what does not is told. */
static void tell_restore(void *data, const struct restore_event *event)
{
	(void)data;
	if (event->what != RESTORE_DONE)
		restore_note(event);
}

static bool is_measurable(const struct confirm_unit *unit, const void *data)
{
	(void)data;
	return confirm_can_measure(unit);
}

static int run_transaction(struct run *run, const struct plan *plan,
			   struct execute_trial_result *result, struct err *err)
{
	struct context *ctx = run->confirm->ctx;
	char sum[HASH_TEXT_SIZE];
	struct strbuf plan_json, facts_json;

	strbuf_init(&plan_json, ctx->arena);
	strbuf_init(&facts_json, ctx->arena);
	plan_to_json(plan, ctx->facts, &plan_json);
	facts_to_json(ctx->facts, &facts_json);
	hash_text(plan_json.text, plan_json.len, sum);

	const struct execute_trial_input input = {
		.root = ctx->root,
		.plan = plan,
		.head = apply_head(ctx, plan, sum),
		.plan_json = plan_json.text,
		.facts_json = facts_json.text,
		.measure = measure,
		.result = result_text,
		.tell_restore = tell_restore,
		.data = run,
	};

	return execute_trial(ctx->arena, &input, result, err);
}

/* Many keys take a while, and who waits should know for how long. */
static void tell_time(const struct confirm *confirm)
{
	const struct budget_work work = confirm_work(confirm);
	struct decide_rule first = confirm->rule;
	struct strbuf least, most;

	for (size_t i = 1; i < DECIDE_LOOKS; i++)
		first.looks[i] = 0;
	strbuf_init(&least, confirm->ctx->arena);
	strbuf_init(&most, confirm->ctx->arena);
	duration_to_text(budget_time_ms(&first, &work), &least);
	duration_to_text(budget_time_ms(&confirm->rule, &work), &most);
	if (strcmp(least.text, most.text) != 0)
		strbuf_printf(&least, " at least and %s at most", most.text);
	out_note("measuring %s takes %s",
		 confirm->together     ? "the set" :
		 work.comparisons == 1 ? "one key" :
					 arena_printf(confirm->ctx->arena,
						      "%u keys, one by one,",
						      work.comparisons),
		 least.text);
}

int confirm_run(struct confirm *confirm, struct err *err)
{
	struct run run = { .confirm = confirm };
	struct execute_trial_result result = { 0 };
	const struct profile *profile =
		confirm_profile_with(confirm, true, is_measurable, NULL);
	struct plan *plan;
	int r = context_plan_for(confirm->ctx, profile, &plan, err);

	if (r == 0) {
		tell_time(confirm);
		r = run_transaction(&run, plan, &result, err);
	}
	confirm->trial_id = result.id;
	if (r < 0 && result.undone)
		out_note("trial %u is over, the host is as before", result.id);
	if (r < 0)
		return r;
	if (result.id && !result.undone)
		return err_set(
			err, -EEXIST,
			"somebody changed values while they were measured; they were left alone, see \"nvmetune history show %u\"",
			result.id);
	return 0;
}

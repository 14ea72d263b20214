/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm_mechanism.h"

#include <math.h>

#include "cmd/confirm_units.h"

static bool shift_of(const struct confirm *confirm,
		     const struct confirm_arms *arms, const struct step *step,
		     struct interrupt_shift *ret)
{
	const char *before = arms->wanted[BENCH_BEFORE][step->nr - 1];
	const char *after = arms->wanted[BENCH_AFTER][step->nr - 1];
	struct value from, to;

	if (!step->knob || !step->knob->interrupts || !before || !after ||
	    knob_read_value(step->knob, before, &from) < 0 ||
	    knob_read_value(step->knob, after, &to) < 0 ||
	    knob_evidence(step->knob, confirm->ctx->facts, &step->target) ==
		    EVIDENCE_NONE)
		return false;
	*ret = step->knob->interrupts(arms->arena, &from, &to);
	return ret->change != INTERRUPTS_ANY;
}

static void add_cells(const struct confirm *confirm,
		      const struct confirm_unit *unit,
		      struct confirm_mechanism *it)
{
	const size_t n = confirm->load.drives.n;
	struct arena *arena = confirm->ctx->arena;

	it->names = arena_array(arena, n, sizeof(*it->names));
	it->shifts = arena_array(arena, n, sizeof(*it->shifts));
	if (confirm->command.is_workload)
		return;
	VEC_EACH(&confirm->load.drives, const struct load_drive, drive)
		if (confirm_unit_has(confirm, unit, drive))
			it->names[it->n++] = drive->ns->name;
}

/* On the cells that lie on this controller. */
static void add_shift(const struct confirm *confirm,
		      struct confirm_mechanism *it, const struct ctrl *ctrl,
		      const struct interrupt_shift *shift)
{
	const struct facts *facts = confirm->ctx->facts;
	struct arena *arena = confirm->ctx->arena;
	struct drives drives = { 0 };

	*vec_add(arena, &drives.names) = ctrl->name;
	for (size_t i = 0; i < it->n; i++) {
		if (!drives_have_ns(&drives, facts,
				    facts_ns(facts, it->names[i])))
			continue;
		it->shifts[i].change = shift->change;
		it->shifts[i].cpus =
			cpuset_or(arena, &it->shifts[i].cpus, &shift->cpus);
	}
}

void confirm_mechanism_find(const struct confirm *confirm,
			    const struct confirm_unit *unit,
			    const struct confirm_arms *arms,
			    struct confirm_mechanism *ret)
{
	*ret = (struct confirm_mechanism){ .shows = false };
	add_cells(confirm, unit, ret);
	VEC_EACH(&arms->arms->list->steps, const struct step, step) {
		struct interrupt_shift shift;
		const struct ctrl *ctrl;

		if (!confirm_arms_differ_in(arms, step) ||
		    !shift_of(confirm, arms, step, &shift))
			continue;
		ctrl = confirm_ctrl_of(confirm, step->knob, &step->target);
		if (!ctrl)
			continue;
		ret->shows = true;
		add_shift(confirm, ret, ctrl, &shift);
	}
}

static const char *wish_of(enum interrupt_change change)
{
	static const char *const wishes[] = {
		[INTERRUPTS_ANY] = "",
		[INTERRUPTS_FEWER] = "fewer are what it is for",
		[INTERRUPTS_MORE] = "more are what it is for",
		[INTERRUPTS_ELSEWHERE] = "more is what it is for",
	};

	return wishes[change];
}

static const char *unknown_text(const struct confirm_mechanism *it,
				const struct mechanism *seen)
{
	if (it->n == 0)
		return "what a command does is not counted";
	if (isnan(seen->arms[BENCH_BEFORE]) || isnan(seen->arms[BENCH_AFTER]))
		return "they could not be counted, or there were none";
	if (seen->change == INTERRUPTS_ELSEWHERE)
		return "they were on these CPUs before";
	return "they could be counted in too few blocks";
}

const char *confirm_mechanism_text(struct arena *arena,
				   const struct confirm_mechanism *it,
				   const struct mechanism *seen)
{
	const double before = seen->arms[BENCH_BEFORE];
	const double after = seen->arms[BENCH_AFTER];
	const char *name = seen->cell < it->n ? it->names[seen->cell] :
						"the drive";

	if (seen->state == DECIDE_UNSEEN)
		return arena_printf(
			arena,
			"whether the interrupts of %s moved is unknown, and reading back decides: %s",
			name, unknown_text(it, seen));
	if (seen->change == INTERRUPTS_ELSEWHERE)
		return arena_printf(
			arena,
			"the CPUs asked for took %.1f %% of the interrupts of %s before and %.1f %% after: %s",
			before * 100, name, after * 100, wish_of(seen->change));
	return arena_printf(
		arena,
		"%s raised %.3f interrupts for each I/O before and %.3f after: %s",
		name, before, after, wish_of(seen->change));
}

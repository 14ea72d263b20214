/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/mechanism.h"

#include <math.h>

#include "base/arena.h"
#include "bench/rank.h"

/* No share can rise beyond all. */
#define ALL 0.99

static double share_of(const struct cpu_counts *counts,
		       const struct cpuset *cpus)
{
	double all = 0, part = 0;
	size_t i = 0;

	CPUSET_EACH(&counts->cpus, cpu) {
		const double n = (double)counts->counts.items[i++];

		all += n;
		if (cpuset_has(cpus, (unsigned int)cpu))
			part += n;
	}
	return all > 0 ? part / all : NAN;
}

static double total_of(const struct cpu_counts *counts)
{
	double all = 0;

	VEC_EACH(&counts->counts, const int64_t, n)
		all += (double)*n;
	return all;
}

/* Of a slice; NAN: not known, or there were none, as of what is polled. */
static double value_of(const struct bench_slice *slice,
		       const struct interrupt_shift *shift)
{
	double all;

	if (!slice->has_interrupts || slice->ios == 0)
		return NAN;
	if (shift->change == INTERRUPTS_ELSEWHERE)
		return share_of(&slice->interrupts, &shift->cpus);
	all = total_of(&slice->interrupts);
	return all > 0 ? all / (double)slice->ios : NAN;
}

/* How far a block moved the way it should: after less before. */
static double moved_by(const struct bench_trial *trial, uint32_t block,
		       size_t cell, const struct interrupt_shift *shift)
{
	double sum = 0;

	VEC_EACH(&trial->slices, const struct bench_trial_slice, it) {
		double value;

		if (it->block != block)
			continue;
		value = value_of(&it->cells[cell].slice, shift);
		if (shift->change != INTERRUPTS_ELSEWHERE)
			value = log(value);
		sum += it->which == BENCH_AFTER ? value : -value;
	}
	return shift->change == INTERRUPTS_FEWER ? -sum / 2 : sum / 2;
}

static double average(const struct bench_trial *trial, size_t cell,
		      const struct interrupt_shift *shift, int which)
{
	double sum = 0, n = 0;

	VEC_EACH(&trial->slices, const struct bench_trial_slice, it) {
		double value = value_of(&it->cells[cell].slice, shift);

		if (it->which != which || isnan(value) ||
		    it->block >= trial->blocks.n ||
		    trial->blocks.items[it->block].void_why)
			continue;
		sum += value;
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

static enum decide_mechanism judge(const struct mechanism *cell,
				   const struct rank_interval *moved)
{
	if (isnan(moved->lower) || (cell->change == INTERRUPTS_ELSEWHERE &&
				    cell->arms[BENCH_BEFORE] > ALL))
		return DECIDE_UNSEEN;
	if (moved->lower > 0 && moved->estimate >= MECHANISM_LEAST)
		return DECIDE_MOVED;
	return moved->upper < MECHANISM_LEAST ? DECIDE_UNMOVED : DECIDE_UNSURE;
}

static struct mechanism look_at(struct arena *arena,
				const struct bench_trial *trial, size_t cell,
				const struct interrupt_shift *shift,
				double alpha)
{
	struct mechanism ret = { .cell = cell, .change = shift->change };
	double *values = arena_array(arena, trial->blocks.n, sizeof(*values));
	struct rank_interval moved;
	size_t n = 0;

	for (uint32_t i = 0; i < trial->blocks.n; i++) {
		double value = moved_by(trial, i, cell, shift);

		if (!trial->blocks.items[i].void_why && isfinite(value))
			values[n++] = value;
	}
	moved = rank_interval(arena, values, n, rank_index(arena, n, alpha));
	for (int which = 0; which < BENCH_ARMS; which++)
		ret.arms[which] = average(trial, cell, shift, which);
	ret.state = judge(&ret, &moved);
	return ret;
}

/* The states are in the order in which one cell's outweighs another's. */
struct mechanism mechanism_look(struct arena *arena,
				const struct bench_trial *trial,
				const struct interrupt_shift *shifts,
				double alpha)
{
	struct mechanism ret = { .state = DECIDE_UNSEEN,
				 .change = INTERRUPTS_ANY,
				 .arms = { NAN, NAN } };

	for (size_t i = 0; i < trial->nr_cells; i++) {
		struct mechanism cell;

		if (shifts[i].change == INTERRUPTS_ANY)
			continue;
		cell = look_at(arena, trial, i, &shifts[i], alpha);
		if (ret.change == INTERRUPTS_ANY || cell.state > ret.state)
			ret = cell;
	}
	return ret;
}

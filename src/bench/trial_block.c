/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/trial_block.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/parse.h"

static const struct {
	const char *name;
	const char *text;
	bool less_is_better;
} metrics[BENCH_METRICS] = {
	[BENCH_METRIC_IOPS] = { "iops", "IOPS", false },
	[BENCH_METRIC_CPU] = { "cpu", "CPU per I/O", true },
	[BENCH_METRIC_P99] = { "p99", "p99", true },
	[BENCH_METRIC_MEAN] = { "mean", "mean latency", true },
	[BENCH_METRIC_RATE] = { "rate", "throughput", false },
	[BENCH_METRIC_TIME] = { "time", "time", true },
};

const char *bench_metric_text(enum bench_metric metric)
{
	return metrics[metric].text;
}

const char *bench_metric_name(enum bench_metric metric)
{
	return metrics[metric].name;
}

bool bench_metric_is_less_better(enum bench_metric metric)
{
	return metrics[metric].less_is_better;
}

int bench_metric_parse(const char *name, enum bench_metric *ret)
{
	for (int i = 0; i < BENCH_METRICS; i++)
		if (text_equal(metrics[i].name, name)) {
			*ret = (enum bench_metric)i;
			return 0;
		}
	return -EINVAL;
}

void trial_scratch_init(struct arena *arena, size_t nr_cells,
			struct trial_scratch *scratch,
			struct bench_trial *trial)
{
	scratch->cells = arena_array(arena, nr_cells, sizeof(*scratch->cells));
	for (size_t i = 0; i < 4; i++)
		scratch->latency[i] = ARENA_NEW(arena, struct histogram);
	for (int which = 0; which < BENCH_ARMS; which++)
		trial->arms[which].latency = ARENA_NEW(arena, struct histogram);
}

/* What measured them may be gone before the trial is. */
static struct cpu_counts counts_of(struct arena *arena,
				   const struct cpu_counts *counts)
{
	struct cpu_counts ret = { .cpus = { 0 } };
	size_t i = 0;

	CPUSET_EACH(&counts->cpus, cpu) {
		cpuset_add(arena, &ret.cpus, (unsigned int)cpu);
		*vec_add(arena, &ret.counts) = counts->counts.items[i++];
	}
	return ret;
}

static struct bench_trial_cell cell_of(struct arena *arena,
				       const struct bench_slice *slice)
{
	struct bench_trial_cell cell = { .slice = *slice };
	const struct histogram *latency = slice->latency;

	cell.slice.latency = NULL;
	cell.slice.interrupts = counts_of(arena, &slice->interrupts);
	if (!latency)
		return cell;
	cell.mean_ns = histogram_mean(latency);
	cell.p50_ns = histogram_quantile(latency, 500000);
	cell.p99_ns = histogram_quantile(latency, 990000);
	cell.p999_ns = histogram_quantile(latency, 999000);
	cell.max_ns = latency->max_ns;
	return cell;
}

static const char *why_disturbed(const struct bench_slice *cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (cells[i].void_why)
			return cells[i].void_why;
		if (cells[i].errors)
			return "an I/O failed";
		if (cells[i].ios == 0)
			return "no I/O completed";
	}
	return NULL;
}

static double positive_or_nan(double value)
{
	return value > 0 ? value : NAN;
}

/* Of all tasks: the workers' own time would not see what moved elsewhere. */
static double cpu_per_io(const struct bench_slice *cells, size_t n)
{
	double run_ns = 0, ios = 0;

	for (size_t i = 0; i < n; i++) {
		if (cells[i].cpu_source != BENCH_CPU_SCHEDSTAT &&
		    cells[i].cpu_source != BENCH_CPU_STAT)
			return NAN;
		run_ns += (double)cells[i].run_ns;
		ios += (double)cells[i].ios;
	}
	return ios > 0 ? positive_or_nan(run_ns / ios) : NAN;
}

static void fill_metrics(const struct bench_slice *cells, size_t n,
			 const struct histogram *latency, double *ret)
{
	uint64_t iops = 0;

	for (size_t i = 0; i < n; i++)
		iops += cells[i].iops;
	ret[BENCH_METRIC_IOPS] = positive_or_nan((double)iops);
	ret[BENCH_METRIC_CPU] = cpu_per_io(cells, n);
	ret[BENCH_METRIC_P99] =
		positive_or_nan((double)histogram_quantile(latency, 990000));
	ret[BENCH_METRIC_MEAN] = positive_or_nan(
		latency->count ?
			(double)latency->sum_ns / (double)latency->count :
			0);
	ret[BENCH_METRIC_RATE] = ret[BENCH_METRIC_TIME] = NAN;
}

void trial_add_slice(struct arena *arena,
		     const struct bench_trial_config *config,
		     struct trial_scratch *scratch, struct bench_trial *trial,
		     const struct trial_place *place)
{
	struct bench_trial_slice *slice = vec_add(arena, &trial->slices);
	struct bench_trial_arm *arm = &trial->arms[place->which];
	struct histogram *latency = scratch->latency[place->nr];

	memset(latency, 0, sizeof(*latency));
	slice->block = place->block;
	slice->which = place->which;
	slice->cells =
		arena_array(arena, config->nr_cells, sizeof(*slice->cells));
	for (size_t i = 0; i < config->nr_cells; i++) {
		const struct bench_slice *cell = &scratch->cells[i];

		slice->cells[i] = cell_of(arena, cell);
		if (cell->latency)
			histogram_merge(latency, cell->latency);
		/* The pilot is of one arm alone, and no more of it. */
		if (place->block == BENCH_TRIAL_PILOT)
			continue;
		arm->errors += cell->errors;
		if (!arm->first_error)
			arm->first_error = cell->first_error;
	}
	slice->disturbed = place->disturbed ? place->disturbed :
					      why_disturbed(scratch->cells,
							    config->nr_cells);
	fill_metrics(scratch->cells, config->nr_cells, latency, slice->metrics);
	if (!isnan(place->figure))
		slice->metrics[trial->metric] = positive_or_nan(place->figure);
}

static const struct bench_trial_slice *
slices_of(const struct bench_trial *trial)
{
	return &trial->slices.items[trial->slices.n - 4];
}

/* Mean logarithm of after less that of before, which takes a drift out. */
static double log_ratio(const struct bench_trial_slice *slices,
			double (*get)(const struct bench_trial_slice *slice,
				      size_t index),
			size_t index)
{
	double sum = 0;

	for (size_t i = 0; i < 4; i++) {
		double value = log(get(&slices[i], index));

		sum += slices[i].which == BENCH_AFTER ? value : -value;
	}
	return sum / 2;
}

static double get_metric(const struct bench_trial_slice *slice, size_t index)
{
	return slice->metrics[index];
}

static double get_rate(const struct bench_trial_slice *slice, size_t index)
{
	return positive_or_nan((double)slice->cells[index].slice.iops);
}

/*
 * A p99 of fewer reads is that of a handful, and what each costs drowns in
 * what the host does on its own: reads that are spaced out for a drive to
 * fall asleep are judged by what they are measured for alone.
 */
#define ENOUGH_IOS 1000

static bool has_enough(const struct bench_trial_slice *slices, size_t nr_cells)
{
	for (size_t i = 0; i < 4; i++) {
		uint64_t ios = 0;

		for (size_t j = 0; j < nr_cells; j++)
			ios += slices[i].cells[j].slice.ios;
		if (ios < ENOUGH_IOS)
			return false;
	}
	return true;
}

struct bench_trial_block trial_judge_block(struct arena *arena,
					   const struct bench_trial *trial)
{
	const struct bench_trial_slice *slices = slices_of(trial);
	struct bench_trial_block ret = { 0 };
	double *cells = arena_array(arena, trial->nr_cells, sizeof(*cells));
	double effect = log_ratio(slices, get_metric, trial->metric);
	bool enough = has_enough(slices, trial->nr_cells);

	for (size_t i = 0; i < 4 && !ret.void_why; i++)
		ret.void_why = slices[i].disturbed;
	if (!ret.void_why && !isfinite(effect))
		ret.void_why = "what is compared could not be measured";
	for (size_t i = 0; i < trial->nr_cells; i++)
		cells[i] = log_ratio(slices, get_rate, i);
	ret.effects = (struct decide_block){
		.effect = metrics[trial->metric].less_is_better ? -effect :
								  effect,
		.p99 = enough ?
			       log_ratio(slices, get_metric, BENCH_METRIC_P99) :
			       NAN,
		.cpu = enough ?
			       log_ratio(slices, get_metric, BENCH_METRIC_CPU) :
			       NAN,
		.cells = cells,
	};
	return ret;
}

void trial_count_block(const struct trial_scratch *scratch,
		       struct bench_trial *trial)
{
	const struct bench_trial_slice *slices = slices_of(trial);

	for (size_t i = 0; i < 4; i++) {
		struct bench_trial_arm *arm = &trial->arms[slices[i].which];

		histogram_merge(arm->latency, scratch->latency[i]);
		for (size_t j = 0; j < trial->nr_cells; j++)
			arm->ios += slices[i].cells[j].slice.ios;
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool counts(const struct bench_trial *trial,
		   const struct bench_trial_slice *slice, bool pilot)
{
	if (slice->block == BENCH_TRIAL_PILOT)
		return pilot;
	return !pilot && slice->block < trial->blocks.n &&
	       !trial->blocks.items[slice->block].void_why;
}

double trial_median(struct arena *arena, const struct bench_trial *trial,
		    enum bench_metric metric, int which, bool pilot)
{
	double *values = arena_array(arena, trial->slices.n, sizeof(*values));
	size_t n = 0;

	VEC_EACH(&trial->slices, const struct bench_trial_slice, it)
		if (it->which == which && counts(trial, it, pilot) &&
		    isfinite(it->metrics[metric]))
			values[n++] = it->metrics[metric];
	if (n == 0)
		return NAN;
	qsort(values, n, sizeof(*values), compare_doubles);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double trial_share_asleep(const struct bench_trial_config *config,
			  const struct bench_trial *trial)
{
	double workers = 0, asleep = 0;

	VEC_EACH(&trial->slices, const struct bench_trial_slice, it)
		for (size_t i = 0; i < config->nr_cells; i++) {
			double jobs = config->jobs ? config->jobs[i] : 1;

			if (it->block != BENCH_TRIAL_PILOT)
				continue;
			workers += jobs;
			asleep += jobs * (double)it->cells[i].slice.sleep_ppt;
		}
	return workers > 0 ? asleep / workers / 1000 : NAN;
}

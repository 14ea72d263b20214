/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t *sort(struct arena *arena, const uint64_t *values, size_t n)
{
	uint64_t *sorted = arena_array(arena, n, sizeof(*sorted));

	memcpy(sorted, values, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_u64);
	return sorted;
}

uint64_t stats_median(struct arena *arena, const uint64_t *values, size_t n)
{
	const uint64_t *sorted;

	if (n == 0)
		return 0;
	sorted = sort(arena, values, n);
	if (n % 2)
		return sorted[n / 2];
	return sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

#define CONFIDENCE 0.95

/*
 * Each value is above the median as often as a coin shows heads: the pair
 * leaves it out where all but its outer values fall on one side.
 */
int64_t stats_median_range(struct arena *arena, const uint64_t *values,
			   size_t n, uint64_t *ret_low, uint64_t *ret_high)
{
	const uint64_t *sorted;
	double term = 1.0, outside, held;
	size_t at = 0;

	if (n == 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		term /= 2.0;
	outside = term;
	held = 1.0 - 2.0 * outside;
	for (size_t next = 1; next < n / 2; next++) {
		term *= (double)(n - next + 1) / (double)next;
		outside += term;
		if (1.0 - 2.0 * outside < CONFIDENCE)
			break;
		held = 1.0 - 2.0 * outside;
		at = next;
	}
	sorted = sort(arena, values, n);
	*ret_low = sorted[at];
	*ret_high = sorted[n - 1 - at];
	return (int64_t)(held * 1000.0 + 0.5);
}

int64_t stats_ppt(uint64_t part, uint64_t whole)
{
	if (whole == 0)
		return -1;
	return (int64_t)((double)part * 1000.0 / (double)whole + 0.5);
}

/* Little's law, 10 % off: more than the stamps' error can explain. */
static bool is_cpu_bound(struct arena *arena, const struct bench_slice *slices,
			 size_t n, const struct bench_method *method)
{
	uint64_t wanted = (uint64_t)method->jobs * method->depth * 1000;
	uint64_t *in_flight = arena_array(arena, n, sizeof(*in_flight));

	for (size_t i = 0; i < n; i++)
		in_flight[i] = slices[i].in_flight_milli;
	return stats_median(arena, in_flight, n) < wanted / 10 * 9;
}

static int64_t little_ppt(const struct bench_slice *slices, size_t n)
{
	uint64_t in_flight = 0, held = 0;

	for (size_t i = 0; i < n; i++) {
		in_flight += slices[i].in_flight_milli;
		held += slices[i].held_milli;
	}
	return stats_ppt(in_flight, held);
}

static struct num merges(const struct bench_slice *slices, size_t n)
{
	struct num sum = num_known(0);

	for (size_t i = 0; i < n; i++) {
		if (!slices[i].merges.known)
			return num_unknown(slices[i].merges.why);
		sum.value += slices[i].merges.value;
	}
	return n ? sum : num_unknown(0);
}

/* Where each slice could see what its CPUs ran. */
static struct num cores_milli(const struct bench_slice *slices, size_t n)
{
	double run_ns = 0, ios = 0;

	for (size_t i = 0; i < n; i++) {
		if (slices[i].cpu_source == BENCH_CPU_NONE)
			return num_unknown(0);
		run_ns += (double)slices[i].run_ns;
		ios += (double)slices[i].ios;
	}
	return ios > 0 ? num_known((int64_t)(run_ns / ios / 10.0 + 0.5)) :
			 num_unknown(0);
}

static const struct histogram *
merged_writes(struct arena *arena, const struct bench_slice *slices, size_t n)
{
	struct histogram *writes = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!slices[i].writes)
			continue;
		if (!writes)
			writes = ARENA_NEW(arena, struct histogram);
		histogram_merge(writes, slices[i].writes);
	}
	return writes;
}

struct bench_summary stats_summary(struct arena *arena,
				   const struct bench_slice *slices, size_t n,
				   const struct bench_method *method)
{
	struct histogram *all = ARENA_NEW(arena, struct histogram);
	uint64_t *iops = arena_array(arena, n, sizeof(*iops));
	struct bench_summary summary = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct bench_slice *slice = &slices[i];

		iops[i] = slice->iops;
		if (!summary.zero_ppt.known)
			summary.zero_ppt = slice->zero_ppt;
		summary.ios += slice->ios;
		summary.errors += slice->errors;
		summary.disturbed += slice->void_why != NULL;
		if (!summary.first_error)
			summary.first_error = slice->first_error;
		if (i == 0 || slice->iops < summary.iops_min)
			summary.iops_min = slice->iops;
		if (slice->iops > summary.iops_max)
			summary.iops_max = slice->iops;
		histogram_merge(all, slice->latency);
	}
	summary.cores_milli = cores_milli(slices, n);
	summary.iops = stats_median(arena, iops, n);
	summary.confidence_ppt = stats_median_range(
		arena, iops, n, &summary.iops_low, &summary.iops_high);
	summary.spread_ppt =
		stats_ppt(summary.iops_max - summary.iops_min, summary.iops);
	summary.mean_ns = histogram_mean(all);
	summary.p50_ns = histogram_quantile(all, 500000);
	summary.p99_ns = histogram_quantile(all, 990000);
	summary.p999_ns = histogram_quantile(all, 999000);
	summary.max_ns = all->max_ns;
	summary.latency = all;
	summary.cpu_bound = n && !method->gap_ns &&
			    is_cpu_bound(arena, slices, n, method);
	summary.little_ppt = summary.errors ? -1 : little_ppt(slices, n);
	summary.merges = merges(slices, n);
	summary.writes = merged_writes(arena, slices, n);
	return summary;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/collect.h"

#include "bench/worker.h"

void collect_epoch(struct bench_slice *slice, const struct bench_epoch *epoch)
{
	const struct bench_counters *counters = &epoch->counters;
	uint64_t elapsed_ns = epoch->end_ns - epoch->begin_ns;

	slice->ios += counters->latency.count;
	slice->errors += counters->errors;
	if (!slice->first_error)
		slice->first_error = counters->first_error;
	slice->cpu_ns += epoch->cpu_ns;
	slice->user_ns += epoch->user_ns;
	slice->switches += epoch->switches;
	slice->involuntary_switches += epoch->involuntary_switches;
	slice->elapsed_ns += elapsed_ns; /* a sum, until all are in */
	if (elapsed_ns) {
		double seconds = (double)elapsed_ns / 1e9;

		slice->iops +=
			(uint64_t)((double)counters->latency.count / seconds +
				   0.5);
		slice->in_flight_milli +=
			(uint64_t)((double)counters->latency.sum_ns * 1000.0 /
					   (double)elapsed_ns +
				   0.5);
		slice->held_milli +=
			(uint64_t)((double)epoch->held_ns * 1000.0 /
					   (double)elapsed_ns +
				   0.5);
	}
	slice->late += counters->late;
	histogram_merge(slice->latency, &counters->latency);
	if (slice->writes)
		histogram_merge(slice->writes, &counters->writes);
}

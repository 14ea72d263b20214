/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/bench_result.h"

const char *bench_cpu_source_name(enum bench_cpu_source source)
{
	static const char *const names[] = {
		[BENCH_CPU_NONE] = "none",
		[BENCH_CPU_SCHEDSTAT] = "schedstat",
		[BENCH_CPU_STAT] = "stat",
		[BENCH_CPU_THREADS] = "threads",
	};

	return names[source];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/void.h"

static bool has_failed(const struct bench_slice *slice,
		       const struct bench_method *method)
{
	(void)method;
	return slice->errors > 0;
}

static bool lost_a_cpu(const struct bench_slice *slice,
		       const struct bench_method *method)
{
	(void)method;
	return num_or(slice->offline, 0) != 0;
}

static bool was_robbed(const struct bench_slice *slice,
		       const struct bench_method *method)
{
	(void)method;
	return num_or(slice->steal_ppt, 0) > (int64_t)VOID_STEAL_PPT;
}

static bool had_company(const struct bench_slice *slice,
			const struct bench_method *method)
{
	uint64_t most = slice->ios * VOID_FOREIGN_PPT / 1000 +
			(uint64_t)method->jobs * method->depth;

	/* Of a drive that is known to be in use, the company is wanted. */
	return !method->most_iops &&
	       num_or(slice->foreign_ios, 0) > (int64_t)most;
}

/* Kernel threads that do the work of our I/Os take the CPU, too, and that by
 * what is tuned: only where programs ran was it somebody else. */
static bool was_preempted(const struct bench_slice *slice,
			  const struct bench_method *method)
{
	double seconds = (double)slice->elapsed_ns / 1e9;

	if (num_or(slice->others_ppt, VOID_OTHERS_PPT + 1) <=
	    (int64_t)VOID_OTHERS_PPT)
		return false;

	return (double)slice->involuntary_switches >
	       seconds * VOID_PREEMPTED_PER_S * method->jobs;
}

const char *void_why(const struct bench_slice *slice,
		     const struct bench_method *method)
{
	static const struct {
		bool (*holds)(const struct bench_slice *slice,
			      const struct bench_method *method);
		const char *why;
	} rules[] = {
		{ has_failed, "I/Os failed" },
		{ lost_a_cpu, "a CPU went offline" },
		{ was_robbed,
		  "the hypervisor gave more than 1 % of the CPUs' time to others" },
		{ had_company,
		  "others did more than 0.5 % of the I/Os on the drive" },
		{ was_preempted,
		  "other programs took the CPU from the workers more than 50 times a second" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].holds(slice, method))
			return rules[i].why;
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/samples.h"

#include "base/parse.h"

#define LONGEST_MS (24 * 60 * 60 * 1000)

/* What two looks differ by has 32 bits; a file may hold anything. */
static int64_t plausible(int64_t n)
{
	return n < 0 || n > UINT32_MAX ? 0 : n;
}

int64_t samples_interval_ms(const struct samples *samples)
{
	int64_t ms = num_or(samples->interval_ms, 0);

	return ms < 0 || ms > LONGEST_MS ? 0 : ms;
}

int64_t samples_per_second(const struct samples *samples, int64_t n)
{
	int64_t ms = samples_interval_ms(samples);

	return ms > 0 && n < INT64_MAX / 1000 ? n * 1000 / ms : 0;
}

int64_t cpu_counts_total(const struct cpu_counts *counts)
{
	int64_t total = 0;

	VEC_EACH(&counts->counts, const int64_t, it)
		total += plausible(*it);
	return total;
}

int64_t cpu_counts_on(const struct cpu_counts *counts, unsigned int cpu)
{
	size_t i = 0;

	CPUSET_EACH(&counts->cpus, it) {
		if (i == counts->counts.n)
			return 0;
		if (it == (int)cpu)
			return plausible(counts->counts.items[i]);
		i++;
	}
	return 0;
}

/* That it completed: reads, writes, discards, flushes. */
static int64_t requests_of(const struct disk_sample *disk)
{
	return plausible(num_or(disk->reads, 0)) +
	       plausible(num_or(disk->writes, 0)) +
	       plausible(num_or(disk->discards, 0)) +
	       plausible(num_or(disk->flushes, 0));
}

const struct disk_sample *samples_disk(const struct samples *samples,
				       const char *disk)
{
	VEC_EACH(&samples->disks, const struct disk_sample, it)
		if (text_equal(it->disk, disk))
			return it;
	return NULL;
}

int64_t samples_ctrl_requests(const struct facts *facts,
			      const struct ctrl *ctrl)
{
	int64_t total = -1;

	VEC_EACH(&facts->namespaces, const struct ns, ns) {
		const struct disk_sample *disk;

		if (!text_equal(ns->ctrl, ctrl->name))
			continue;
		disk = samples_disk(&facts->samples, ns->name);
		if (!disk)
			return -1;
		total = (total < 0 ? 0 : total) + requests_of(disk);
	}
	return total;
}

static const struct vector_sample *sample_of(const struct samples *samples,
					     const struct ctrl *ctrl,
					     const struct vector *vector)
{
	VEC_EACH(&samples->vectors, const struct vector_sample, it)
		if (it->irq == vector->irq && text_equal(it->ctrl, ctrl->name))
			return it;
	return NULL;
}

int64_t samples_ctrl_interrupts(const struct facts *facts,
				const struct ctrl *ctrl)
{
	int64_t total = -1;

	VEC_EACH(&ctrl->vectors, const struct vector, vector) {
		const struct vector_sample *sample;

		if (num_or(vector->queue, 0) < 1)
			continue;
		sample = sample_of(&facts->samples, ctrl, vector);
		if (!sample)
			return -1;
		total = (total < 0 ? 0 : total) +
			cpu_counts_total(&sample->interrupts);
	}
	return total;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

/*
 * Reading facts.samples.  Sums leave out what is unknown, or cannot be; a
 * saved host may hold fewer counts than CPUs, and those without a count have
 * none.
 */

/* 0 where there are no samples. */
int64_t samples_interval_ms(const struct samples *samples);

/* n in the interval as a rate; 0 where there are no samples. */
int64_t samples_per_second(const struct samples *samples, int64_t n);

int64_t cpu_counts_total(const struct cpu_counts *counts);
int64_t cpu_counts_on(const struct cpu_counts *counts, unsigned int cpu);

const struct disk_sample *samples_disk(const struct samples *samples,
				       const char *disk);

/* Requests that a controller completed, by its own disks, and interrupts that
 * its I/O queues made.  -1: not all of them were looked at. */
int64_t samples_ctrl_requests(const struct facts *facts,
			      const struct ctrl *ctrl);
int64_t samples_ctrl_interrupts(const struct facts *facts,
				const struct ctrl *ctrl);

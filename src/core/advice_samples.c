/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Advice from what happened between two looks, which a capture has.  An idle
 * host gives none: below these rates a share tells nothing.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "core/advisor.h"
#include "core/samples.h"

#define BUSY_PER_SECOND 1000
#define MOST_PERCENT 90
#define BUSY_PERCENT 30

static int64_t percent(int64_t part, int64_t whole)
{
	return whole > 0 ? part * 100 / whole : 0;
}

static const struct vector *vector_of(const struct ctrl *ctrl,
				      const struct vector_sample *sample)
{
	VEC_EACH(&ctrl->vectors, const struct vector, it)
		if (it->irq == sample->irq)
			return it;
	return NULL;
}

static bool is_io_of(const struct vector_sample *sample,
		     const struct ctrl *ctrl)
{
	return text_equal(sample->ctrl, ctrl->name) &&
	       num_or(sample->queue, 0) > 0;
}

/* Interrupts of a controller's I/O queues, and on which CPU most came in. */
struct tally {
	int64_t total;
	unsigned int vectors; /* that made one in a hundred and more */
	unsigned int cpu;
	int64_t on_cpu;
	int64_t elsewhere; /* of these, though the vector names other CPUs */
	int64_t movable;   /* of these, of vectors that can be moved */
};

static int64_t count_on(const struct facts *facts, const struct ctrl *ctrl,
			unsigned int cpu)
{
	int64_t n = 0;

	VEC_EACH(&facts->samples.vectors, const struct vector_sample, it)
		if (is_io_of(it, ctrl))
			n += cpu_counts_on(&it->interrupts, cpu);
	return n;
}

static struct tally tally_of(const struct facts *facts, const struct ctrl *ctrl)
{
	const struct samples *samples = &facts->samples;
	struct tally tally = { 0 };

	VEC_EACH(&samples->vectors, const struct vector_sample, it)
		if (is_io_of(it, ctrl))
			tally.total += cpu_counts_total(&it->interrupts);
	VEC_EACH(&samples->vectors, const struct vector_sample, it)
		tally.vectors += is_io_of(it, ctrl) && tally.total &&
				 percent(cpu_counts_total(&it->interrupts),
					 tally.total) > 0;
	CPUSET_EACH(&facts->online, cpu) {
		int64_t n = count_on(facts, ctrl, (unsigned int)cpu);

		if (n > tally.on_cpu) {
			tally.on_cpu = n;
			tally.cpu = (unsigned int)cpu;
		}
	}
	return tally;
}

/* Where the kernel sends it is known, and this CPU is not there. */
static bool goes_elsewhere(const struct vector *vector, unsigned int cpu)
{
	const struct cpuset *cpus = cpuset_is_empty(&vector->effective) ?
					    &vector->mask :
					    &vector->effective;

	return !cpuset_is_empty(cpus) && !cpuset_has(cpus, cpu);
}

static void find_causes(const struct facts *facts, const struct ctrl *ctrl,
			struct tally *tally)
{
	VEC_EACH(&facts->samples.vectors, const struct vector_sample, it) {
		const struct vector *vector = vector_of(ctrl, it);
		int64_t n = cpu_counts_on(&it->interrupts, tally->cpu);

		if (!is_io_of(it, ctrl) || !vector)
			continue;
		if (goes_elsewhere(vector, tally->cpu))
			tally->elsewhere += n;
		else if (num_or(vector->managed, 1) == 0)
			tally->movable += n;
	}
}

/*
 * Below a VMD, whose domains have five digits, the drives' vectors share its
 * own, and only these have a CPU (drivers/pci/controller/vmd.c).
 */
static bool is_below_vmd(const struct ctrl *ctrl)
{
	const char *colon = ctrl->address ? strchr(ctrl->address, ':') : NULL;

	return colon && colon - ctrl->address > 4;
}

static const char *deliverer(const struct ctrl *ctrl)
{
	return is_below_vmd(ctrl) ?
		       "they share the vectors of the VMD above the drive, and where those go decides" :
		       "the hypervisor or the platform delivers them so, and no setting here moves them";
}

/*
 * Several queues are at work and one CPU gets their interrupts.  One queue at
 * work is no sign: then one CPU submits.
 */
static void concentrated(const struct advisor *advisor, const struct ctrl *ctrl)
{
	const struct facts *facts = advisor->facts;
	struct tally tally = tally_of(facts, ctrl);
	int64_t rate = samples_per_second(&facts->samples, tally.total);

	if (rate < BUSY_PER_SECOND || tally.vectors < 2 ||
	    cpuset_count(&facts->online) < 2 ||
	    percent(tally.on_cpu, tally.total) < MOST_PERCENT)
		return;
	find_causes(facts, ctrl, &tally);
	if (tally.elsewhere * 2 > tally.on_cpu)
		advise(advisor, ctrl->name,
		       "%" PRId64 " %% of %" PRId64
		       " interrupts a second of %u queues come in on CPU %u, to which the kernel does not send them: %s",
		       percent(tally.on_cpu, tally.total), rate, tally.vectors,
		       tally.cpu, deliverer(ctrl));
	else if (tally.movable * 2 > tally.on_cpu && !is_below_vmd(ctrl))
		advise(advisor, ctrl->name,
		       "%" PRId64 " %% of %" PRId64
		       " interrupts a second of %u queues come in on CPU %u, and these can be moved: irq.affinity = spread",
		       percent(tally.on_cpu, tally.total), rate, tally.vectors,
		       tally.cpu);
}

struct cpu_share {
	unsigned int cpu;
	int64_t count;
};

static int most_first(const void *a, const void *b)
{
	const struct cpu_share *x = a, *y = b;

	return (x->count < y->count) - (x->count > y->count);
}

/* The fewest CPUs that together have nearly all of the counts. */
static struct cpuset fewest(struct arena *arena,
			    const struct cpu_counts *counts)
{
	const int64_t total = cpu_counts_total(counts);
	VEC(struct cpu_share) shares = { 0 };
	struct cpuset cpus = { 0 };
	int64_t sum = 0;

	CPUSET_EACH(&counts->cpus, cpu)
		*vec_add(arena, &shares) = (struct cpu_share){
			.cpu = (unsigned int)cpu,
			.count = cpu_counts_on(counts, (unsigned int)cpu),
		};
	if (shares.n)
		qsort(shares.items, shares.n, sizeof(*shares.items),
		      most_first);
	for (size_t i = 0; i < shares.n && percent(sum, total) < MOST_PERCENT;
	     i++) {
		cpuset_add(arena, &cpus, shares.items[i].cpu);
		sum += shares.items[i].count;
	}
	return cpus;
}

static bool is_few(const struct facts *facts, const struct cpuset *cpus)
{
	unsigned int n = cpuset_count(cpus);
	unsigned int online = cpuset_count(&facts->online);

	return n == 1 ? online >= 4 : n > 0 && n * 8 <= online;
}

/* Ticks are coarse: a CPU may seem to have had more time than there was. */
static bool is_share(struct num ms, const struct samples *samples)
{
	return ms.known && ms.value >= 0 &&
	       ms.value <= 2 * samples_interval_ms(samples);
}

/* Percent of their time that these CPUs spend in interrupts of both kinds;
 * -1 where that of one is unknown. */
static int64_t interrupt_percent(const struct facts *facts,
				 const struct cpuset *cpus)
{
	int64_t ms = 0;
	unsigned int seen = 0;

	VEC_EACH(&facts->samples.cpus, const struct cpu_sample, it) {
		if (it->cpu < 0 || !cpuset_has(cpus, (unsigned int)it->cpu))
			continue;
		if (!is_share(it->softirq_ms, &facts->samples) ||
		    !is_share(it->irq_ms, &facts->samples))
			return -1;
		ms += it->softirq_ms.value + it->irq_ms.value;
		seen++;
	}
	if (seen == 0 || seen != cpuset_count(cpus))
		return -1;
	return percent(ms, samples_interval_ms(&facts->samples) * seen);
}

/* The controller that completed most, and all that NVMe drives completed. */
static const struct ctrl *busiest(const struct facts *facts, int64_t *ret_all)
{
	const struct ctrl *most = NULL;
	int64_t best = 0;

	*ret_all = 0;
	VEC_EACH(&facts->ctrls, const struct ctrl, ctrl) {
		int64_t n = samples_ctrl_requests(facts, ctrl);

		if (n <= 0)
			continue;
		*ret_all += n;
		if (n > best) {
			best = n;
			most = ctrl;
		}
	}
	return most;
}

/* What rq_affinity reads on the first disk of a controller; -1: unknown. */
static int64_t rq_affinity(const struct facts *facts, const struct ctrl *ctrl)
{
	VEC_EACH(&facts->namespaces, const struct ns, ns) {
		if (!text_equal(ns->ctrl, ctrl->name))
			continue;
		VEC_EACH(&facts->observed, const struct observation, it)
			if (text_equal(it->knob, "queue.rq_affinity") &&
			    text_equal(it->target, ns->name) &&
			    it->value.type == VALUE_UINT)
				return (int64_t)it->value.u.number;
	}
	return -1;
}

/*
 * A request ends in a softirq where it is handed to the CPU that submitted
 * it, or where the disk has one queue only (block/blk-mq.c,
 * blk_mq_complete_request_remote()).
 */
static const char *softirq_cause(const struct facts *facts,
				 const struct ctrl *ctrl)
{
	if (num_or(ctrl->queue_count, 0) != 2)
		return "requests end where they were submitted: the threads that read and write run on few CPUs";
	switch (rq_affinity(facts, ctrl)) {
	case 0:
	case 1:
		return "it has one queue, whose interrupt ends the requests of all; queue.rq_affinity = 2 hands each to the CPU that submitted it";
	case 2:
		return "requests are handed to the CPUs that submitted them: the threads that read and write run on few";
	default:
		return "it has one queue, whose interrupt ends the requests of all";
	}
}

static void softirqs(const struct advisor *advisor)
{
	const struct facts *facts = advisor->facts;

	VEC_EACH(&facts->samples.softirqs, const struct softirq_sample, it) {
		int64_t total = cpu_counts_total(&it->raised), all;
		int64_t rate = samples_per_second(&facts->samples, total);
		const struct ctrl *ctrl = busiest(facts, &all);
		struct cpuset cpus;
		int64_t busy;

		/* Other disks raise them, too. */
		if (!text_equal(it->name, "BLOCK") || !ctrl ||
		    rate < BUSY_PER_SECOND || all < total)
			continue;
		cpus = fewest(advisor->arena, &it->raised);
		busy = interrupt_percent(facts, &cpus);
		if (!is_few(facts, &cpus) || busy < BUSY_PERCENT)
			continue;
		advise(advisor, ctrl->name,
		       "nearly all of %" PRId64
		       " completion softirqs a second run on CPU%s %s, busy with interrupts for %" PRId64
		       " %% of the time: %s",
		       rate, cpuset_count(&cpus) == 1 ? "" : "s",
		       cpuset_text(advisor->arena, &cpus), busy,
		       softirq_cause(facts, ctrl));
	}
}

/*
 * Polled requests make no interrupt.  Where there are as many interrupts as
 * requests, none was polled; fewer prove nothing, since one may end many.
 */
static void unused_poll_queues(const struct advisor *advisor,
			       const struct ctrl *ctrl)
{
	const struct facts *facts = advisor->facts;
	int64_t queues = num_or(ctrl->queues_poll, 0);
	int64_t requests = samples_ctrl_requests(facts, ctrl);
	int64_t interrupts = samples_ctrl_interrupts(facts, ctrl);
	int64_t rate = samples_per_second(&facts->samples, requests);

	if (queues < 1 || rate < BUSY_PER_SECOND || interrupts < requests)
		return;
	advise(advisor, ctrl->name,
	       "%" PRId64
	       " queues only serve programs that poll, and in the second that was looked at all %" PRId64
	       " requests made an interrupt: nothing polled",
	       queues, requests);
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "irq.concentrated",
		   .severity = "warning",
		   .confidence = "likely",
		   .summary =
			   "one CPU gets the interrupts of several busy queues",
		   .evidence =
			   "Between two looks, 90 % of 1000 and more interrupts a second of several queues came in on one CPU, and either the kernel sends them to others or they can be moved.",
		   .remedy =
			   "Where they can be moved, irq.affinity = spread; where the hypervisor delivers them so, another machine type or kernel.",
		   .source =
			   "Documentation/core-api/irq/irq-affinity.rst; /proc/irq/N/effective_affinity" },
	  .check_ctrl = concentrated },
	{ .doc = { .id = "softirq.concentrated",
		   .severity = "info",
		   .confidence = "likely",
		   .summary = "few CPUs complete the requests of all",
		   .evidence =
			   "Between two looks, 90 % of 1000 and more block softirqs a second ran on one CPU, or an eighth of them and fewer, which spent 30 % of their time in interrupts, and NVMe drives completed as many requests.",
		   .remedy =
			   "One queue: queue.rq_affinity = 2. Several: spread the threads that read and write.",
		   .source =
			   "block/blk-mq.c, blk_mq_complete_request_remote()" },
	  .check_host = softirqs },
	{ .doc = { .id = "poll.unused",
		   .severity = "info",
		   .confidence = "certain",
		   .summary =
			   "queues are set aside for polling and nothing polled",
		   .evidence =
			   "The drive has poll queues, and between two looks its other queues made as many interrupts as it completed requests, 1000 a second and more.",
		   .remedy =
			   "module.nvme.poll_queues = 0 gives the queues back, unless something polls at other times: only io_uring's IOPOLL does, which has to be asked for.",
		   .source =
			   "io_uring_setup(2), IORING_SETUP_IOPOLL; drivers/nvme/host/pci.c, nvme_poll()" },
	  .check_ctrl = unused_poll_queues },
};

const struct advice_rows advice_samples = ADVICE_ROWS(rows);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "cmd/remarks.h"
#include "core/plan.h"
#include "host.h"
#include "knobs/knob_list.h"

/*
 * Each kind of advice has a row of cases: a host that gives reason for it,
 * and hosts that give none.  The host is two nodes, 8 CPUs and one drive with
 * a queue for each CPU, of which nothing is to be said.
 */

struct advice_case {
	const char *what;
	const char *id;
	const char *text; /* a part of it; NULL: the kind is not said */
	void (*make)(struct arena *arena, struct facts *facts);
};

static struct ctrl *drive(struct facts *facts)
{
	return &facts->ctrls.items[0];
}

static void set_cpus(struct arena *arena, struct cpuset *set, const char *list)
{
	*set = (struct cpuset){ 0 };
	assert_int_equal(cpuset_parse_list(arena, list, set), 0);
}

/* Vectors of queues 0, 1 ...; the admin queue's is not managed. */
static void set_vectors(struct arena *arena, struct facts *facts,
			const char *const *masks)
{
	drive(facts)->vectors.n = 0;
	for (int64_t i = 0; masks[i]; i++) {
		struct vector *it = vec_add(arena, &drive(facts)->vectors);

		*it = (struct vector){ .irq = 40 + i,
				       .queue = num_known(i),
				       .managed = num_known(i > 0) };
		if (*masks[i])
			set_cpus(arena, &it->mask, masks[i]);
	}
}
#define MASKS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void plain(struct arena *arena, struct facts *facts)
{
	(void)arena;
	(void)facts;
}

static void resetting(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->state = "resetting";
}

static void stateless(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->state = NULL;
}

static void hot(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->smart.critical_warning = num_known(2);
}

static void used_up(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->smart.used_percent = num_known(104);
}

static void used_half(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->smart.used_percent = num_known(99);
}

static void three_media_errors(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->smart.media_errors = num_known(3);
}

static void no_media_errors(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->smart.media_errors = num_known(0);
}

/* A drive whose deepest state takes 8 ms to leave. */
static void micron_2400(struct arena *arena, struct facts *facts)
{
	struct power_state *deepest =
		vec_add(arena, &drive(facts)->power_states);

	*deepest = (struct power_state){ .non_operational = num_known(1),
					 .exit_us = num_known(8000) };
	drive(facts)->model = "Micron_2400_MTFDKBA1T0QFM";
	drive(facts)->pm_qos_latency_us = num_known(100000);
}

static void micron_2400_without_limit(struct arena *arena, struct facts *facts)
{
	micron_2400(arena, facts);
	drive(facts)->pm_qos_latency_us = num_known(-1);
}

static void micron_2400_kept_from_it(struct arena *arena, struct facts *facts)
{
	micron_2400(arena, facts);
	drive(facts)->pm_qos_latency_us = num_known(7999);
}

static void micron_2400_unseen(struct arena *arena, struct facts *facts)
{
	micron_2400(arena, facts);
	drive(facts)->pm_qos_latency_us = num_unknown(0);
}

static void micron_2450(struct arena *arena, struct facts *facts)
{
	micron_2400(arena, facts);
	drive(facts)->model = "Micron_2450_MTFDKBA1T0TFK";
}

static void nowhere(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->node = num_unknown(0);
}

static void nowhere_of_one_node(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->node = num_unknown(0);
	facts->nodes.n = 1;
}

static void mdts(struct facts *facts, int64_t mdts, int64_t kb)
{
	drive(facts)->mdts = num_known(mdts);
	facts->namespaces.items[0].max_hw_sectors_kb = num_known(kb);
}

static void mdts_5(struct arena *arena, struct facts *facts)
{
	(void)arena;
	mdts(facts, 5, 128);
}

static void mdts_9(struct arena *arena, struct facts *facts)
{
	(void)arena;
	mdts(facts, 9, 2048);
}

/* Here something else, the IOMMU perhaps, bounds it. */
static void mdts_9_of_128(struct arena *arena, struct facts *facts)
{
	(void)arena;
	mdts(facts, 9, 128);
}

static void mdts_0(struct arena *arena, struct facts *facts)
{
	(void)arena;
	mdts(facts, 0, 4096);
}

static void add_pool(struct arena *arena, struct facts *facts, int64_t ever)
{
	*vec_add(arena, &drive(facts)->pools) = (struct dma_pool){
		.name = "prp list 256",
		.blocks_ever = ever,
	};
}

static void one_pair_used(struct arena *arena, struct facts *facts)
{
	add_pool(arena, facts, 0);
	add_pool(arena, facts, 80);
}

static void one_pair_unused(struct arena *arena, struct facts *facts)
{
	add_pool(arena, facts, 0);
	add_pool(arena, facts, 0);
}

static void a_pair_a_node(struct arena *arena, struct facts *facts)
{
	for (int i = 0; i < 4; i++)
		add_pool(arena, facts, 80);
}

static void one_pair_one_node(struct arena *arena, struct facts *facts)
{
	one_pair_used(arena, facts);
	facts->nodes.n = 1;
}

static struct link link_of(int64_t speed, int64_t width, int64_t most_speed,
			   int64_t most_width)
{
	return (struct link){ num_known(speed), num_known(width),
			      num_known(most_speed), num_known(most_width) };
}

static void one_lane_of_four(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->link = drive(facts)->port = link_of(8000, 1, 8000, 4);
}

static void slot_of_one_lane(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->link = link_of(8000, 1, 8000, 4);
	drive(facts)->port = link_of(8000, 1, 8000, 1);
}

static void four_lanes_of_four(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->link = drive(facts)->port = link_of(8000, 4, 8000, 4);
}

static void port_unknown(struct arena *arena, struct facts *facts)
{
	(void)arena;
	drive(facts)->link = link_of(8000, 1, 8000, 4);
}

/* n drives of 16.0 GT/s x4 behind a switch whose port at the top, and the one
 * above it, have these links. */
static void behind_switch(struct arena *arena, struct facts *facts, int n,
			  struct link lower, struct link upper)
{
	const struct link link = link_of(16000, 4, 16000, 4);

	for (int i = 0; i < n; i++) {
		struct ctrl *ctrl = i ? vec_add(arena, &facts->ctrls) :
					drive(facts);

		*ctrl = *drive(facts);
		ctrl->name = arena_printf(arena, "nvme%d", i);
		ctrl->link = ctrl->port = link;
		ctrl->path.items = NULL;
		ctrl->path.n = ctrl->path.cap = 0;
		*vec_add(arena, &ctrl->path) =
			(struct pci_port){ "0000:42:00.0", link };
		*vec_add(arena, &ctrl->path) =
			(struct pci_port){ "0000:41:00.0", lower };
		*vec_add(arena, &ctrl->path) =
			(struct pci_port){ "0000:40:01.0", upper };
	}
}

static void four_behind_eight_lanes(struct arena *arena, struct facts *facts)
{
	behind_switch(arena, facts, 4, link_of(16000, 8, 16000, 8),
		      link_of(16000, 8, 16000, 16));
}

static void two_behind_eight_lanes(struct arena *arena, struct facts *facts)
{
	behind_switch(arena, facts, 2, link_of(16000, 8, 16000, 8),
		      link_of(16000, 8, 16000, 16));
}

static void one_behind_two_lanes(struct arena *arena, struct facts *facts)
{
	behind_switch(arena, facts, 1, link_of(16000, 2, 16000, 8),
		      link_of(16000, 2, 16000, 2));
}

static void switch_trained_down(struct arena *arena, struct facts *facts)
{
	behind_switch(arena, facts, 2, link_of(16000, 2, 16000, 8),
		      link_of(16000, 2, 16000, 16));
}

/* Whatever these two ports are, they are not the ends of one link. */
static void ends_of_two_links(struct arena *arena, struct facts *facts)
{
	behind_switch(arena, facts, 4, link_of(16000, 2, 16000, 8),
		      link_of(16000, 4, 16000, 4));
}

static void switch_unreadable(struct arena *arena, struct facts *facts)
{
	behind_switch(arena, facts, 4, (struct link){ 0 }, (struct link){ 0 });
}

static void add_log(struct arena *arena, struct facts *facts, const char *kind,
		    const char *device, int64_t count)
{
	*vec_add(arena, &facts->log) = (struct log_count){
		.kind = kind,
		.device = device,
		.count = count,
	};
}

static void timed_out(struct arena *arena, struct facts *facts)
{
	add_log(arena, facts, "timeout", "nvme0", 3);
	add_log(arena, facts, "controller-down", "nvme0", 1);
}

static void another_timed_out(struct arena *arena, struct facts *facts)
{
	add_log(arena, facts, "timeout", "nvme1", 3);
}

/* Somebody may have asked for it. */
static void was_reset(struct arena *arena, struct facts *facts)
{
	add_log(arena, facts, "reset", "nvme0", 1);
}

static void refused_table(struct arena *arena, struct facts *facts)
{
	add_log(arena, facts, "apst-error", "nvme0", 1);
}

static void corrected(struct arena *arena, struct facts *facts)
{
	add_log(arena, facts, "aer-correctable", "nvme0", 57);
}

static void corrected_in_the_log(struct arena *arena, struct facts *facts)
{
	add_log(arena, facts, "aer", "nvme0", 12);
}

/* A network card's, at another address. */
static void others_corrected(struct arena *arena, struct facts *facts)
{
	drive(facts)->address = "0000:41:00.0";
	add_log(arena, facts, "aer", "0000:00:1c.5", 9000);
	add_log(arena, facts, "aer-correctable", "nvme3", 9000);
}

static void queues(struct facts *facts, int64_t n)
{
	drive(facts)->queue_count = num_known(n + 1);
	drive(facts)->queues_default = num_known(n);
}

static void queue_1(struct arena *arena, struct facts *facts)
{
	(void)arena;
	queues(facts, 1);
}

static void queues_4(struct arena *arena, struct facts *facts)
{
	(void)arena;
	queues(facts, 4);
}

static void queues_7(struct arena *arena, struct facts *facts)
{
	(void)arena;
	queues(facts, 7);
}

static void queues_2_over_tcp(struct arena *arena, struct facts *facts)
{
	(void)arena;
	queues(facts, 2);
	drive(facts)->transport = "tcp";
}

static void set_poll_queues(struct facts *facts, const char *n)
{
	facts->modules.items[0].params.items[0].live = n;
}

static void io_poll(struct facts *facts, int64_t on)
{
	facts->namespaces.items[0].io_poll = num_known(on);
}

static void written_under_the_driver(struct arena *arena, struct facts *facts)
{
	(void)arena;
	set_poll_queues(facts, "2");
	io_poll(facts, 0);
}

static void reset_after_writing(struct arena *arena, struct facts *facts)
{
	written_under_the_driver(arena, facts);
	set_vectors(arena, facts, MASKS("0-3", "0-1", "2-3", "4-5", "6-7"));
}

static void polling(struct arena *arena, struct facts *facts)
{
	reset_after_writing(arena, facts);
	io_poll(facts, 1);
	drive(facts)->queues_poll = num_known(4);
}

/* One I/O queue is all there is: none is left for polling. */
static void one_queue_asked_to_poll(struct arena *arena, struct facts *facts)
{
	written_under_the_driver(arena, facts);
	queues(facts, 1);
}

static void io_poll_unknown(struct arena *arena, struct facts *facts)
{
	(void)arena;
	set_poll_queues(facts, "2");
}

static void a_single_vector(struct arena *arena, struct facts *facts)
{
	set_vectors(arena, facts, MASKS("0-7"));
	drive(facts)->queue_count = num_known(2);
}

static void a_single_vector_of_a_guest(struct arena *arena, struct facts *facts)
{
	a_single_vector(arena, facts);
	facts->hypervisor = "xen";
}

static void one_queue_with_a_vector(struct arena *arena, struct facts *facts)
{
	set_vectors(arena, facts, MASKS("0-7", "0-7"));
	drive(facts)->queue_count = num_known(2);
}

static void all_on_node_0(struct arena *arena, struct facts *facts)
{
	set_vectors(arena, facts, MASKS("0-3", "0-1", "2-3"));
}

static void on_both_nodes(struct arena *arena, struct facts *facts)
{
	set_vectors(arena, facts, MASKS("0-3", "0-1", "2-5"));
}

static void one_mask_unknown(struct arena *arena, struct facts *facts)
{
	set_vectors(arena, facts, MASKS("0-3", "0-1", ""));
}

static void node_without_cpus(struct arena *arena, struct facts *facts)
{
	all_on_node_0(arena, facts);
	facts->nodes.items[1].cpus = (struct cpuset){ 0 };
}

static void isolate(struct arena *arena, struct facts *facts, const char *cpus,
		    const char *cmdline)
{
	set_cpus(arena, &facts->isolated, cpus);
	facts->cmdline = cmdline;
	set_vectors(arena, facts, MASKS("0-3", "0-1", "2-3", "4-5", "6-7"));
}

static void whole_masks_isolated(struct arena *arena, struct facts *facts)
{
	isolate(arena, facts, "6-7", "ro isolcpus=6-7");
}

static void half_a_mask_isolated(struct arena *arena, struct facts *facts)
{
	isolate(arena, facts, "7", "ro isolcpus=7");
}

static void half_a_mask_managed(struct arena *arena, struct facts *facts)
{
	isolate(arena, facts, "7", "ro isolcpus=managed_irq,domain,7");
}

static void isolated_without_vectors(struct arena *arena, struct facts *facts)
{
	isolate(arena, facts, "7", "ro isolcpus=7");
	drive(facts)->vectors.n = 0;
}

static void strict(struct arena *arena, struct facts *facts)
{
	(void)arena;
	facts->iommu_type = drive(facts)->iommu_type = "DMA";
}

static void lazy(struct arena *arena, struct facts *facts)
{
	(void)arena;
	facts->iommu_type = drive(facts)->iommu_type = "DMA-FQ";
}

static void add_irqbalance(struct arena *arena, struct facts *facts,
			   const char *state)
{
	*vec_add(arena, &facts->services) =
		(struct service){ .name = "irqbalance", .state = state };
}

static void balanced(struct arena *arena, struct facts *facts)
{
	add_irqbalance(arena, facts, "running");
}

static void not_balanced(struct arena *arena, struct facts *facts)
{
	add_irqbalance(arena, facts, "stopped");
}

static void balanced_without_drives(struct arena *arena, struct facts *facts)
{
	add_irqbalance(arena, facts, "running");
	facts->ctrls.n = 0;
}

static void option(struct arena *arena, struct facts *facts, const char *param,
		   const char *value)
{
	*vec_add(arena, &facts->options) = (struct module_option){
		.module = "nvme",
		.param = param,
		.value = value,
		.file = "/etc/modprobe.d/nvme.conf",
		.line = 3,
	};
}

static void option_known(struct arena *arena, struct facts *facts)
{
	option(arena, facts, "poll_queues", "8");
}

static void option_made_up(struct arena *arena, struct facts *facts)
{
	option(arena, facts, "io_queues", "8");
}

static void option_above_cpus(struct arena *arena, struct facts *facts)
{
	option(arena, facts, "poll_queues", "9");
}

static void option_twice(struct arena *arena, struct facts *facts)
{
	option_known(arena, facts);
	option(arena, facts, "poll_queues", "4");
}

static void option_again(struct arena *arena, struct facts *facts)
{
	option_known(arena, facts);
	option_known(arena, facts);
}

static void io_timeout(struct arena *arena, struct facts *facts,
		       const char *seconds)
{
	option(arena, facts, "io_timeout", seconds);
	facts->options.items[0].module = "nvme_core";
}

static void hour_for_all(struct arena *arena, struct facts *facts)
{
	io_timeout(arena, facts, "3600");
}

static void minute_for_all(struct arena *arena, struct facts *facts)
{
	io_timeout(arena, facts, "60");
}

static void hour_for_volumes(struct arena *arena, struct facts *facts)
{
	hour_for_all(arena, facts);
	drive(facts)->model = "Amazon Elastic Block Store";
}

static void option_for_builtin(struct arena *arena, struct facts *facts)
{
	option_known(arena, facts);
	facts->modules.items[0].state = "builtin";
}

static void option_unread(struct arena *arena, struct facts *facts)
{
	option_known(arena, facts);
	*vec_add(arena, &facts->ignored_options) = facts->options.items[0];
	facts->options.n = 0;
}

/* One second in which the vectors of queues 1 ... made these interrupts. */
static void second(struct arena *arena, struct facts *facts)
{
	facts->samples.interval_ms = num_known(1000);
	set_cpus(arena, &facts->online, "0-7");
}

static struct vector_sample *interrupts(struct arena *arena,
					struct facts *facts, int64_t queue,
					const char *cpu, int64_t n)
{
	struct vector_sample *it = vec_add(arena, &facts->samples.vectors);

	*it = (struct vector_sample){ .ctrl = "nvme0",
				      .irq = 40 + queue,
				      .queue = num_known(queue) };
	set_cpus(arena, &it->interrupts.cpus, cpu);
	*vec_add(arena, &it->interrupts.counts) = n;
	return it;
}

static void all_on_cpu_0(struct arena *arena, struct facts *facts, int64_t n,
			 const char *mask)
{
	second(arena, facts);
	set_vectors(arena, facts, MASKS("0-7", mask, mask, mask, mask));
	for (int64_t queue = 1; queue <= 4; queue++)
		(void)interrupts(arena, facts, queue, "0", n);
}

static void set_unmanaged(struct facts *facts)
{
	VEC_EACH(&drive(facts)->vectors, struct vector, it)
		it->managed = num_known(0);
}

static void unmanaged_on_cpu_0(struct arena *arena, struct facts *facts)
{
	all_on_cpu_0(arena, facts, 5000, "0-7");
	set_unmanaged(facts);
}

static void delivered_to_cpu_0(struct arena *arena, struct facts *facts)
{
	all_on_cpu_0(arena, facts, 5000, "4-7");
}

/* The mask has CPU 0, and the kernel sends it elsewhere. */
static void not_even_sent_to_cpu_0(struct arena *arena, struct facts *facts)
{
	unmanaged_on_cpu_0(arena, facts);
	VEC_EACH(&drive(facts)->vectors, struct vector, it)
		set_cpus(arena, &it->effective, "3");
}

static void below_a_vmd(struct arena *arena, struct facts *facts)
{
	delivered_to_cpu_0(arena, facts);
	drive(facts)->address = "10000:e1:00.0";
}

static void unmanaged_below_a_vmd(struct arena *arena, struct facts *facts)
{
	unmanaged_on_cpu_0(arena, facts);
	drive(facts)->address = "10000:e1:00.0";
}

static void idle_on_cpu_0(struct arena *arena, struct facts *facts)
{
	all_on_cpu_0(arena, facts, 50, "0-7");
	set_unmanaged(facts);
}

static void managed_on_cpu_0(struct arena *arena, struct facts *facts)
{
	all_on_cpu_0(arena, facts, 5000, "0");
}

static void managed_unknown_on_cpu_0(struct arena *arena, struct facts *facts)
{
	all_on_cpu_0(arena, facts, 5000, "0-7");
	VEC_EACH(&drive(facts)->vectors, struct vector, it)
		it->managed = num_unknown(ENODATA);
}

/* One thread on CPU 0 reads: its queue alone is at work. */
static void one_queue_at_work(struct arena *arena, struct facts *facts)
{
	idle_on_cpu_0(arena, facts);
	facts->samples.vectors.items[0].interrupts.counts.items[0] = 90000;
}

static void each_on_its_own(struct arena *arena, struct facts *facts)
{
	second(arena, facts);
	set_vectors(arena, facts, MASKS("0-7", "0-7", "0-7"));
	set_unmanaged(facts);
	(void)interrupts(arena, facts, 1, "1", 5000);
	(void)interrupts(arena, facts, 2, "2", 5000);
}

static void no_second_look(struct arena *arena, struct facts *facts)
{
	unmanaged_on_cpu_0(arena, facts);
	facts->samples.interval_ms = num_unknown(0);
}

/* Fewer counts than CPUs, as nobody but an editor writes. */
static void counts_missing(struct arena *arena, struct facts *facts)
{
	unmanaged_on_cpu_0(arena, facts);
	VEC_EACH(&facts->samples.vectors, struct vector_sample, it)
		it->interrupts.counts.n = 0;
}

static void requests(struct arena *arena, struct facts *facts, int64_t n)
{
	*vec_add(arena, &facts->samples.disks) = (struct disk_sample){
		.disk = "nvme0n1", .reads = num_known(n), .writes = num_known(0)
	};
}

/* 20000 softirqs on a CPU that spends so much of its second in them. */
static void softirqs_on_cpu_2(struct arena *arena, struct facts *facts,
			      int64_t ms, int64_t nr_requests)
{
	struct softirq_sample *it = vec_add(arena, &facts->samples.softirqs);

	second(arena, facts);
	it->name = "BLOCK";
	set_cpus(arena, &it->raised.cpus, "2,5");
	*vec_add(arena, &it->raised.counts) = 19000;
	*vec_add(arena, &it->raised.counts) = 1000;
	*vec_add(arena, &facts->samples.cpus) = (struct cpu_sample){
		.cpu = 2, .irq_ms = num_known(0), .softirq_ms = num_known(ms)
	};
	requests(arena, facts, nr_requests);
}

static void one_queue_completes(struct arena *arena, struct facts *facts)
{
	softirqs_on_cpu_2(arena, facts, 450, 40000);
	drive(facts)->queue_count = num_known(2);
	host_number(arena, facts, "nvme0n1", "queue.rq_affinity", 1);
}

static void threads_complete(struct arena *arena, struct facts *facts)
{
	softirqs_on_cpu_2(arena, facts, 450, 40000);
}

static void other_disks_complete(struct arena *arena, struct facts *facts)
{
	softirqs_on_cpu_2(arena, facts, 450, 1000);
}

static void completes_with_ease(struct arena *arena, struct facts *facts)
{
	softirqs_on_cpu_2(arena, facts, 50, 40000);
}

static void time_unknown(struct arena *arena, struct facts *facts)
{
	softirqs_on_cpu_2(arena, facts, 450, 40000);
	facts->samples.cpus.n = 0;
}

static void half_of_the_cpus_complete(struct arena *arena, struct facts *facts)
{
	softirqs_on_cpu_2(arena, facts, 450, 40000);
	facts->samples.softirqs.items[0].raised.counts.items[1] = 19000;
	*vec_add(arena, &facts->samples.cpus) = (struct cpu_sample){
		.cpu = 5, .irq_ms = num_known(0), .softirq_ms = num_known(450)
	};
}

static void two_poll_queues(struct arena *arena, struct facts *facts,
			    int64_t nr_requests, int64_t nr_interrupts)
{
	second(arena, facts);
	set_vectors(arena, facts, MASKS("0-7", "0-3", "4-7"));
	drive(facts)->queues_poll = num_known(2);
	requests(arena, facts, nr_requests);
	(void)interrupts(arena, facts, 1, "0", nr_interrupts);
	(void)interrupts(arena, facts, 2, "4", 10);
}

static void all_made_interrupts(struct arena *arena, struct facts *facts)
{
	two_poll_queues(arena, facts, 30000, 29995);
}

static void half_made_interrupts(struct arena *arena, struct facts *facts)
{
	two_poll_queues(arena, facts, 30000, 15000);
}

static void idle_with_poll_queues(struct arena *arena, struct facts *facts)
{
	two_poll_queues(arena, facts, 30, 30);
}

static void one_vector_not_looked_at(struct arena *arena, struct facts *facts)
{
	all_made_interrupts(arena, facts);
	facts->samples.vectors.n = 1;
}

static void no_poll_queue(struct arena *arena, struct facts *facts)
{
	all_made_interrupts(arena, facts);
	drive(facts)->queues_poll = num_known(0);
}

/* nvme0n1 took 5000 writes in a second; 16 CPUs. */
static void xfs_of(struct arena *arena, struct facts *facts, struct num agcount)
{
	second(arena, facts);
	set_cpus(arena, &facts->online, "0-15");
	requests(arena, facts, 0);
	facts->samples.disks.items[0].writes = num_known(5000);
	*vec_add(arena, &facts->namespaces.items[0].mounts) = (struct mount){
		.device = "nvme0n1",
		.where = "/srv",
		.type = "xfs",
		.xfs = { .agcount = agcount,
			 .log_bytes = num_known(512 << 20) },
	};
}

static void four_groups(struct arena *arena, struct facts *facts)
{
	xfs_of(arena, facts, num_known(4));
}

static void sixteen_groups(struct arena *arena, struct facts *facts)
{
	xfs_of(arena, facts, num_known(16));
}

static void groups_unknown(struct arena *arena, struct facts *facts)
{
	xfs_of(arena, facts, num_unknown(EACCES));
}

static void four_groups_at_rest(struct arena *arena, struct facts *facts)
{
	four_groups(arena, facts);
	facts->samples.disks.items[0].writes = num_known(50);
}

static void four_groups_without_samples(struct arena *arena,
					struct facts *facts)
{
	four_groups(arena, facts);
	facts->samples = (struct samples){ 0 };
}

static void add_writer(struct arena *arena, struct facts *facts,
		       const char *who, const char *value, const char *state)
{
	*vec_add(arena, &facts->services) =
		(struct service){ .name = "tuned", .state = state };
	*vec_add(arena, &facts->writers) =
		(struct attr_writer){ .who = who,
				      .file = "/usr/lib/tuned/base/tuned.conf",
				      .line = 2,
				      .attr = "queue/scheduler",
				      .value = value,
				      .when = "tuned" };
}

static void tuned_sets_kyber(struct arena *arena, struct facts *facts)
{
	add_writer(arena, facts, "tuned profile mine", "kyber", "running");
}

static void two_profiles_set_kyber(struct arena *arena, struct facts *facts)
{
	add_writer(arena, facts, "tuned profile mine yours", "kyber",
		   "running");
}

static void tuned_stopped(struct arena *arena, struct facts *facts)
{
	add_writer(arena, facts, "tuned profile mine", "kyber", "stopped");
}

static void tuned_sets_none(struct arena *arena, struct facts *facts)
{
	add_writer(arena, facts, "tuned profile mine", "none", "running");
}

static void tmpfile_sets_kyber(struct arena *arena, struct facts *facts)
{
	add_writer(arena, facts, "systemd-tmpfiles", "kyber", "running");
	facts->writers.items[0].when = "tmpfiles";
}

#define CMDLINE(name, text)                                        \
	static void name(struct arena *arena, struct facts *facts) \
	{                                                          \
		(void)arena;                                       \
		facts->cmdline = (text);                           \
	}
CMDLINE(elevator_noop, "root=/dev/sda2 elevator=noop quiet")
CMDLINE(elevators, "root=/dev/sda2 myelevator=noop elevators=2")
CMDLINE(irqpoll, "ro irqpoll")
CMDLINE(noirqdebug, "ro irqpollx x=irqpoll")
CMDLINE(aspm_off, "pcie_aspm=off")
CMDLINE(aspm_force, "pcie_aspm=force pcie_aspm.policy=performance")
CMDLINE(without_nodes, "ro numa=off")
CMDLINE(with_nodes, "ro numa=fake=4")
CMDLINE(made_up, "nohz_full=2,3 rcu_nohz_full=2,3")
CMDLINE(known, "nohz_full=2,3 rcu_nocbs=2,3 nvme_core.io_timeout=30")
CMDLINE(of_init, "ro -- rcu_nohz_full=2 irqpoll elevator=noop")
CMDLINE(quoted, "note=\"use rcu_nohz_full=2 here\"")

/* clang-format off */
static const struct advice_case cases[] = {
	{ "resetting", "controller.not-live", "is resetting", resetting },
	{ "live", "controller.not-live", NULL, plain },
	{ "no state", "controller.not-live", NULL, stateless },
	{ "hot", "drive.critical-warning", "look after its data", hot },
	{ "no SMART log", "drive.critical-warning", NULL, plain },
	{ "used up", "drive.worn", "104 %", used_up },
	{ "used", "drive.worn", NULL, used_half },
	{ "no SMART log", "drive.worn", NULL, plain },
	{ "errors", "drive.media-errors", "3 errors", three_media_errors },
	{ "none", "drive.media-errors", NULL, no_media_errors },
	{ "a known model", "drive.idle-hangs", "does not come back",
	  micron_2400 },
	{ "without a limit", "drive.idle-hangs", "deepest idle state",
	  micron_2400_without_limit },
	{ "kept from it", "drive.idle-hangs", NULL, micron_2400_kept_from_it },
	{ "latency unknown", "drive.idle-hangs", NULL, micron_2400_unseen },
	{ "another model", "drive.idle-hangs", NULL, micron_2450 },
	{ "no node", "node.unknown", "NUMA node", nowhere },
	{ "one node", "node.unknown", NULL, nowhere_of_one_node },
	{ "node 0", "node.unknown", NULL, plain },
	{ "mdts 5", "drive.mdts",
	  "128 KiB is the largest transfer: larger requests are split; it cannot explain a 4 KiB result",
	  mdts_5 },
	{ "mdts 9", "drive.mdts", NULL, mdts_9 },
	{ "not by mdts", "drive.mdts", NULL, mdts_9_of_128 },
	{ "no limit", "drive.mdts", NULL, mdts_0 },
	{ "mdts unknown", "drive.mdts", NULL, plain },
	{ "one pair", "pools.shared", "80 blocks", one_pair_used },
	{ "unused", "pools.shared", NULL, one_pair_unused },
	{ "per node", "pools.shared", NULL, a_pair_a_node },
	{ "one node", "pools.shared", NULL, one_pair_one_node },
	{ "not read", "pools.shared", NULL, plain },
	{ "one lane", "link.trained-down",
	  "8.0 GT/s x1 of 8.0 GT/s x4 that both ends can, and carries 0.98 GB/s, at most 240k reads of 4 KiB a second: no setting helps; reseat",
	  one_lane_of_four },
	{ "slot", "link.trained-down", NULL, slot_of_one_lane },
	{ "four lanes", "link.trained-down", NULL, four_lanes_of_four },
	{ "port unknown", "link.trained-down", NULL, port_unknown },
	{ "slot", "link.slot", "0.98 of the 3.94 GB/s", slot_of_one_lane },
	{ "trained down", "link.slot", NULL, one_lane_of_four },
	{ "four lanes", "link.slot", NULL, four_lanes_of_four },
	{ "port unknown", "link.slot", NULL, port_unknown },
	{ "switch", "link.trained-down",
	  "the link above switch 0000:41:00.0 runs at 16.0 GT/s x2 of 16.0 GT/s x8 that both ends can",
	  switch_trained_down },
	{ "switch at its best", "link.trained-down", NULL,
	  four_behind_eight_lanes },
	{ "two links", "link.trained-down", NULL, ends_of_two_links },
	{ "switch", "link.slot",
	  "switch 0000:41:00.0 is in a slot of 16.0 GT/s x2: 3.93 of the 7.87 GB/s",
	  one_behind_two_lanes },
	{ "switch trained down", "link.slot", NULL, switch_trained_down },
	{ "switch wide enough", "link.slot", NULL, four_behind_eight_lanes },
	{ "four", "link.shared-uplink",
	  "behind switch 0000:41:00.0, whose uplink of 16.0 GT/s x8 carries 15.75 GB/s, are 4 drives whose links carry 31.50 GB/s",
	  four_behind_eight_lanes },
	{ "two, just enough", "link.shared-uplink", NULL,
	  two_behind_eight_lanes },
	{ "one", "link.shared-uplink", NULL, one_behind_two_lanes },
	{ "two links", "link.shared-uplink", NULL, ends_of_two_links },
	{ "unknown", "link.shared-uplink", NULL, switch_unreadable },
	{ "no path", "link.shared-uplink", NULL, four_lanes_of_four },
	{ "time-outs", "log.timeouts", "3 time-outs, and 1 times", timed_out },
	{ "another drive", "log.timeouts", NULL, another_timed_out },
	{ "a reset", "log.timeouts", NULL, was_reset },
	{ "refused", "log.apst-refused", "its own choice", refused_table },
	{ "no such line", "log.apst-refused", NULL, timed_out },
	{ "corrected", "link.errors", "57 corrected, 0 not", corrected },
	{ "in the log alone", "link.errors", "tells of 12 PCIe errors",
	  corrected_in_the_log },
	{ "of others", "link.errors", NULL, others_corrected },
	{ "one queue", "queues.one", "one I/O queue", queue_1 },
	{ "four", "queues.one", NULL, queues_4 },
	{ "H1: one of all", "irq.one-vector", "all queues of the drive: it has no MSI-X here, or a single vector of it",
	  a_single_vector },
	{ "H1: in a guest", "irq.one-vector",
	  "; xen gives this guest no more", a_single_vector_of_a_guest },
	{ "two", "irq.one-vector", NULL, one_queue_with_a_vector },
	{ "not read", "irq.one-vector", NULL, queue_1 },
	{ "four of eight", "queues.shared",
	  "4 queues for 8 CPUs: up to 2 CPUs share one", queues_4 },
	{ "seven of eight", "queues.shared", NULL, queues_7 },
	{ "eight of eight", "queues.shared", NULL, plain },
	{ "over TCP", "queues.shared", NULL, queues_2_over_tcp },
	{ "parameter", "poll.half-applied", "poll_queues reads 2",
	  written_under_the_driver },
	{ "and reset", "poll.half-applied", "4 of its queues have no interrupt",
	  reset_after_writing },
	{ "polling", "poll.half-applied", NULL, polling },
	{ "one queue", "poll.half-applied", NULL, one_queue_asked_to_poll },
	{ "not asked", "poll.half-applied", NULL, plain },
	{ "io_poll unknown", "poll.half-applied", NULL, io_poll_unknown },
	{ "node 0 only", "node.no-vector", "goes to node 1", all_on_node_0 },
	{ "both", "node.no-vector", NULL, on_both_nodes },
	{ "one unknown", "node.no-vector", NULL, one_mask_unknown },
	{ "no CPUs", "node.no-vector", NULL, node_without_cpus },
	{ "not read", "node.no-vector", NULL, plain },
	{ "whole", "irq.isolated", "1 of its queues", whole_masks_isolated },
	{ "half", "irq.isolated", NULL, half_a_mask_isolated },
	{ "none isolated", "irq.isolated", NULL, on_both_nodes },
	{ "half", "cmdline.isolcpus", "\"isolcpus=7\"", half_a_mask_isolated },
	{ "whole", "cmdline.isolcpus", NULL, whole_masks_isolated },
	{ "managed", "cmdline.isolcpus", NULL, half_a_mask_managed },
	{ "not read", "cmdline.isolcpus", NULL, isolated_without_vectors },
	{ "unmanaged", "irq.concentrated",
	  "100 % of 20000 interrupts a second of 4 queues come in on CPU 0, and these can be moved: irq.affinity = spread",
	  unmanaged_on_cpu_0 },
	{ "mask elsewhere", "irq.concentrated", "no setting here moves them",
	  delivered_to_cpu_0 },
	{ "effective elsewhere", "irq.concentrated",
	  "to which the kernel does not send them", not_even_sent_to_cpu_0 },
	{ "below a VMD", "irq.concentrated",
	  "they share the vectors of the VMD above the drive", below_a_vmd },
	{ "not moved below a VMD", "irq.concentrated", NULL,
	  unmanaged_below_a_vmd },
	{ "idle", "irq.concentrated", NULL, idle_on_cpu_0 },
	{ "the kernel's choice", "irq.concentrated", NULL, managed_on_cpu_0 },
	{ "managed or not", "irq.concentrated", NULL,
	  managed_unknown_on_cpu_0 },
	{ "one at work", "irq.concentrated", NULL, one_queue_at_work },
	{ "spread", "irq.concentrated", NULL, each_on_its_own },
	{ "one look", "irq.concentrated", NULL, no_second_look },
	{ "no counts", "irq.concentrated", NULL, counts_missing },
	{ "one queue", "softirq.concentrated",
	  "nearly all of 20000 completion softirqs a second run on CPU 2, busy with interrupts for 45 % of the time: it has one queue, whose interrupt ends the requests of all; queue.rq_affinity = 2",
	  one_queue_completes },
	{ "threads", "softirq.concentrated", "run on few CPUs",
	  threads_complete },
	{ "other disks", "softirq.concentrated", NULL, other_disks_complete },
	{ "with ease", "softirq.concentrated", NULL, completes_with_ease },
	{ "unknown", "softirq.concentrated", NULL, time_unknown },
	{ "two of eight", "softirq.concentrated", NULL,
	  half_of_the_cpus_complete },
	{ "one each", "poll.unused",
	  "2 queues only serve programs that poll, and in the second that was looked at all 30000 requests",
	  all_made_interrupts },
	{ "one for two", "poll.unused", NULL, half_made_interrupts },
	{ "idle", "poll.unused", NULL, idle_with_poll_queues },
	{ "not all seen", "poll.unused", NULL, one_vector_not_looked_at },
	{ "no poll queue", "poll.unused", NULL, no_poll_queue },
	{ "four", "xfs.agcount",
	  "/srv, XFS: 4 allocation groups for 16 CPUs and 5000 writes a second: files that grow at once wait for each other; more groups help that, not writes in place, and not the log, of which there is one (512 MiB); mkfs.xfs sets agcount",
	  four_groups },
	{ "sixteen", "xfs.agcount", NULL, sixteen_groups },
	{ "unknown", "xfs.agcount", NULL, groups_unknown },
	{ "at rest", "xfs.agcount", NULL, four_groups_at_rest },
	{ "no samples", "xfs.agcount", NULL, four_groups_without_samples },
	{ "made up", "options.unknown", "io_queues", option_made_up },
	{ "known", "options.unknown", NULL, option_known },
	{ "no .conf", "options.no-conf", "nothing reads it", option_unread },
	{ "read", "options.no-conf", NULL, option_known },
	{ "built in", "options.builtin", "is built into", option_for_builtin },
	{ "a module", "options.builtin", NULL, option_known },
	{ "twice", "options.contradict", "poll_queues=8 does not count",
	  option_twice },
	{ "once", "options.contradict", NULL, option_known },
	{ "M8: again", "options.repeated",
	  "poll_queues=8 stands again in /etc/modprobe.d/nvme.conf:3",
	  option_again },
	{ "once", "options.repeated", NULL, option_known },
	{ "another value", "options.repeated", NULL, option_twice },
	{ "J3: for volumes", "options.long-timeout", "nvme0 is no network volume",
	  hour_for_all },
	{ "volumes only", "options.long-timeout", NULL, hour_for_volumes },
	{ "a minute", "options.long-timeout", NULL, minute_for_all },
	{ "nine of eight", "options.too-many-queues", "8 possible CPUs",
	  option_above_cpus },
	{ "eight", "options.too-many-queues", NULL, option_known },
	{ "strict", "iommu.strict", "strict", strict },
	{ "lazy", "iommu.strict", NULL, lazy },
	{ "none", "iommu.strict", NULL, plain },
	{ "running", "irqbalance.running", "cannot move the interrupts of NVMe queues", balanced },
	{ "stopped", "irqbalance.running", NULL, not_balanced },
	{ "no drives", "irqbalance.running", NULL, balanced_without_drives },
	{ "noop", "cmdline.elevator", "\"elevator=noop\"", elevator_noop },
	{ "others", "cmdline.elevator", NULL, elevators },
	{ "of init", "cmdline.elevator", NULL, of_init },
	{ "irqpoll", "cmdline.irqpoll", "irqpoll", irqpoll },
	{ "others", "cmdline.irqpoll", NULL, noirqdebug },
	{ "of init", "cmdline.irqpoll", NULL, of_init },
	{ "off", "aspm.hands-off", "what the firmware set", aspm_off },
	{ "force", "aspm.hands-off", NULL, aspm_force },
	{ "off", "cmdline.numa-off", "hides the nodes", without_nodes },
	{ "fake", "cmdline.numa-off", NULL, with_nodes },
	{ "C7: of an included profile", "writer.tuned",
	  "will be overridden by tuned profile mine: a profile of your own keeps what is wanted: /etc/tuned/mine-nvme/tuned.conf with [main] include=mine, [disk] elevator=none; then tuned-adm profile mine-nvme",
	  tuned_sets_kyber },
	{ "C7: two profiles", "writer.tuned", "include=mine,yours, [disk]",
	  two_profiles_set_kyber },
	{ "C7: stopped", "writer.tuned", NULL, tuned_stopped },
	{ "C7: of one mind", "writer.tuned", NULL, tuned_sets_none },
	{ "of tmpfiles", "writer.tuned", NULL, tmpfile_sets_kyber },
	{ "made up", "cmdline.unknown", "rcu_nocbs= may be meant", made_up },
	{ "known", "cmdline.unknown", NULL, known },
	{ "of init", "cmdline.unknown", NULL, of_init },
	{ "quoted", "cmdline.unknown", NULL, quoted },
};
/* clang-format on */
#define NR_CASES (sizeof(cases) / sizeof(cases[0]))

static struct plan plan_for(struct arena *arena, struct facts *facts)
{
	static const char *const lines[] = { "[drives]",
					     "queue.scheduler = none", NULL };
	const struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
	};
	struct problems problems = { 0 };
	struct plan plan = { 0 };

	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	return plan;
}

static const struct advice *find(const struct plan *plan, const char *id)
{
	VEC_EACH(&plan->advice, const struct advice, it)
		if (strcmp(it->id, id) == 0)
			return it;
	return NULL;
}

static void each_case_is_said_or_silent(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_CASES; i++) {
		_cleanup_arena_ struct arena *arena = arena_new();
		struct facts *facts = host_new(arena);
		const struct advice *said;
		struct plan plan;

		set_cpus(arena, &facts->possible, "0-7");
		cases[i].make(arena, facts);
		plan = plan_for(arena, facts);
		said = find(&plan, cases[i].id);
		if (!cases[i].text && said)
			fail_msg("%s, %s: says \"%s\"", cases[i].id,
				 cases[i].what, said->text);
		if (cases[i].text && !said)
			fail_msg("%s, %s: silent", cases[i].id, cases[i].what);
		if (cases[i].text && !strstr(said->text, cases[i].text))
			fail_msg("%s, %s: says \"%s\"", cases[i].id,
				 cases[i].what, said->text);
	}
}

static void a_host_without_trouble_is_silent(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct plan plan;

	(void)state;
	plan = plan_for(arena, host_new(arena));
	assert_int_equal(plan.advice.n, 0);
}

static void nothing_known_gives_no_advice(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts facts = { 0 };
	struct plan plan;

	(void)state;
	plan = plan_for(arena, &facts);
	assert_int_equal(plan.advice.n, 0);
	*vec_add(arena, &facts.ctrls) = (struct ctrl){ .name = "nvme0" };
	plan = plan_for(arena, &facts);
	assert_int_equal(plan.advice.n, 0);
}

static bool is_tried(const char *id, bool said)
{
	for (size_t i = 0; i < NR_CASES; i++)
		if (strcmp(cases[i].id, id) == 0 && !cases[i].text != said)
			return true;
	return false;
}

static void every_kind_is_tried_both_ways_and_complete(void **state)
{
	const struct advice_doc *doc, *before;

	(void)state;
	for (size_t i = 0; (doc = advice_doc(i)); i++) {
		if (!is_tried(doc->id, true) || !is_tried(doc->id, false))
			fail_msg("%s: not tried both ways", doc->id);
		assert_non_null(strchr(doc->id, '.'));
		assert_true(!strcmp(doc->severity, "info") ||
			    !strcmp(doc->severity, "warning"));
		assert_true(!strcmp(doc->confidence, "certain") ||
			    !strcmp(doc->confidence, "likely") ||
			    !strcmp(doc->confidence, "hint"));
		assert_non_null(doc->summary);
		assert_non_null(doc->evidence);
		assert_non_null(doc->remedy);
		assert_non_null(doc->source);
		for (size_t j = 0; j < i; j++) {
			before = advice_doc(j);
			assert_string_not_equal(before->id, doc->id);
		}
	}
}

static void every_kind_is_in_the_manual(void **state)
{
	_cleanup_fclose_ FILE *file = fopen("docs/advice.md", "re");
	_cleanup_arena_ struct arena *arena = arena_new();
	const struct advice_doc *doc;
	struct strbuf text;
	char piece[4096];
	size_t n;

	(void)state;
	assert_non_null(file);
	strbuf_init(&text, arena);
	while ((n = fread(piece, 1, sizeof(piece), file)) > 0)
		strbuf_put(&text, piece, n);
	for (size_t i = 0; (doc = advice_doc(i)); i++)
		if (!strstr(text.text,
			    arena_printf(arena, "| `%s` | %s, %s |", doc->id,
					 doc->severity, doc->confidence)))
			fail_msg("%s: not in docs/advice.md", doc->id);
}

static void what_holds_for_two_drives_is_said_once(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts *facts = host_new(arena);
	struct plan plan;

	(void)state;
	one_lane_of_four(arena, facts);
	*vec_add(arena, &facts->ctrls) = *drive(facts);
	facts->ctrls.items[1].name = "nvme1";
	resetting(arena, facts);
	plan = plan_for(arena, facts);
	assert_int_equal(plan.advice.n, 3);
	assert_string_equal(
		remark_text(arena, &plan, 0),
		"nvme0: the controller is resetting: it is left alone until it is live");
	assert_non_null(strstr(remark_text(arena, &plan, 1),
			       "nvme0, nvme1: the link runs at"));
	assert_null(remark_text(arena, &plan, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_case_is_said_or_silent),
		cmocka_unit_test(a_host_without_trouble_is_silent),
		cmocka_unit_test(nothing_known_gives_no_advice),
		cmocka_unit_test(every_kind_is_tried_both_ways_and_complete),
		cmocka_unit_test(every_kind_is_in_the_manual),
		cmocka_unit_test(what_holds_for_two_drives_is_said_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

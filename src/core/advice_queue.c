/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Advice on queues and the interrupts that serve them. */

#include <inttypes.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "core/advisor.h"

static bool is_pcie(const struct ctrl *ctrl)
{
	return text_equal(ctrl->transport, "pcie");
}

static void one_queue(const struct advisor *advisor, const struct ctrl *ctrl)
{
	if (!is_pcie(ctrl) || !ctrl->queue_count.known ||
	    ctrl->queue_count.value != 2)
		return;
	advise(advisor, ctrl->name,
	       "the controller has one I/O queue, which all CPUs share; the kernel's default there is mq-deadline");
}

/*
 * INTx, or a single vector: the driver then serves the admin queue and one
 * I/O queue with it.  Vectors in use are counted, not the table's size.
 */
static void one_vector(const struct advisor *advisor, const struct ctrl *ctrl)
{
	const char *hypervisor = advisor->facts->hypervisor;
	unsigned int used = 0;

	VEC_EACH(&ctrl->vectors, struct vector, it)
		used += it->queue.known;
	if (!is_pcie(ctrl) || used != 1 || num_or(ctrl->queue_count, 0) < 2)
		return;
	advise(advisor, ctrl->name,
	       "one interrupt serves all queues of the drive: it has no MSI-X here, or a single vector of it%s%s%s",
	       hypervisor ? "; " : "", hypervisor ? hypervisor : "",
	       hypervisor ? " gives this guest no more" : "");
}

/* One queue more or less than CPUs is nothing to speak of. */
static void shared_queues(const struct advisor *advisor,
			  const struct ctrl *ctrl)
{
	unsigned int cpus = cpuset_count(&advisor->facts->possible);
	int64_t queues = num_or(ctrl->queues_default, 0);

	if (!is_pcie(ctrl) || queues < 2 || (uint64_t)queues * 2 > cpus)
		return;
	advise(advisor, ctrl->name,
	       "%" PRId64 " queues for %u CPUs: up to %u CPUs share one",
	       queues, cpus, (unsigned int)((cpus + queues - 1) / queues));
}

static bool is_io(const struct vector *vector)
{
	return vector->queue.known && vector->queue.value > 0;
}

/* No disk of it can poll, and at least one was asked. */
static bool polls_nothing(const struct facts *facts, const struct ctrl *ctrl)
{
	bool any = false;

	VEC_EACH(&facts->namespaces, struct ns, ns) {
		if (!text_equal(ns->ctrl, ctrl->name) || !ns->io_poll.known)
			continue;
		if (ns->io_poll.value)
			return false;
		any = true;
	}
	return any;
}

/* Up to 6.19 a reset takes interrupts from queues that no map polls. */
static int64_t stranded(const struct facts *facts, const struct ctrl *ctrl)
{
	int64_t vectors = 0;

	VEC_EACH(&ctrl->vectors, struct vector, it)
		vectors += is_io(it);
	if (vectors == 0 || !polls_nothing(facts, ctrl))
		return 0;
	return num_or(ctrl->queue_count, 0) - 1 - vectors;
}

static uint64_t poll_queues(const struct facts *facts)
{
	const struct module *nvme = facts_module(facts, "nvme");
	const struct module_param *param =
		nvme ? module_find(nvme, "poll_queues") : NULL;
	uint64_t n;

	return param && param->live && parse_u64(param->live, &n) == 0 ? n : 0;
}

/* Of two I/O queues and more the driver gives one to polling, at least. */
static void half_polled(const struct advisor *advisor, const struct ctrl *ctrl)
{
	const struct facts *facts = advisor->facts;
	int64_t lost = is_pcie(ctrl) ? stranded(facts, ctrl) : 0;
	uint64_t asked = poll_queues(facts);

	if (lost > 0)
		advise(advisor, ctrl->name,
		       "%" PRId64
		       " of its queues have no interrupt, and nothing polls them: requests there wait for the time-out; load nvme again, or reboot",
		       lost);
	else if (is_pcie(ctrl) && asked && polls_nothing(facts, ctrl) &&
		 ctrl->queues_poll.known && ctrl->queues_poll.value == 0 &&
		 num_or(ctrl->queue_count, 0) > 2)
		advise(advisor, ctrl->name,
		       "poll_queues reads %" PRIu64
		       ", and no queue polls: it was changed after the driver made them; loading nvme again or a reboot gives them, a reset of the controller may hang its I/O",
		       asked);
}

static bool has_vector(const struct ctrl *ctrl, const struct cpuset *cpus)
{
	VEC_EACH(&ctrl->vectors, struct vector, it)
		if (is_io(it) && cpuset_intersects(&it->mask, cpus))
			return true;
	return false;
}

/* What the kernel did not place is unknown, not absent. */
static bool are_masks_known(const struct ctrl *ctrl)
{
	bool any = false;

	VEC_EACH(&ctrl->vectors, struct vector, it) {
		if (is_io(it) && cpuset_is_empty(&it->mask))
			return false;
		any = any || is_io(it);
	}
	return any;
}

static void node_without_vector(const struct advisor *advisor,
				const struct ctrl *ctrl)
{
	struct cpuset without = { 0 };
	const char *list;

	if (!is_pcie(ctrl) || !are_masks_known(ctrl))
		return;
	VEC_EACH(&advisor->facts->nodes, struct node, node)
		if (!cpuset_is_empty(&node->cpus) && node->id >= 0 &&
		    !has_vector(ctrl, &node->cpus))
			cpuset_add(advisor->arena, &without,
				   (unsigned int)node->id);
	if (cpuset_is_empty(&without))
		return;
	list = cpuset_text(advisor->arena, &without);
	advise(advisor, ctrl->name,
	       "no interrupt of its queues goes to node %s: completions there come from another node, and no setting moves them",
	       list);
}

static void isolated_vectors(const struct advisor *advisor,
			     const struct ctrl *ctrl)
{
	const struct cpuset *isolated = &advisor->facts->isolated;
	unsigned int n = 0;

	if (cpuset_is_empty(isolated))
		return;
	VEC_EACH(&ctrl->vectors, struct vector, it)
		n += is_io(it) && !cpuset_is_empty(&it->mask) &&
		     cpuset_is_subset(&it->mask, isolated);
	if (n)
		advise(advisor, ctrl->name,
		       "%u of its queues interrupt isolated CPUs (%s) only: they do as soon as something there reads or writes",
		       n, cpuset_text(advisor->arena, isolated));
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "queues.one",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "all CPUs share the controller's only I/O queue",
		   .evidence =
			   "The controller's queue_count reads 2: the admin queue and one for I/O.",
		   .remedy =
			   "None on the host: the drive, or the hypervisor that presents it, gives no more.",
		   .source =
			   "block/elevator.c, elevator_get_default(): one queue gets mq-deadline" },
	  .check_ctrl = one_queue },
	{ .doc = { .id = "irq.one-vector",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary = "one interrupt serves all queues of the drive",
		   .evidence =
			   "The controller uses one interrupt and has an I/O queue.",
		   .remedy =
			   "None in the guest: the hypervisor limits vectors of passed-through devices (Xen: extra_guest_irqs); on a host, look for pci=nomsi and for what the kernel log says of MSI-X.",
		   .source =
			   "drivers/nvme/host/pci.c, nvme_setup_irqs() and nvme_setup_io_queues()" },
	  .check_ctrl = one_vector },
	{ .doc = { .id = "queues.shared",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "every queue serves several CPUs",
		   .evidence =
			   "The drive has at most half as many default queues as the host has possible CPUs.",
		   .remedy =
			   "None on the host but giving poll and write queues back; it costs where all CPUs submit at once.",
		   .source = "drivers/nvme/host/pci.c, nvme_setup_io_queues()" },
	  .check_ctrl = shared_queues },
	{ .doc = { .id = "poll.half-applied",
		   .severity = "warning",
		   .confidence = "likely",
		   .summary =
			   "poll_queues was changed under a driver that was loaded",
		   .evidence =
			   "poll_queues is not 0 or queues lack an interrupt, while io_poll of every disk reads 0 and the CPU maps show no poll queue.",
		   .remedy =
			   "Load nvme again when no drive is in use, or reboot; never reset the controller for it.",
		   .source =
			   "drivers/nvme/host/pci.c, nvme_setup_io_queues(), nvme_pci_nr_maps()" },
	  .check_ctrl = half_polled },
	{ .doc = { .id = "node.no-vector",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "a node has no interrupt of the drive's queues",
		   .evidence =
			   "No queue vector's mask holds a CPU of the node; every mask is known.",
		   .remedy =
			   "Run what uses the drive on other nodes; the kernel places these vectors.",
		   .source = "lib/group_cpus.c, group_cpus_evenly()" },
	  .check_ctrl = node_without_vector },
	{ .doc = { .id = "irq.isolated",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "queues interrupt isolated CPUs",
		   .evidence =
			   "A queue vector's mask lies within isolcpus, so that no other CPU can take it.",
		   .remedy =
			   "Keep I/O off these CPUs; isolcpus=managed_irq helps only where a mask holds another CPU, too.",
		   .source =
			   "kernel/irq/manage.c, irq_do_set_affinity(); kernel-parameters.txt, isolcpus" },
	  .check_ctrl = isolated_vectors },
};

const struct advice_rows advice_queue = ADVICE_ROWS(rows);

/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * How a controller's queues are divided, which no attribute tells.
 *
 * The kernel numbers the hardware queues of the default map first, then read,
 * then poll, and each map covers every possible CPU once: when the CPUs seen
 * so far are all, the next map begins.
 */

#include <errno.h>

#include "base/parse.h"
#include "probe/scan.h"

#define MOST_MAPS 3

struct maps {
	size_t sizes[MOST_MAPS]; /* in queues */
	size_t n;
};

/* The CPUs of a queue by its index, or NULL. */
typedef const struct cpuset *queue_cpus(const void *data, size_t index);

/*
 * False when the queues do not come round: then the CPUs are not what they
 * are taken for.  A queue without CPUs counts for the map before it.
 */
static bool divide(struct scan *scan, const struct cpuset *all,
		   queue_cpus *cpus_of, const void *data, size_t nr_queues,
		   struct maps *ret)
{
	struct cpuset seen = { 0 };
	struct maps maps = { .n = 0 };
	bool begins = true;

	for (size_t i = 0; i < nr_queues; i++) {
		const struct cpuset *cpus = cpus_of(data, i);

		if (!cpuset_is_empty(cpus)) {
			if (begins && maps.n == MOST_MAPS)
				return false;
			seen = begins ? *cpus :
					cpuset_or(scan->arena, &seen, cpus);
			maps.n += begins;
			begins = cpuset_is_subset(all, &seen);
		}
		if (maps.n == 0)
			return false;
		maps.sizes[maps.n - 1]++;
	}
	*ret = maps;
	return begins && maps.n > 0;
}

static const struct cpuset *cpus_of_disk(const void *data, size_t index)
{
	const struct ns *ns = data;

	return &ns->hw_queues.items[index].cpus;
}

/* Of the vector of hardware queue index, which is the controller's queue
 * index + 1; vectors are in the order of queues. */
static const struct cpuset *cpus_of_vector(const void *data, size_t index)
{
	const struct ctrl *ctrl = data;

	return &ctrl->vectors.items[index + 1].mask;
}

/* Queues from 1 on that have a managed vector, as all but poll queues do;
 * 0 where vectors do not tell. */
static size_t interrupt_queues(const struct ctrl *ctrl)
{
	size_t n = 0;

	VEC_EACH(&ctrl->vectors, struct vector, vector) {
		if (!vector->queue.known)
			break;
		if (num_or(vector->queue, -1) != (int64_t)n ||
		    num_or(vector->managed, -1) != (n > 0))
			return 0;
		n++;
	}
	return n ? n - 1 : 0;
}

/*
 * By the vectors, whose masks keep every CPU: from 6.10 on the queues' own
 * lists leave out isolated ones (kernel commit a46c27026da1), and a queue
 * that has no other is then in no map that the lists can tell.
 */
static bool split_by_vectors(struct scan *scan, struct ctrl *ctrl,
			     const struct ns *ns)
{
	size_t n = interrupt_queues(ctrl);
	struct maps maps;

	if (n == 0 || n > ns->hw_queues.n ||
	    !divide(scan, &scan->facts->possible, cpus_of_vector, ctrl, n,
		    &maps) ||
	    maps.n > 2)
		return false;
	ctrl->queues_default = num_known((int64_t)maps.sizes[0]);
	ctrl->queues_read = num_known((int64_t)maps.sizes[1]);
	ctrl->queues_poll = num_known((int64_t)(ns->hw_queues.n - n));
	return true;
}

static bool any_intersects(const struct ns *ns, const struct cpuset *cpus)
{
	VEC_EACH(&ns->hw_queues, struct hw_queue, queue)
		if (cpuset_intersects(&queue->cpus, cpus))
			return true;
	return false;
}

static void split_by_lists(struct scan *scan, struct ctrl *ctrl,
			   const struct ns *ns)
{
	struct cpuset all = scan->facts->possible;
	struct maps maps;

	if (!any_intersects(ns, &scan->facts->isolated))
		all = cpuset_minus(scan->arena, &all, &scan->facts->isolated);
	if (!divide(scan, &all, cpus_of_disk, ns, ns->hw_queues.n, &maps))
		return;
	ctrl->queues_default = num_known((int64_t)maps.sizes[0]);
	ctrl->queues_read = num_known((int64_t)maps.sizes[1]);
	ctrl->queues_poll = num_known((int64_t)maps.sizes[2]);
	if (maps.n != 2)
		return;
	/* Two maps: the second is for polling only where polling works. */
	if (!ns->io_poll.known) {
		ctrl->queues_read = num_unknown(ns->io_poll.why);
		ctrl->queues_poll = num_unknown(ns->io_poll.why);
	} else if (ns->io_poll.value) {
		ctrl->queues_read = num_known(0);
		ctrl->queues_poll = num_known((int64_t)maps.sizes[1]);
	}
}

/* All disks of a controller share its queues, so one tells. */
static const struct ns *any_disk(const struct facts *facts,
				 const struct ctrl *ctrl)
{
	VEC_EACH(&facts->namespaces, struct ns, ns)
		if (text_equal(ns->ctrl, ctrl->name) && ns->hw_queues.n)
			return ns;
	return NULL;
}

void split_scan(struct scan *scan)
{
	VEC_EACH(&scan->facts->ctrls, struct ctrl, ctrl) {
		const struct ns *ns = any_disk(scan->facts, ctrl);

		if (!ns || cpuset_is_empty(&scan->facts->possible))
			continue;
		if (!split_by_vectors(scan, ctrl, ns))
			split_by_lists(scan, ctrl, ns);
	}
}

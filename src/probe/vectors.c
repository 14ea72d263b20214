/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * The interrupt vectors of each controller, by number and one by one:
 * /proc/interrupts has a column for every CPU of every interrupt, and a host
 * with a thousand CPUs makes megabytes of it.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/parse.h"
#include "probe/scan.h"

/* The number behind "nvme0q" in a list of action names; with several of ours
 * on one vector the first. */
static struct num queue_of_actions(const char *actions, const char *ctrl)
{
	size_t n = strlen(ctrl);

	while (actions && *actions) {
		const char *number = actions + n + 1;
		uint64_t queue;

		if (strncmp(actions, ctrl, n) == 0 && actions[n] == 'q' &&
		    parse_u64_prefix(&number, &queue) == 0 &&
		    (*number == '\0' || *number == ',') && queue <= INT64_MAX)
			return num_known((int64_t)queue);
		actions += strcspn(actions, ",");
		actions += strspn(actions, ", ");
	}
	return num_unknown(ENODATA);
}

/* 1 when some of the actions are not queues of this controller. */
static struct num shared_by_actions(const char *actions, const char *ctrl)
{
	const size_t n = strlen(ctrl);

	while (*actions) {
		if (strncmp(actions, ctrl, n) != 0 || actions[n] != 'q')
			return num_known(1);
		actions += strcspn(actions, ",");
		actions += strspn(actions, ", ");
	}
	return num_known(0);
}

/* Without /sys/kernel/irq (before 4.9): a folder for each action. */
static struct num queue_of_folders(struct scan *scan, int64_t irq,
				   const char *ctrl)
{
	struct names list = { { 0 } };
	struct num queue = num_unknown(ENODATA);

	(void)sysroot_list(scan->root, scan->arena,
			   arena_printf(scan->arena, "proc/irq/%lld",
					(long long)irq),
			   &list);
	VEC_EACH(&list.names, char *, name)
		if (!queue.known)
			queue = queue_of_actions(*name, ctrl);
	return queue;
}

static void read_actions(struct scan *scan, struct vector *vector,
			 const char *ctrl)
{
	const char *actions = scan_text(scan, "sys/kernel/irq/%lld/actions",
					(long long)vector->irq);

	vector->shared = num_unknown(ENOENT);
	if (actions)
		vector->shared = shared_by_actions(actions, ctrl);
	vector->queue = actions ? queue_of_actions(actions, ctrl) :
				  queue_of_folders(scan, vector->irq, ctrl);
}

/* "0,12,0,3": interrupts on each possible CPU. */
static struct num vector_count(struct scan *scan, int64_t irq)
{
	const char *p = scan_text(scan, "sys/kernel/irq/%lld/per_cpu_count",
				  (long long)irq);
	uint64_t sum = 0, count;

	if (!p)
		return num_unknown(ENOENT);
	while (parse_u64_prefix(&p, &count) == 0) {
		sum += count;
		p += *p == ',';
	}
	if (*p || sum > INT64_MAX)
		return num_unknown(EBADMSG);
	return num_known((int64_t)sum);
}

static struct num vector_node(struct scan *scan, int64_t irq)
{
	struct num node = scan_num(scan, "proc/irq/%lld/node", (long long)irq);

	return node.known && node.value < 0 ? num_unknown(ENODATA) : node;
}

/* Most kernels show both; the words of a mask say the same. */
static struct cpuset vector_mask(struct scan *scan, int64_t irq)
{
	struct cpuset cpus = scan_cpus(scan, "proc/irq/%lld/smp_affinity_list",
				       (long long)irq);
	const char *text;

	if (!cpuset_is_empty(&cpus))
		return cpus;
	text = scan_text(scan, "proc/irq/%lld/smp_affinity", (long long)irq);
	if (text)
		(void)cpuset_parse_mask(scan->arena, text, &cpus);
	return cpus;
}

static void add_vector(struct scan *scan, struct ctrl *ctrl, int64_t irq)
{
	struct vector *vector = vec_add(scan->arena, &ctrl->vectors);
	long long n = (long long)irq;

	vector->irq = irq;
	read_actions(scan, vector, ctrl->name);
	if (!vector->queue.known)
		return; /* nobody's, or somebody else's */
	vector->mask = vector_mask(scan, irq);
	vector->effective =
		scan_cpus(scan, "proc/irq/%lld/effective_affinity_list", n);
	vector->node = vector_node(scan, irq);
	vector->count = vector_count(scan, irq);
}

/*
 * Managed vectors refuse writes.  Since 6.12 the mode says so; before, the
 * driver's layout does: every vector but the first, unless there is only
 * one.  Writing something to find out is not for a command that reads.
 */
static struct num vector_managed(struct scan *scan, const struct ctrl *ctrl,
				 const struct vector *vector)
{
	const char *path = arena_printf(scan->arena,
					"proc/irq/%lld/smp_affinity",
					(long long)vector->irq);
	mode_t mode;

	if (sysroot_mode(scan->root, path, &mode) == 0 && !(mode & 0222))
		return num_known(1);
	if (!vector->queue.known)
		return num_unknown(ENODATA);
	return num_known(vector->queue.value > 0 && ctrl->vectors.n > 1);
}

/* Vectors nobody asked for have no action and no queue: at the end. */
static int by_queue(const void *a, const void *b)
{
	const struct vector *one = a, *other = b;
	int64_t x = num_or(one->queue, INT64_MAX);
	int64_t y = num_or(other->queue, INT64_MAX);

	if (x == y) {
		x = one->irq;
		y = other->irq;
	}
	return (x > y) - (x < y);
}

static void scan_msi(struct scan *scan, struct ctrl *ctrl)
{
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena,
			   arena_printf(scan->arena,
					"sys/class/nvme/%s/device/msi_irqs",
					ctrl->name),
			   &list);
	VEC_EACH(&list.names, char *, name) {
		int64_t irq;

		if (parse_i64(*name, &irq) == 0)
			add_vector(scan, ctrl, irq);
	}
}

/* The vector if the controller is really on it. */
static void try_vector(struct scan *scan, struct ctrl *ctrl, int64_t irq)
{
	struct vector *vector;

	add_vector(scan, ctrl, irq);
	vector = &ctrl->vectors.items[ctrl->vectors.n - 1];
	if (vector->queue.known)
		return;
	*vector = (struct vector){ 0 };
	ctrl->vectors.n--;
}

static void scan_line(struct scan *scan, struct ctrl *ctrl)
{
	struct num irq =
		scan_num(scan, "sys/class/nvme/%s/device/irq", ctrl->name);

	if (irq.known && irq.value > 0)
		try_vector(scan, ctrl, irq.value);
}

/* Last resort, some platforms show neither: look at every interrupt. */
static void scan_all(struct scan *scan, struct ctrl *ctrl)
{
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena, "proc/irq", &list);
	VEC_EACH(&list.names, char *, name) {
		int64_t irq;

		if (parse_i64(*name, &irq) == 0)
			try_vector(scan, ctrl, irq);
	}
}

static void scan_vectors(struct scan *scan, struct ctrl *ctrl)
{
	scan_msi(scan, ctrl);
	if (!ctrl->vectors.n)
		scan_line(scan, ctrl);
	if (!ctrl->vectors.n)
		scan_all(scan, ctrl);
	VEC_EACH(&ctrl->vectors, struct vector, vector)
		vector->managed = vector_managed(scan, ctrl, vector);
	if (ctrl->vectors.n)
		qsort(ctrl->vectors.items, ctrl->vectors.n,
		      sizeof(struct vector), by_queue);
}

void vectors_scan(struct scan *scan)
{
	VEC_EACH(&scan->facts->ctrls, struct ctrl, ctrl)
		if (scan_is_pcie(ctrl))
			scan_vectors(scan, ctrl);
}

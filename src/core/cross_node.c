/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cross_node.h"

#include <inttypes.h>

#include "base/parse.h"
#include "core/link.h"

#define HALF_PPT 500
/*
 * More than this, in every slice of enough of them that chance would not do
 * it (four of each: 1 in 70), and the firmware's idea of what is local is in
 * doubt.
 */
#define REVERSED_PPT 1100
#define ENOUGH_SLICES 4U

struct judging {
	struct arena *arena;
	const struct facts *facts;
	const struct bench_matrix *matrix;
	const struct bench_cell *local;
	const struct bench_cell *remote;
	const struct ns *ns; /* both NULL: not in the facts */
	const struct ctrl *ctrl;
	struct cross_node *item;
};

const char *cross_node_name(enum cross_node_state state)
{
	static const char *const names[] = {
		[CROSS_NODE_USUAL] = "usual",
		[CROSS_NODE_ABNORMAL] = "abnormal",
		[CROSS_NODE_REVERSED] = "reversed",
	};

	return names[state];
}

static const char *drive_name(const struct bench_matrix *matrix,
			      const struct bench_cell *cell)
{
	return matrix->drives.items[cell->drive];
}

static bool is_remote_of(const struct bench_cell *cell,
			 const struct bench_cell *local)
{
	return cell->drive == local->drive && cell->node != local->node &&
	       !cell->skipped && cell->of_local_ppt >= 0;
}

static const struct bench_cell *worst_remote(const struct bench_matrix *matrix,
					     const struct bench_cell *local)
{
	const struct bench_cell *worst = NULL;

	VEC_EACH(&matrix->cells, const struct bench_cell, it)
		if (is_remote_of(it, local) &&
		    (!worst || it->of_local_ppt < worst->of_local_ppt))
			worst = it;
	return worst;
}

static bool is_local(const struct bench_matrix *matrix, size_t drive,
		     int64_t node)
{
	VEC_EACH(&matrix->cells, const struct bench_cell, it)
		if (it->drive == drive && it->local && it->node == node &&
		    !it->skipped)
			return true;
	return false;
}

/* Another drive on the same node, read from the same other one. */
static const struct bench_cell *best_sibling(const struct bench_matrix *matrix,
					     const struct bench_cell *local,
					     const struct bench_cell *remote)
{
	const struct bench_cell *best = NULL;

	VEC_EACH(&matrix->cells, const struct bench_cell, it)
		if (it->drive != local->drive && it->node == remote->node &&
		    !it->skipped && it->of_local_ppt >= 0 &&
		    is_local(matrix, it->drive, local->node) &&
		    (!best || it->of_local_ppt > best->of_local_ppt))
			best = it;
	return best;
}

static bool is_reversed(const struct bench_cell *remote,
			const struct bench_cell *local)
{
	return remote->slices.n >= ENOUGH_SLICES &&
	       local->slices.n >= ENOUGH_SLICES &&
	       remote->of_local_ppt >= REVERSED_PPT &&
	       remote->summary.iops_min > local->summary.iops_max;
}

static void ruled_out(struct judging *judging, const char *text)
{
	*vec_add(judging->arena, &judging->item->ruled_out) = text;
}

static void possible(struct judging *judging, const char *text)
{
	*vec_add(judging->arena, &judging->item->possible) = text;
}

/* Up to two pages a command holds its addresses itself: nvme_setup_prps()
 * of drivers/nvme/host/pci.c. */
static void judge_lists(struct judging *judging)
{
	uint32_t bytes = judging->remote->method.block_bytes;
	int64_t blocks = 0;

	if (bytes > 0 && bytes <= 8192) {
		ruled_out(judging,
			  arena_printf(judging->arena,
				       "PRP lists: a read of %u KiB needs none",
				       bytes / 1024));
		return;
	}
	if (!judging->ctrl || judging->ctrl->pools.n == 0)
		return;
	VEC_EACH(&judging->ctrl->pools, const struct dma_pool, pool)
		blocks += pool->blocks_ever;
	if (blocks == 0)
		ruled_out(judging, "PRP lists: no block was ever taken");
	else if (judging->ctrl->pools.n <= 2)
		possible(judging, "PRP lists: one pair of pools for all nodes");
}

static void judge_transfer(struct judging *judging)
{
	uint32_t bytes = judging->remote->method.block_bytes;

	if (judging->ns && bytes > 0 &&
	    num_or(judging->ns->max_hw_sectors_kb, 0) * 1024 >= (int64_t)bytes)
		ruled_out(judging, "mdts: no read is split");
}

/* It carries more when read from the drive's own node. */
static void judge_link(struct judging *judging)
{
	const struct ctrl *ctrl = judging->ctrl;
	struct num mbs = num_unknown(0);
	uint64_t used = judging->remote->summary.iops *
			judging->remote->method.block_bytes / 10000;

	if (ctrl)
		mbs = link_bandwidth_mbs(ctrl->link.speed_mts,
					 ctrl->link.width);
	if (mbs.known && mbs.value > 0 && judging->remote->method.block_bytes)
		ruled_out(judging, arena_printf(judging->arena,
						"the link: %" PRIu64 " %% used",
						used / (uint64_t)mbs.value));
}

static void judge_iommu(struct judging *judging)
{
	const char *type = judging->ctrl ? judging->ctrl->iommu_type : NULL;

	if (text_equal(type, "identity"))
		ruled_out(judging, "the IOMMU: it maps nothing (identity)");
	else if (text_equal(type, "DMA") || text_equal(type, "DMA-FQ"))
		possible(judging,
			 arena_printf(judging->arena,
				      "the IOMMU, which maps each read (%s)",
				      type));
}

/* CPUs that share a queue take turns at its lock. */
static void judge_queues(struct judging *judging)
{
	unsigned int cpus = cpuset_count(&judging->facts->possible);
	int64_t queues =
		judging->ctrl ? num_or(judging->ctrl->queues_default, 0) : 0;

	if (queues < 1 || cpus == 0)
		return;
	if (queues >= cpus)
		ruled_out(judging, "shared queues: each CPU has its own");
	else
		possible(judging,
			 arena_printf(judging->arena,
				      "submission: up to %" PRId64
				      " CPUs share a queue and its lock",
				      (cpus + queues - 1) / queues));
}

static void judge_interrupts(struct judging *judging)
{
	const struct node *node =
		facts_node(judging->facts, judging->remote->node);
	bool any = false;

	if (!node || !judging->ctrl)
		return;
	VEC_EACH(&judging->ctrl->vectors, const struct vector, it) {
		if (num_or(it->queue, 0) < 1)
			continue;
		if (cpuset_is_empty(&it->mask) ||
		    cpuset_intersects(&it->mask, &node->cpus))
			return;
		any = true;
	}
	if (any)
		possible(judging,
			 arena_printf(judging->arena,
				      "interrupts: none goes to node %" PRId64,
				      node->id));
}

static void judge_cpus(struct judging *judging)
{
	if (judging->remote->summary.cpu_bound)
		possible(judging, arena_printf(judging->arena,
					       "the CPUs of node %" PRId64
					       ", which were the limit",
					       judging->remote->node));
	if (text_equal(judging->facts->governor, "mixed"))
		possible(judging, "frequency: the governors differ");
	if (!judging->remote->method.memory_bound)
		possible(judging, "memory, which was not bound to the node");
}

/* What a sibling gets through, the way between the nodes lets through. */
static void judge_way(struct judging *judging)
{
	if (judging->item->sibling &&
	    judging->item->sibling_ppt >= 2 * judging->item->kept_ppt)
		ruled_out(
			judging,
			arena_printf(
				judging->arena,
				"the way between the nodes, which %s takes, too",
				judging->item->sibling));
	else
		possible(judging, "the way between the nodes");
}

static void find_causes(struct judging *judging)
{
	judge_lists(judging);
	judge_transfer(judging);
	judge_link(judging);
	judge_way(judging);
	judge_iommu(judging);
	judge_queues(judging);
	judge_interrupts(judging);
	judge_cpus(judging);
}

static struct cross_node *add_item(struct arena *arena,
				   const struct bench_matrix *matrix,
				   const struct bench_cell *local,
				   const struct bench_cell *remote,
				   struct cross_nodes *ret)
{
	struct cross_node *item = vec_add(arena, &ret->items);

	*item = (struct cross_node){
		.drive = drive_name(matrix, local),
		.local = local->node,
		.remote = remote->node,
		.kept_ppt = remote->of_local_ppt,
	};
	return item;
}

static bool is_abnormal(const struct cross_node *item)
{
	return item->kept_ppt < HALF_PPT ||
	       (item->sibling && 2 * item->kept_ppt < item->sibling_ppt);
}

static void judge_loss(struct arena *arena, const struct facts *facts,
		       const struct bench_matrix *matrix,
		       const struct bench_cell *local, struct cross_nodes *ret)
{
	struct judging judging = {
		.arena = arena,
		.facts = facts,
		.matrix = matrix,
		.local = local,
		.remote = worst_remote(matrix, local),
	};
	const struct bench_cell *sibling;

	if (!judging.remote || is_reversed(judging.remote, local))
		return;
	sibling = best_sibling(matrix, local, judging.remote);
	judging.item = add_item(arena, matrix, local, judging.remote, ret);
	if (sibling) {
		judging.item->sibling = drive_name(matrix, sibling);
		judging.item->sibling_ppt = sibling->of_local_ppt;
	}
	if (!is_abnormal(judging.item))
		return;
	judging.item->state = CROSS_NODE_ABNORMAL;
	judging.ns = facts_ns(facts, judging.item->drive);
	judging.ctrl = judging.ns ? facts_ns_ctrl(facts, judging.ns) : NULL;
	find_causes(&judging);
}

void cross_node_judge(struct arena *arena, const struct facts *facts,
		      const struct bench_matrix *matrix,
		      struct cross_nodes *ret)
{
	if (matrix->together)
		return;
	VEC_EACH(&matrix->cells, const struct bench_cell, local) {
		if (!local->local || local->skipped)
			continue;
		judge_loss(arena, facts, matrix, local, ret);
		VEC_EACH(&matrix->cells, const struct bench_cell, it)
			if (is_remote_of(it, local) && is_reversed(it, local))
				add_item(arena, matrix, local, it, ret)->state =
					CROSS_NODE_REVERSED;
	}
}

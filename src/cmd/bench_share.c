/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_share.h"

#include "bench/ceiling.h"
#include "bench/stats.h"
#include "cmd/bench_mode.h"
#include "core/link.h"

/* A head is reached over several links, so that none is its own. */
static struct num link_mbs(const struct facts *facts, const struct ns *ns)
{
	const struct ctrl *ctrl =
		ns->kind == NS_HEAD ? NULL : facts_ns_ctrl(facts, ns);

	return ctrl ? link_bandwidth_mbs(ctrl->link.speed_mts,
					 ctrl->link.width) :
		      num_unknown(0);
}

static int64_t of_link(const struct bench_page *page,
		       const struct bench_cell *cell)
{
	const struct num mbs = link_mbs(
		page->ctx->facts, page->load.drives.items[cell->drive].ns);

	return mbs.known && mbs.value > 0 ?
		       stats_ppt(cell->summary.iops * cell->method.block_bytes /
					 1000000,
				 (uint64_t)mbs.value) :
		       -1;
}

#define CEILING_MS 300

/* On the first CPU of what was measured: one stands for all.  0: unknown. */
static uint64_t ceiling(const struct bench_page *page)
{
	struct bench_ceiling found = { 0 };

	VEC_EACH(&page->matrix.cells, const struct bench_cell, it) {
		int cpu = cpuset_next(&it->cpus, 0);

		if (it->skipped || cpu < 0)
			continue;
		if (bench_ceiling(page->ctx->arena, (unsigned int)cpu,
				  CEILING_MS, &found, NULL) < 0)
			return 0;
		break;
	}
	return found.per_second;
}

void bench_share_judge(struct bench_page *page)
{
	page->ceiling = ceiling(page);
	VEC_EACH(&page->matrix.cells, struct bench_cell, cell) {
		if (cell->skipped)
			continue;
		cell->of_link_ppt = of_link(page, cell);
		cell->of_ceiling_ppt = stats_ppt(
			cell->summary.iops, page->ceiling * cell->method.jobs);
	}
}

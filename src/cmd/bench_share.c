/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_share.h"

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

void bench_share_judge(struct bench_page *page)
{
	VEC_EACH(&page->matrix.cells, struct bench_cell, cell)
		if (!cell->skipped)
			cell->of_link_ppt = of_link(page, cell);
}

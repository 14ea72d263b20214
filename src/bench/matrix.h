/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/vec.h"
#include "bench/cells.h"

/*
 * Random reads on every drive from every node: how much does it cost to sit
 * on the wrong one?  Or each drive from its own node alone.
 */

struct bench_wants {
	VEC(struct bench_want) items;
};

/*
 * In the order in which they are shown: drive by drive, node by node.  A
 * drive whose node is unknown is wanted from every node, but has no local
 * cell; from its own alone it is skipped where there are several places.
 */
void bench_matrix_wants(struct arena *arena,
			const struct bench_matrix_drive *drives,
			size_t nr_drives, const struct bench_place *places,
			size_t nr_places, bool own_node_only,
			struct bench_wants *ret);

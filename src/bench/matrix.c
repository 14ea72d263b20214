/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/matrix.h"

#include "base/arena.h"

static void want(struct arena *arena, size_t drive,
		 const struct bench_place *place, struct bench_wants *ret)
{
	*vec_add(arena, &ret->items) =
		(struct bench_want){ .drive = drive, .place = place };
}

void bench_matrix_wants(struct arena *arena,
			const struct bench_matrix_drive *drives,
			size_t nr_drives, const struct bench_place *places,
			size_t nr_places, bool own_node_only,
			struct bench_wants *ret)
{
	for (size_t i = 0; i < nr_drives; i++) {
		if (own_node_only)
			want(arena, i,
			     bench_place_of(places, nr_places, drives[i].node),
			     ret);
		else
			for (size_t j = 0; j < nr_places; j++)
				want(arena, i, &places[j], ret);
	}
}

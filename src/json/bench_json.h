/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/bench_result.h"
#include "core/cross_node.h"
#include "json/write.h"

struct arena;
struct err;

/*
 * Results of measurements as members of the object that json has open.
 * Raw counts of every slice and the merged latencies are kept, so that a
 * saved result can be judged again.  No member is called "environment" or
 * "drives": those are the labels that cmd/ puts beside them.
 */

#define BENCH_SCHEMA "nvmetune.bench/1"

void bench_matrix_to_json(const struct bench_matrix *matrix,
			  struct json_writer *json);
void cross_nodes_to_json(const struct cross_nodes *nodes,
			 struct json_writer *json); /* member "cross_node" */
/* The raw counts of a slice, without its latencies. */
void bench_slice_to_json(const struct bench_slice *slice,
			 struct json_writer *json);
/* Pairs of a bucket's upper edge and its count, without empty buckets. */
void bench_histogram_to_json(const struct histogram *h, const char *key,
			     struct json_writer *json);

/*
 * A saved result, as far as it is judged: drives, nodes, figures and how many
 * slices there were, without their latencies.  -EBADMSG with the member in
 * err; -ERANGE: figures that cannot be true, see json/bench_check.h.
 */
int bench_matrix_from_json(struct arena *arena, const char *text, size_t len,
			   struct bench_matrix *ret, struct err *err);

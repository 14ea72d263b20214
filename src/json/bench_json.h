/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/bench_result.h"
#include "json/write.h"

/*
 * Results of measurements as members of the object that json has open.
 * Raw counts of every slice and the merged latencies are kept, so that a
 * saved result can be judged again.  No member is called "environment" or
 * "drives": those are the labels that cmd/ puts beside them.
 */

void bench_matrix_to_json(const struct bench_matrix *matrix,
			  struct json_writer *json);
void bench_compare_to_json(const struct bench_compare *compare,
			   struct json_writer *json);

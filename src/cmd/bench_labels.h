/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "cmd/load.h"
#include "core/facts.h"
#include "json/write.h"

/*
 * Under what circumstances figures came to be: without these they compare
 * with nothing.  Members "environment" and "drives" of the open object.
 */
void bench_labels_to_json(const struct facts *facts, const struct load *load,
			  struct json_writer *json);

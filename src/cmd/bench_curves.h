/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/curve.h"
#include "json/write.h"

/* What the sweeps of a result say, as the members "knees" and "scaling" of
 * the object that json has open; in words it is curves_to_text(). */
void bench_curves_to_json(const struct curves *curves,
			  struct json_writer *json);

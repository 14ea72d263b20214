/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "json/bench_against.h"
#include "json/write.h"

/* How one result stands against another, for a person and as the member
 * "against" of the object that json has open. */
void bench_steps_put(const struct bench_steps *steps, struct strbuf *out);
void bench_steps_to_json(const struct bench_steps *steps,
			 struct json_writer *json);

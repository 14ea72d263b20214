/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>

struct strbuf;

/*
 * Append a time as a person says it: "40 s", "3 min 20 s", "1 h 5 min";
 * rounded up to seconds, and from an hour on to minutes.
 */
void duration_to_text(uint64_t ms, struct strbuf *out);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

struct strbuf;

/*
 * The bits of "critical warning" in the SMART log as words, ", " between
 * them (NVMe Base 2.0, figure 207); "ok" for 0.
 */
void health_to_text(int64_t critical_warning, struct strbuf *out);

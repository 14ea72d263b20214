/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "core/intents.h"

/* The drop-in of irqbalance.service, and the environment file that it names;
 * nothing when there is nothing to say. */
void render_irqbalance_unit(const struct intents *intents, struct strbuf *out);
void render_irqbalance_env(const struct intents *intents, struct strbuf *out);

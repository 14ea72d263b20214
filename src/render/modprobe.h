/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "core/intents.h"

/* The text of modprobe.d/nvmetune.conf, or nothing when there is no option. */
void render_modprobe(const struct intents *intents, struct strbuf *out);

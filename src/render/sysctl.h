/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "core/intents.h"

/* The text of sysctl.d/90-nvmetune.conf, or nothing when there is no line. */
void render_sysctl(const struct intents *intents, struct strbuf *out);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"

/* How each of our files starts: whose it is, from which profile, and how it
 * goes away.  No time and no version, so that equal plans give equal bytes. */
void render_header(struct strbuf *out, const char *profile);

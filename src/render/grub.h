/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/intents.h"

struct strbuf;

/*
 * A file of grub.d, which grub-mkconfig reads as shell: the words of the
 * kernel command line, a line each.  Empty when there are none.
 */
void render_grub(const struct intents *intents, struct strbuf *out);

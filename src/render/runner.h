/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/strbuf.h"
#include "core/intents.h"

/*
 * The text of a service's drop-in, or of a wrapper's script: one that tries
 * whether memory may be bound, and binds the CPUs alone where it may not.
 */
void render_runner(const struct runner_intent *intent, const char *profile,
		   struct strbuf *out);

/* 0644 or 0755. */
unsigned int render_runner_mode(const struct runner_intent *intent);

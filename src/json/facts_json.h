/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

#include "core/facts.h"

/*
 * A saved host, described in docs/facts-schema.md.  Same facts, same bytes;
 * what is written reads back to the same facts, but for bytes in text that
 * are not UTF-8.
 */

struct err;

#define FACTS_SCHEMA "nvmetune.facts/1"

void facts_to_json(const struct facts *facts, struct strbuf *out);

/* 0, or -EBADMSG, -EFBIG, -EPROTONOSUPPORT (another schema) with err set and
 * *ret as it was. */
int facts_from_json(struct arena *arena, const char *text, size_t len,
		    struct facts *ret, struct err *err);

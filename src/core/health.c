/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/health.h"

#include "base/strbuf.h"

void health_to_text(int64_t critical_warning, struct strbuf *out)
{
	static const char *const words[] = {
		"spare low",
		"temperature",
		"reliability degraded",
		"read-only",
		"backup power failed",
		"persistent memory unreliable",
	};
	const char *gap = "";

	if (critical_warning == 0)
		strbuf_puts(out, "ok");
	for (unsigned int bit = 0; bit < 8; bit++) {
		if (!((uint64_t)critical_warning >> bit & 1))
			continue;
		strbuf_puts(out, gap);
		if (bit < sizeof(words) / sizeof(words[0]))
			strbuf_puts(out, words[bit]);
		else
			strbuf_printf(out, "bit %u", bit);
		gap = ", ";
	}
}

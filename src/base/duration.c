/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/duration.h"

#include "base/strbuf.h"

#define MINUTE 60
#define HOUR 3600

static void put(struct strbuf *out, uint64_t value, const char *unit)
{
	if (value)
		strbuf_printf(out, " %llu %s", (unsigned long long)value, unit);
}

void duration_to_text(uint64_t ms, struct strbuf *out)
{
	uint64_t s = ms / 1000 + (ms % 1000 > 0);

	if (s < MINUTE) {
		strbuf_printf(out, "%llu s", (unsigned long long)s);
	} else if (s < HOUR) {
		strbuf_printf(out, "%llu min",
			      (unsigned long long)(s / MINUTE));
		put(out, s % MINUTE, "s");
	} else {
		uint64_t minutes = s / MINUTE + (s % MINUTE > 0);

		strbuf_printf(out, "%llu h",
			      (unsigned long long)(minutes / 60));
		put(out, minutes % 60, "min");
	}
}

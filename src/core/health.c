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

#define WARNING_TEMPERATURE (1 << 1)

static bool grew(struct num before, struct num after)
{
	return before.known && after.known && after.value > before.value;
}

static bool differs(struct num before, struct num after)
{
	return before.known && after.known && after.value != before.value;
}

static bool has_throttled(const struct smart *a, const struct smart *b)
{
	return grew(a->thermal_1_count, b->thermal_1_count) ||
	       grew(a->thermal_2_count, b->thermal_2_count) ||
	       grew(a->thermal_1_seconds, b->thermal_1_seconds) ||
	       grew(a->thermal_2_seconds, b->thermal_2_seconds);
}

const char *health_change(const struct health *before,
			  const struct health *after)
{
	const struct smart *a = &before->smart, *b = &after->smart;

	if (has_throttled(a, b))
		return "the drive throttled because of its temperature";
	if (num_or(b->critical_warning, 0) & WARNING_TEMPERATURE)
		return "the drive warns of its temperature";
	if (grew(a->warning_temperature_minutes,
		 b->warning_temperature_minutes) ||
	    grew(a->critical_temperature_minutes,
		 b->critical_temperature_minutes))
		return "the drive was above its warning temperature";
	if (differs(before->link.speed_mts, after->link.speed_mts) ||
	    differs(before->link.width, after->link.width))
		return "the drive's link changed its speed or width";
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/watch.h"

#define NS_PER_MS UINT64_C(1000000)

/* A mean of fewer says little: one flush among reads doubles it. */
#define LEAST_IOS 32U

/* Reads and writes are each cut to whole milliseconds. */
#define ROUNDING_MS 2U

static struct watch_count minus(struct watch_count a, struct watch_count b)
{
	/* A device that came back counts from zero again. */
	if (a.ios < b.ios || a.ms < b.ms)
		return (struct watch_count){ 0 };
	return (struct watch_count){ a.ios - b.ios, a.ms - b.ms };
}

void watch_start(struct watch *watch, struct watch_count before,
		 struct watch_count now)
{
	struct watch_count seen = minus(now, before);

	if (seen.ios < LEAST_IOS)
		seen = now;
	*watch = (struct watch){ .since = now };
	if (seen.ios >= LEAST_IOS)
		watch->usual_ns =
			(seen.ms + ROUNDING_MS) * NS_PER_MS / seen.ios;
}

enum watch_verdict watch_look(struct watch *watch, struct watch_count now,
			      uint64_t *ret_ns)
{
	struct watch_count seen = minus(now, watch->since);

	if (now.ios < watch->since.ios)
		watch->since = now;
	if (seen.ios < LEAST_IOS)
		return WATCH_UNCLEAR;
	watch->since = now;
	if (!watch->usual_ns)
		return WATCH_UNCLEAR;
	*ret_ns = seen.ms * NS_PER_MS / seen.ios;
	return *ret_ns >= 2 * watch->usual_ns ? WATCH_DOUBLED : WATCH_FINE;
}

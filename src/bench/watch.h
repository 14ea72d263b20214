/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Do the users of a drive wait for it twice as long as before somebody else
 * loaded it?  Told from two counters that only grow, as the kernel has them
 * for each disk and partition: requests, and the milliseconds that they took
 * together.  Pure.
 */

struct watch_count {
	uint64_t ios;
	uint64_t ms;
};

struct watch {
	uint64_t usual_ns; /* of one request, without the load; 0: unknown */
	struct watch_count since; /* where the present look began */
};

enum watch_verdict {
	WATCH_UNCLEAR, /* too few requests to tell, or nothing to compare to */
	WATCH_FINE,
	WATCH_DOUBLED,
};

/*
 * Before the load: what was counted over a stretch of time, from before to
 * now.  Where that was too little, all that was ever counted is what is usual.
 */
void watch_start(struct watch *watch, struct watch_count before,
		 struct watch_count now);

/* During the load, as often as wanted; *ret_ns is what one request takes now,
 * unless the verdict is WATCH_UNCLEAR. */
enum watch_verdict watch_look(struct watch *watch, struct watch_count now,
			      uint64_t *ret_ns);

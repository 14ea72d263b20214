/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

/*
 * What a PCIe link carries, and whether it does what both its ends can.
 */

struct strbuf;

/*
 * Payload in MB/s after encoding (8b/10b up to 5 GT/s, 128b/130b from 8 to
 * 32, flits at 64); unknown for a speed that no generation has, and where
 * speed or width is unknown.  4 lanes of 8 GT/s: 3940.
 */
struct num link_bandwidth_mbs(struct num speed_mts, struct num width);

enum link_state {
	LINK_UNKNOWN, /* now, or what the drive can, is not known */
	LINK_FULL,    /* as fast and wide as the drive can */
	LINK_SLOT,    /* as the slot can, which is less than the drive */
	LINK_DOWN,    /* less than both ends can: trained down */
	LINK_LESS,    /* less than the drive can; what the slot can, nobody
			 told */
};

const char *link_state_name(enum link_state state); /* "trained-down" */

/*
 * drive and port are the two ends of one link.  *ret_most (may be NULL) is
 * the most that both ends can, as far as it is known.
 */
enum link_state link_judge(const struct link *drive, const struct link *port,
			   struct link *ret_most);

/* A link between two switches, or between one and the root. */
struct uplink {
	const char *address; /* of the port at its lower end */
	const struct link *lower;
	const struct link *upper;
};

/*
 * The nr-th link above a drive's own, counted from 0.  False: there is none,
 * or its ends do not agree on its speed and width, so that it is none.
 */
bool link_uplink(const struct ctrl *ctrl, size_t nr, struct uplink *ret);

/* "8.0 GT/s x4", "unknown speed x4" where one half is not known. */
void link_to_text(struct num speed_mts, struct num width, struct strbuf *out);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * What a program says of its own speed, found in what it printed: pure.
 *
 * A last line that is a number and nothing else is meant for us.  Otherwise
 * the last rate counts, wherever it stands:
 *
 *	NUMBER UNIT	1.2GiB/s, 12.3k IOPS, 2468.0 per sec, 9.4 Gbits/sec
 *	NAME = NUMBER	tps = 1234.5, IOPS=12.3k, Requests per second: 998
 *
 * with "=", ":" or "," behind the name, and k, M, G and T, or Ki, Mi, Gi and
 * Ti, multiplied out.  A rate of 0 is passed over (what did not happen is
 * counted that way), and so is a number with a comma in it, which nobody can
 * read for sure.
 */

struct arena;

struct throughput {
	double value; /* above 0, in name's unit */
	/*
	 * What it is, from the words around it: two figures compare only if
	 * this is the same.  "" of a number alone.  Harmless characters only.
	 */
	const char *name;
};

/* False: there is none.  The text is foreign, and may be cut in front. */
bool throughput_find(struct arena *arena, const char *text,
		     struct throughput *ret);

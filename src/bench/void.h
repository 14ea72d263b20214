/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>

#include "core/bench_result.h"

/*
 * Whether a slice counts, judged by what does not depend on the figures that
 * are compared: to leave out what is slow would be to choose the answer.
 */

/* Limits, from docs/bench.md. */
#define VOID_STEAL_PPT 10U	 /* of the CPUs' time, given to others */
#define VOID_FOREIGN_PPT 5U	 /* of our I/Os */
#define VOID_PREEMPTED_PER_S 50U /* involuntary switches of a worker ... */
#define VOID_OTHERS_PPT 20U	 /* ... and that much was run by programs */

/*
 * Why the slice must not be used, in words that stay, or NULL.  What is
 * unknown voids nothing.  jobs x depth I/Os of ours may be in flight at a
 * border, and are nobody else's.
 */
const char *void_why(const struct bench_slice *slice,
		     const struct bench_method *method);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>

/*
 * Student's t: how far the mean of few values may be off.  Pure.
 */

/*
 * The t that a t distributed variable with df degrees of freedom stays below
 * with probability p; p within 0..1, both excluded, df at least 1.  Good to
 * 1e-10 of the value, for df up to 100000 and p within 1e-6 of 0 and 1.
 */
double student_quantile(double p, uint32_t df);

/*
 * The smallest effect that n blocks show with this power at a two-sided
 * alpha, when one block is off by sd: (t(1 - alpha / 2) + t(power)) x
 * sd / sqrt(n).  The normal approximation of a paired t test; n at least 2.
 */
double student_detectable(double sd, uint32_t n, double alpha, double power);

/*
 * The least n whose student_detectable() is effect or less; at least 2, and
 * 0: more than most.  effect and sd are not negative.
 */
uint32_t student_needed(double sd, double effect, double alpha, double power,
			uint32_t most);

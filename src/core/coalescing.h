/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/value.h"

/*
 * Interrupt coalescing, feature 08h (NVMe Base 2.0, 5.27.1.6), as a value:
 * "off", or "8/100us", which is an interrupt after eight completions or
 * 100 us, whatever comes first.  The drive counts completions from 0 and time
 * in 100 us.  What is on the wire and what is text are the same thing: each
 * dword has one text, and gives it back.
 */

#define COALESCING_UNIT_US 100U
#define COALESCING_MOST_COMPLETIONS 256U
#define COALESCING_MOST_US 25500U

struct coalescing {
	unsigned int completions; /* 1..256 */
	unsigned int time_us;	  /* 0..25500, whole units */
};

struct coalescing coalescing_from_dword(uint32_t dword);
uint32_t coalescing_to_dword(const struct coalescing *coalescing);

void coalescing_to_text(const struct coalescing *coalescing,
			char ret[VALUE_TEXT_SIZE]);
/* -EINVAL: no such text.  -ERANGE: completions.  -EDOM: a time that is no
 * whole number of units, or too long; *ret has what was asked then. */
int coalescing_parse(const char *text, struct coalescing *ret);

/* Nothing waits: each completion interrupts, or the time is 0. */
bool coalescing_is_off(const struct coalescing *coalescing);

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/coalescing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"

struct coalescing coalescing_from_dword(uint32_t dword)
{
	return (struct coalescing){
		.completions = (dword & 0xff) + 1,
		.time_us = (dword >> 8 & 0xff) * COALESCING_UNIT_US,
	};
}

uint32_t coalescing_to_dword(const struct coalescing *coalescing)
{
	return (coalescing->completions - 1) |
	       coalescing->time_us / COALESCING_UNIT_US << 8;
}

void coalescing_to_text(const struct coalescing *coalescing,
			char ret[VALUE_TEXT_SIZE])
{
	if (coalescing_to_dword(coalescing) == 0)
		(void)snprintf(ret, VALUE_TEXT_SIZE, "off");
	else
		(void)snprintf(ret, VALUE_TEXT_SIZE, "%u/%uus",
			       coalescing->completions, coalescing->time_us);
}

int coalescing_parse(const char *text, struct coalescing *ret)
{
	uint64_t completions, time_us;

	if (strcmp(text, "off") == 0) {
		*ret = coalescing_from_dword(0);
		return 0;
	}
	if (parse_u64_prefix(&text, &completions) < 0 || *text != '/' ||
	    parse_time(text + 1, &time_us) < 0 || time_us > UINT32_MAX)
		return -EINVAL;
	if (completions < 1 || completions > COALESCING_MOST_COMPLETIONS)
		return -ERANGE;
	ret->completions = (unsigned int)completions;
	ret->time_us = (unsigned int)time_us;
	return time_us % COALESCING_UNIT_US || time_us > COALESCING_MOST_US ?
		       -EDOM :
		       0;
}

bool coalescing_is_off(const struct coalescing *coalescing)
{
	return coalescing->completions <= 1 || coalescing->time_us == 0;
}

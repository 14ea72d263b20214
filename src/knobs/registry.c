/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

#define POINTER(id) &knob_##id,
static const struct knob *const items[] = { KNOB_LIST(POINTER) };
#undef POINTER

const struct knob_set *knobs_all(void)
{
	static const struct knob_set all = {
		.items = items,
		.n = sizeof(items) / sizeof(items[0]),
	};

	return &all;
}

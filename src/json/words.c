/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/words.h"

#include <stddef.h>

#include "core/facts.h"

const char *const json_ns_kinds[] = {
	[NS_PLAIN] = "plain",
	[NS_HEAD] = "head",
	[NS_PATH] = "path",
	NULL,
};

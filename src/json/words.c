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

const char *const json_target_kinds[] = {
	[TARGET_HOST] = "host",
	[TARGET_MODULE] = "module",
	[TARGET_CTRL] = "ctrl",
	[TARGET_QUEUE] = "queue",
	NULL,
};

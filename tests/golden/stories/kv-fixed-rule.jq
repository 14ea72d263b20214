# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "kv";

{
	"none stays": (scheduler | .have == "none" and .verdict == "keep"),
	"our rule is written all the same": (rules |
		.action == "create" and
		(.want | contains("ATTR{queue/scheduler}=\"none\"")))
}

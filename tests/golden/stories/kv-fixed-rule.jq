# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "kv";

{
	"none stays": (scheduler | .have == "none" and .verdict == "keep"),
	"the rule that keeps it too is named": (scheduler.set_by[0] // "" |
		startswith("/etc/udev/rules.d/60-io-scheduler.rules:1:")),
	"our rule is written all the same": (rules |
		.action == "create" and
		(.want | contains("ATTR{queue/scheduler}=\"none\"")))
}

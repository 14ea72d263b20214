# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "kv";

{
	"none would write zones out of order": (scheduler |
		.verdict == "cannot" and .have == "mq-deadline" and
		(.reason | contains("zoned"))),
	"and our rule does not do at boot what the plan refuses":
		((rules.want // "") |
			(contains("ATTR{queue/scheduler}") | not) or
			contains("queue/zoned"))
}

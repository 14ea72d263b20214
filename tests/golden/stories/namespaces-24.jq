# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

[.changes[] | select(.key == "queue.scheduler")] as $all |
{
	"each of the 24 disks has its line": ($all | length == 24),
	"the two under mq-deadline are changed":
		([$all[] | select(.verdict == "change") | .target.name] ==
			["nvme0n5", "nvme0n18"]),
	"somebody's read-ahead of 0 is left alone": all(.changes[] |
		select(.key == "queue.read_ahead_kb"); .target.name !=
			"nvme0n10" or .want == 0),
	"one rule serves them all": (rules.want |
		[scan("ATTR{queue/scheduler}=")] | length == 1)
}

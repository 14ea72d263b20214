# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

def scheduler: change("queue.scheduler"; "nvme0n1");

def set_by_rule($file):
	{
		"mq-deadline becomes none": (scheduler |
			.have == "mq-deadline" and .want == "none" and
			.verdict == "change"),
		"the rule that set it is named with file and line":
			(scheduler.set_by[0] // "" |
				startswith($file + ":1:")),
		"the line about SATA disks is not held against it":
			(scheduler.set_by | length == 1)
	};

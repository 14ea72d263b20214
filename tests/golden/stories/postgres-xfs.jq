# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

(if $profile == "oltp" then {
	"mq-deadline becomes none":
		(change("queue.scheduler"; "nvme0n1") |
			.have == "mq-deadline" and .want == "none" and
			.verdict == "change"),
	"set by: nothing found, and not the default for 64 queues":
		(change("queue.scheduler"; "nvme0n1").set_by == []),
	"our rule keeps it, in 90-nvmetune.rules":
		(change("queue.scheduler"; "nvme0n1").persistence ==
			"udev rule" and (rules |
			.action == "create" and
			(.want | contains("ATTR{queue/scheduler}=\"none\"")))),
	"max is 1023 under none":
		(change("queue.nr_requests"; "nvme0n1").want == 1023),
	"the scheduler is changed before the depth":
		([.changes[].key] | index("queue.scheduler") <
			index("queue.nr_requests"))
} elif $profile == "deep-queue" then {
	"2048 is above what none takes":
		(change("queue.nr_requests"; "nvme0n1") |
			.verdict == "cannot" and (.reason |
			contains("2048") and contains("1023")))
} else {} end) + {
	"four groups for 64 CPUs are a hint, and not about the log":
		(.advice | any(.id == "xfs.agcount" and
			(.text | contains("4 allocation groups for 64 CPUs") and
			contains("not the log"))))
}

# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

if $profile == "poll-16" then {
	"polling takes half of the queues with interrupts":
		(next("nvme0") == "16/0/16"),
	"which is a warning":
		(queue_split("nvme0").reason | contains("16 queues") and
			contains("32 CPUs"))
} elif $profile == "low-latency" then {
	"a share takes no more than one queue from the CPUs":
		(next("nvme0") == "31/0/1"),
	"and warns of that one": (queue_split("nvme0").reason != null)
} else {} end

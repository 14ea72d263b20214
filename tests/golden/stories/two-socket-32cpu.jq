# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

if $profile == "poll-16" then {
	"each CPU keeps its queue where the drive gives enough":
		(next("nvme0") == "32/0/16"),
	"which needs no warning": (queue_split("nvme0").reason == null)
} elif $profile == "low-latency" then {
	"a quarter of the CPUs poll":
		(param("nvme.poll_queues").want == "8" and
			next("nvme0") == "32/0/8")
} else {} end

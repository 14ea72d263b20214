# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

{
	"one lane of four is said, with what helps":
		(advice("link.trained-down") | contains("x1 of") and
			contains("x4") and contains("reseat")),
	"a drive of another driver is left alone":
		all(.changes[]; .target.name | contains("0000:02:00.0") | not)
} + if $profile == "low-latency" then {
	"two of eight CPUs' worth of queues poll": (next("nvme0") == "8/0/2")
} else {} end

# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "bench";

bench + {
	"one lane of four is said, with its bounds and what helps":
		(advice("link.trained-down") | contains("x1 of") and
			contains("x4") and contains("240k reads") and
			contains("no setting helps") and contains("reseat"))
} + if $profile == "low-latency" then {
	"two of eight CPUs' worth of queues poll": (next("nvme0") == "8/0/2")
} else {} end

# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

if $profile == "low-latency" then {
	"mq-deadline goes, and a rule keeps it away":
		(change("queue.scheduler"; "nvme0n1") |
			.have == "mq-deadline" and .want == "none" and
			.verdict == "change" and .persistence == "udev rule"),
	"nr_requests 256 becomes 1023 as the kernel's own doing":
		(change("queue.nr_requests"; "nvme0n1") | is_effect and
			.have == 256 and .want == 1023 and
			(.put_back | not)),
	"coalescing goes, and what it cost is said":
		(change("irq.coalescing"; "nvme0") | .have == "8/100us" and
			.want == "off" and .verdict == "change" and
			(.note | contains("adds up to 100 us"))),
	"nobody is blamed where no file says anything":
		(change("queue.scheduler"; "nvme0n1").set_by == []),
	"four poll queues come with the next load":
		(param("nvme.poll_queues") | .verdict == "later" and
			.want == "4"),
	"and leave each of the 16 CPUs its queue":
		(next("nvme0") == "16/0/4"),
	"a partition is no target":
		all(.changes[]; .target.name != "nvme0n1p5")
} elif $profile == "throughput" then {
	"8/100us is what throughput asks for": (change("irq.coalescing"; "nvme0") |
		.have == "8/100us" and .verdict == "keep"),
	"a scheduler that goes takes its depth along":
		(change("queue.nr_requests"; "nvme0n1").want == 1023),
	"1 MiB is read ahead": (change("queue.read_ahead_kb"; "nvme0n1").want == 1024)
} else {} end

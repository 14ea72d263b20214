# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

if $profile == "cloud" then {
	"the remote disk gets the vendor's 240 s":
		(change("queue.io_timeout"; "nvme0n1") |
			.have == 30000 and .want == 240000 and
			.verdict == "change"),
	"our rule keeps its hands off network volumes, and the plan says so":
		(change("queue.io_timeout"; "nvme0n1") |
			.persistence == "cannot" and
			(.persist_reason | contains("network volumes"))),
	"the local disk is left alone":
		(change("queue.io_timeout"; "nvme1n1") == null)
} elif $profile == "low-latency" then {
	"a driver in the kernel reads no modprobe.d":
		(param("nvme.poll_queues") | .verdict == "cannot" and
			(.reason | contains("kernel command line")))
} else {
	"no time-out is touched":
		all(.changes[]; .key != "queue.io_timeout")
} end

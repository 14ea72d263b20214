# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

if $profile == "short-timeout" then {
	"the network volume keeps its time-out":
		(change("queue.io_timeout"; "nvme0n1") |
			.verdict == "cannot" and .have == 4294967288),
	"the local drive does not":
		(change("queue.io_timeout"; "nvme1n1") |
			.verdict == "change" and .want == 30000)
} elif $profile == "low-latency" then {
	"a driver in the kernel reads no modprobe.d":
		(param("nvme.poll_queues") | .verdict == "cannot" and
			(.reason | contains("kernel command line"))),
	"so no file is written for it":
		(options | .action == "same" and .want == null)
} else {
	"no time-out is touched":
		all(.changes[]; .key != "queue.io_timeout")
} end

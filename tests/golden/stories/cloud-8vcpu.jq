# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

if $profile == "short-timeout" then {
	"the network volume keeps its time-out":
		(change("queue.io_timeout"; "nvme0n1") |
			.verdict == "cannot" and .have == 4294967288),
	"the local drive does not":
		(change("queue.io_timeout"; "nvme1n1") |
			.verdict == "change" and .want == 30000)
} elif $profile == "cloud" then {
	"the network volume keeps the longest time":
		(change("queue.io_timeout"; "nvme0n1") |
			.verdict == "keep" and .have == 4294967288),
	"which was not meant for the local disk":
		(change("queue.io_timeout"; "nvme1n1") |
			.verdict == "change" and .asked == "90s" and
			.want == 90000 and .persistence == "udev rule"),
	"each model has its own line in the rule":
		(rules.want | contains("ATTRS{model}==\"Amazon Elastic Block Store\"") and
			contains("ATTR{queue/io_timeout}=\"4294967295\"") and
			contains("ATTR{queue/io_timeout}=\"90000\"")),
	"and the driver's parameter is left alone":
		all(.changes[]; .key | startswith("module.") | not)
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

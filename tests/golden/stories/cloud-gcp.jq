# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

if $profile == "cloud" then {
	"the network volume has the longest time already":
		(change("queue.io_timeout"; "nvme0n1") |
			.verdict == "keep" and .have == 4294967288),
	"by the rule of the vendor, which is named":
		(change("queue.io_timeout"; "nvme0n1").set_by |
			any(contains("65-gce-disk-naming.rules:12"))),
	"our rule keeps it as well, by the model":
		(change("queue.io_timeout"; "nvme0n1").persistence ==
			"udev rule" and (rules.want |
			contains("ATTRS{model}==\"nvme_card-pd\""))),
	"the local disk keeps the driver's 30 s":
		(change("queue.io_timeout"; "nvme1n1") == null)
} elif $profile == "low-latency" then {
	"a driver in the kernel reads no modprobe.d":
		(param("nvme.poll_queues") | .verdict == "cannot" and
			(.reason | contains("kernel command line")))
} else {
	"no time-out is touched":
		all(.changes[]; .key != "queue.io_timeout")
} end

# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

{
	"a parameter that was changed under the driver is told":
		(advice("poll.half-applied") |
			contains("poll_queues reads 32") and
			contains("reset of the controller may hang"))
} + if $profile == "rq-and-poll" then {
	"a parameter that no queue follows is not called done":
		(param("nvme.poll_queues") | .have == "32" and
			.want == "32" and .verdict == "later"),
	"the split says that nothing polls now":
		(now("nvme0") == "64/0/0" and next("nvme0") == "64/0/32")
} elif $profile == "virt-host" then {
	"a queue count is not this profile's to choose":
		(param("nvme.poll_queues") == null),
	"completions go to the CPU that asked":
		(change("queue.rq_affinity"; "nvme0n1") |
			.have == 1 and .want == 2 and .verdict == "change"),
	"requests are no longer searched for merges":
		(change("queue.nomerges"; "nvme0n1") |
			.have == 0 and .want == 1 and .verdict == "change")
} else {} end

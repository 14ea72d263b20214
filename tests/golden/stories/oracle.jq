# SPDX-License-Identifier: GPL-2.0-or-later
# nvme-optimized.conf gives write_queues=32 and poll_queues=16 at the next
# load, whatever the profile says of other parameters.
include "plan";

def oracle($now; $as_reported; $low_latency):
	{
		"gen4 drives in gen3 slots: half of what they carry, by design":
			(advice("link.slot") | contains("8.0 GT/s x4") and
				contains("3.94 of the 7.87 GB/s") and
				contains("by design")),
		"what holds for both drives is one line":
			([$text | scan("the slot is")] | length == 1)
	} + if $profile == "queues-32-16" then {
		"the split is the one that the arithmetic gives":
			([.splits[].next | queues] |
				unique == [$as_reported]),
		"it is shown beside the present one":
			([.splits[].now | queues] | unique == [$now]),
		"fewer queues for reads than now is a warning":
			(if $now == "64/0/0" then all(.splits[]; .reason // "" |
				contains("reads: 16 queues with interrupts for 80 CPUs (now 64)"))
			else all(.splits[]; .reason // "" |
				contains("reads:") | not) end),
		"where reads keep enough queues, writes alone are warned of":
			($now == "64/0/0" or all(.splits[]; .reason // "" |
				startswith("writes: 32 queues"))),
		"both counts are there already, and wait for a reload":
			all(param("nvme.write_queues", "nvme.poll_queues");
				.verdict == "later" and .pending),
		"the file that gives them is named with its line":
			(param("nvme.poll_queues").set_by | any(startswith(
				"/etc/modprobe.d/nvme-optimized.conf:1:")))
	} elif $profile == "low-latency" then {
		"write queues of another file count in the split":
			([.splits[].next | queues] |
				unique == [$low_latency]),
		"the other file's poll queues are named":
			(param("nvme.poll_queues").set_by | any(startswith(
				"/etc/modprobe.d/nvme-optimized.conf:1:")))
	} elif $profile == "oltp" then {
		"on a tuned host admin vectors move, if anything":
			all(.changes[] | select(.verdict == "change");
				.key == "irq.affinity" and
				(.target.name | endswith("q0"))),
		"oltp takes no queues away for polling":
			(param("nvme.poll_queues") == null),
		"a gen4 drive in a gen3 slot is not trained down":
			(has_advice("link.trained-down"; "nvme0") | not)
	} else {} end + {
		"parameters that no kernel has are named with their line":
			(.advice | any(.id == "options.unknown" and
				.subject == "/etc/modprobe.d/nvme-optimized.conf:1"
				and (.text | startswith("io_queues, read_queues: unknown to this kernel's nvme, ignored"))))
	};

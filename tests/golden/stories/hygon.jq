# SPDX-License-Identifier: GPL-2.0-or-later
# The eight-node host is tuned as far as queues go: its trouble is elsewhere.
include "plan";

def hygon($now1; $next0):
	{
		"small transfers of the second drive explain no 4 KiB result":
			(any(.advice[]; .id == "drive.mdts" and
				.subject == "nvme1" and (.text |
				contains("128 KiB is the largest transfer") and
				contains("cannot explain a 4 KiB result")))),
		"and of the first there is nothing to say":
			(has_advice("drive.mdts"; "nvme0") | not),
		"so many CPUs share a queue": any(.advice[];
			.id == "queues.shared" and .subject == "nvme1" and
			(.text | contains("up to " + (if $now1 == "64/0/0"
				then "4" else "2" end) + " CPUs"))),
		"irqbalance has no hold on queues":
			has_advice("irqbalance.running"; "host"),
		"the IOMMU is spoken of where it is strict":
			(has_advice("iommu.strict"; "host") ==
				($facts[0].iommu_type == "DMA")),
		"pools that were never used are not blamed":
			(advice("pools.shared") == ""),
		"nothing is said of links that are as fast as they can be":
			all(.advice[]; .id | startswith("link.") | not)
	} + if $profile == "oltp" then {
		"both schedulers stay none, kept by our rule":
			all(change("queue.scheduler"; "nvme0n1", "nvme1n1");
				.verdict == "keep" and
				.persistence == "udev rule"),
		"the full depth stays 1023, which the kernel gives by itself":
			all(change("queue.nr_requests"; "nvme0n1", "nvme1n1");
				.verdict == "keep" and .want == 1023 and
				.persistence == "kernel default"),
		"queue vectors are where the kernel put them, and the plan says where":
			all(change("irq.affinity"; "nvme0", "nvme1");
				.verdict == "keep" and (.reason |
				contains("placed by the kernel") and
				contains("node 3"))),
		"each CPU of the node has a queue, shared by so many":
			(change("irq.affinity"; "nvme1").reason |
				contains("shared by " + (if $now1 == "64/0/0"
					then "4" else "2" end) + " CPUs")),
		"the admin vectors go to the drives' node, and nothing else moves":
			([.changes[] | select(.verdict == "change") |
				[.key, .target.name, .have, .want]] ==
				[("nvme0q0", "nvme1q0") | ["irq.affinity", .,
					"0-15,128-143", "48-63,176-191"]]),
		"drives without idle states have none to be turned off":
			all(.changes[] | select(.key == "power.apst");
				.verdict == "keep" or .verdict == "cannot"),
		"no coalescing stays none":
			all(change("irq.coalescing"; "nvme0", "nvme1");
				.verdict == "keep"),
		"gen4 x4 links are no advice":
			(has_advice("link.trained-down"; "nvme1") | not)
	} elif $profile == "low-latency" then {
		"poll queues need a reload and a new initramfs":
			(param("nvme.poll_queues") | .verdict == "later" and
				.needs == ["reload", "initramfs"]),
		"no drive gives more than half of its queues to polling":
			(next("nvme0") == $next0 and
			all(.splits[].next; .poll <= .default)),
		"the second drive's queues are counted as they are":
			(now("nvme1") == $now1),
		"fewer queues with interrupts is a warning":
			all(.splits[]; .reason != null)
	} elif $profile == "poll-32" then {
		"32 poll queues leave 96 with interrupts":
			(next("nvme0") == "96/0/32")
	} else {} end;

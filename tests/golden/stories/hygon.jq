# SPDX-License-Identifier: GPL-2.0-or-later
# The eight-node host is tuned as far as queues go: its trouble is elsewhere.
include "plan";

def hygon($now1; $next0):
	if $profile == "oltp" then {
		"both schedulers stay none, kept by our rule":
			all(change("queue.scheduler"; "nvme0n1", "nvme1n1");
				.verdict == "keep" and
				.persistence == "udev rule"),
		"the full depth stays 1023, which the kernel gives by itself":
			all(change("queue.nr_requests"; "nvme0n1", "nvme1n1");
				.verdict == "keep" and .want == 1023 and
				.persistence == "kernel default"),
		"nothing is to be changed": (.summary.change == 0),
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

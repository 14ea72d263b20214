# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

if $profile == "low-latency" then {
	"two of seven queues poll": (next("nvme0") == "5/0/2"),
	"which is a warning": (queue_split("nvme0").reason |
		contains("5 queues") and contains("8 CPUs")),
	"the initramfs holds the option too":
		(.needs == ["reload", "initramfs"])
} elif $profile == "oltp" then {
	"both idle states go": (change("power.apst"; "nvme0") |
		.have == 100000 and .want == 0 and .verdict == "change" and
		.persistence == "udev rule"),
	"the link and its substates stay awake":
		all(.changes[] | select(.key | startswith("power.aspm"));
			.want == 0)
} else {
	"nothing is to be changed": (.summary.change == 0)
} end

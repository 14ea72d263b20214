# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

if $profile == "words" then {
	"a parameter of what is built in is a word of grub.d": (
		param("nvme.poll_queues") | .verdict == "later" and
			.persistence == "command line" and
			.needs == ["grub", "reboot"]),
	"the word that is there now is named": (
		param("nvme.poll_queues").reason |
			contains("in place of nvme.poll_queues=1")),
	"no line of modprobe.d is written, for nothing would read it":
		all(.files[]; .path != "/etc/modprobe.d/nvmetune.conf" or
			.action == "same"),
	"grub-mkconfig appends it": (
		[.files[] | select(.path | endswith("grub.d/nvmetune.cfg"))] |
			length == 1 and .[0].action == "create" and
			(.[0].want | contains("\"$GRUB_CMDLINE_LINUX_DEFAULT nvme.poll_queues=2\""))),
	"the rule for the function is named once, and wins at bind": (
		change("power.runtime"; "nvme0") |
			(.set_by | length == 1) and
			.persistence == "cannot" and
			(.persist_reason |
				startswith("/etc/udev/rules.d/20-power.rules:1 runs when the driver has bound"))),
	"the rule behind ours is named": (
		change("subsystem.iopolicy"; "nvme-subsys0").persist_reason ==
			"/etc/udev/rules.d/99-paths.rules:2 runs after our rule and sets numa"),
	"tuned is named with the profile that it includes": (
		change("cpu.governor"; "policy0").persist_reason |
			contains("/usr/lib/tuned/latency-base/tuned.conf:7")),
	"and the child profile that keeps it": (
		[.advice[] | select(.id == "writer.tuned")] | length == 1)
} else {} end

# SPDX-License-Identifier: GPL-2.0-or-later
# The bench box: what its command line and its isolated CPUs come to, whatever
# its link does.
include "plan";

def bench:
	{
		"a word that no kernel knows, and what was meant":
			(advice("cmdline.unknown") |
				contains("rcu_nohz_full=2,3") and
				contains("rcu_nocbs=")),
		"pcie_aspm=off leaves what the firmware set":
			(advice("aspm.hands-off") |
				contains("what the firmware set")),
		"two queues interrupt isolated CPUs, and no other can take them":
			(advice("irq.isolated") | startswith("2 of its queues") and
				contains("(2-3)")),
		"managed_irq would not help there, so it is not asked for":
			(advice("cmdline.isolcpus") == ""),
		"small transfers explain no 4 KiB result":
			(advice("drive.mdts") | contains("4 KiB result")),
		"a drive of another driver is left alone":
			all(.changes[]; .target.name |
				contains("0000:02:00.0") | not)
	} + if $profile != "base" then {
		"the governor becomes performance":
			(change("cpu.governor"; "policy0") |
				.have == "powersave" and
				.want == "performance" and .verdict == "change"),
		"ASPM cannot be had: the kernel was told not to touch it":
			(change("power.aspm"; "nvme0") | .verdict == "cannot" and
				(.reason | contains("pcie_aspm=off"))),
		"idle states are off where they were, and go where they were not":
			(change("power.apst"; "nvme0") | .want == 0 and
				.verdict == (if $facts[0].ctrls[0].pm_qos_latency_us == 0
					then "keep" else "change" end))
	} else {} end;

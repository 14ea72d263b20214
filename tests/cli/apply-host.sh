#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is set outside of request queues is written, verified, and comes back.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
pci0=sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0
pci1=sys/devices/pci0000:20/0000:20:00.0/0000:21:00.0
host "$dir"
# Attributes as a write leaves them.
put() { # PATH, VALUE
	mkdir -p "$dir/${1%/*}"
	printf %s "$2" >"$dir/$1"
}
reads() { # PATH, VALUE
	[ "$(<"$dir/$1")" = "$2" ] ||
		fail "$1 is \"$(<"$dir/$1")\", not \"$2\""
}
put proc/sys/kernel/numa_balancing 1
put sys/module/pcie_aspm/parameters/policy default
for policy in 0 2; do
	put "sys/devices/system/cpu/cpufreq/policy$policy/scaling_governor" \
		powersave
	put "sys/devices/system/cpu/cpufreq/policy$policy/scaling_available_governors" \
		"performance powersave"
done
for pci in $pci0 $pci1; do
	put "$pci/power/control" on
	put "$pci/d3cold_allowed" 1
	put "$pci/link/l0s_aspm" 0
	put "$pci/link/l1_aspm" 1
	put "$pci/link/l1_1_aspm" 1
done
put "$pci0/nvme/nvme0/power/pm_qos_latency_tolerance_us" 100000
put "$pci1/nvme/nvme1/power/pm_qos_latency_tolerance_us" 2147483647
for subsystem in 0 1; do
	put "sys/devices/virtual/nvme-subsystem/nvme-subsys$subsystem/iopolicy" \
		numa
done
fingerprint "$dir" >"$TMPDIR/before"

cat >"$TMPDIR/all.ini" <<-END
	[profile]
	summary = Everything that is no queue
	[drives]
	power.apst = off
	power.runtime = auto
	power.d3cold = forbidden
	power.aspm = off
	[host]
	cpu.governor = performance
	subsystem.iopolicy = round-robin
	kernel.numa_balancing = 0
	pcie.aspm_policy = performance
END
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/all.ini"
expect 0
tells 'nvme0: power.apst: "100000" -> "0"'
tells 'nvme1: power.apst: "2147483647" -> "0"'
tells 'nvme1: power.aspm_l1_1: "1" -> "0"'
tells 'host: kernel.numa_balancing: "1" -> "0"'
tells 'policy2: cpu.governor: "powersave" -> "performance"'
tells 'nvme-subsys1: subsystem.iopolicy: "numa" -> "round-robin"'
reads proc/sys/kernel/numa_balancing 0
reads sys/module/pcie_aspm/parameters/policy performance
reads "$pci0/power/control" auto
reads "$pci1/d3cold_allowed" 0
reads "$pci1/link/l1_aspm" 0
reads "$pci1/nvme/nvme1/power/pm_qos_latency_tolerance_us" 0
grep -qx 'kernel.numa_balancing = 0' "$dir/etc/sysctl.d/90-nvmetune.conf" ||
	fail "no line for sysctl"
rules=$dir/etc/udev/rules.d/90-nvmetune.rules
grep -q 'ATTR{cpufreq/scaling_governor}="performance"' "$rules" ||
	fail "no rule for the governor"
nvmetune verify --sysroot "$dir"
expect 0
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/all.ini"
expect 0

nvmetune rollback --sysroot "$dir"
expect 0
same_host "$dir" "$TMPDIR/before"

# A drive that has no such thing is no failure, also with --strict.
rm "$dir/$pci1/nvme/nvme1/power/pm_qos_latency_tolerance_us" \
	"$dir/$pci1/link/l1_aspm" "$dir/$pci1/link/l1_1_aspm"
printf '[profile]\nsummary = Awake\n[drives]\npower.apst = off\npower.aspm = off\n' \
	>"$TMPDIR/awake.ini"
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/awake.ini"
expect 0
says 'power.apst on nvme1: not applicable'
says 'power.aspm on nvme1: not applicable'
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/awake.ini" --strict
expect 0
nvmetune rollback --sysroot "$dir"
expect 0

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What is set beside request queues: PCI function, subsystem, kernel; and what
# an emulated drive has not, which is no failure.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

balancing=/proc/sys/kernel/numa_balancing
policy=/sys/module/pcie_aspm/parameters/policy

guest_start_udevd
guest_load_nvme

# The function's power/control and d3cold_allowed, the subsystem's iopolicy.
function_values()
{
	local ctrl subsystem
	ctrl=/sys/class/nvme/$(guest_ctrl LAB0)
	for subsystem in /sys/class/nvme-subsystem/nvme-subsys*; do
		[ -e "$subsystem/${ctrl##*/}" ] && break
	done
	echo "$(<"$ctrl/device/power/control")" \
		"$(<"$ctrl/device/d3cold_allowed")" "$(<"$subsystem/iopolicy")"
}

values()
{
	local links
	read -r links <$policy
	echo "$(function_values) $(<$balancing) $links"
}

before=$(guest_state)
had=$(values)
cat >/run/host.ini <<'INI'
[profile]
summary = What is no queue

[drives]
power.apst = off
power.aspm = off
power.runtime = auto
power.d3cold = forbidden

[host]
cpu.governor = performance
subsystem.iopolicy = round-robin
kernel.numa_balancing = 0
INI

echo "# a drive without idle states, and a guest without a governor"
check "the lab's values" \
	"on 1 numa 1 [default] performance powersave powersupersave" "$had"
check_status "plan" 0 "$NVMETUNE" plan --profile /run/host.ini
flat=$(tr -s ' \n' ' ' <<<"$output")
check_match "APST is not applicable" \
	"*power.apst on 2 controllers: not applicable:*" "$flat"
check_match "neither is the governor" \
	"*cpu.governor on cpufreq: not applicable:*" "$flat"

echo "# apply, and a drive that comes again"
check_status "apply --strict" 3 "$NVMETUNE" apply --profile /run/host.ini \
	--strict --detailed-exitcode
check "all is as wanted" \
	"auto 0 round-robin 0 [default] performance powersave powersupersave" \
	"$(values)"
check_status "verify" 0 "$NVMETUNE" verify
guest_unload_nvme
guest_load_nvme
check "rules hold function and subsystem" "auto 0 round-robin" \
	"$(function_values)"
check_match "sysctl.d holds the kernel's" "*kernel.numa_balancing = 0*" \
	"$(</etc/sysctl.d/90-nvmetune.conf)"
check_status "verify" 0 "$NVMETUNE" verify
check_status "rollback" 0 "$NVMETUNE" rollback
check "the values are back" "$had" "$(values)"
check_same "and the rest of the host" "$before" "$(guest_state)"

echo "# a word that the kernel may not know"
known=no
echo queue-depth >/sys/class/nvme-subsystem/nvme-subsys0/iopolicy \
	2>/dev/null && known=yes
echo numa >/sys/class/nvme-subsystem/nvme-subsys0/iopolicy
cat >/run/depth.ini <<'INI'
[profile]
summary = The path with the shortest queue

[drives]
power.runtime = auto

[host]
subsystem.iopolicy = queue-depth
INI
check_status "apply goes on without it" 0 \
	"$NVMETUNE" apply --profile /run/depth.ini
if [ "$known" = no ]; then
	check_match "it is refused" "*subsystem.iopolicy*it stays as it is*" \
		"$(tr -s ' \n' ' ' <<<"$output")"
	check "the rest is done" "auto 1 numa" "$(function_values)"
else
	check "all is done" "auto 1 queue-depth" "$(function_values)"
fi
check_status "rollback" 0 "$NVMETUNE" rollback
check "the values are back" "$had" "$(values)"

echo "# the policy of all links"
cat >/run/links.ini <<'INI'
[profile]
summary = Every link awake

[host]
pcie.aspm_policy = performance
INI
check_status "plan" 0 "$NVMETUNE" plan --profile /run/links.ini
check_match "only the command line keeps it" \
	"*not kept over a reboot: put pcie_aspm.policy=WORD*" \
	"$(tr -s ' \n' ' ' <<<"$output")"
check_status "apply" 0 "$NVMETUNE" apply --profile /run/links.ini
check_match "the kernel has it" "*[[]performance[]]*" "$(<$policy)"
check_status "rollback" 0 "$NVMETUNE" rollback
check "the values are back" "$had" "$(values)"

echo "# where grub.d is read"
cat >/usr/sbin/update-grub <<'SH'
#!/bin/sh
GRUB_CMDLINE_LINUX_DEFAULT=quiet
[ ! -e /etc/default/grub.d/nvmetune.cfg ] || . /etc/default/grub.d/nvmetune.cfg
mkdir -p /boot/grub
echo "linux $GRUB_CMDLINE_LINUX_DEFAULT" >/boot/grub/grub.cfg
SH
chmod +x /usr/sbin/update-grub
check_status "apply" 4 \
	"$NVMETUNE" apply --profile /run/links.ini --detailed-exitcode
check_match "the command is told" '*still needed: "update-grub"*' "$output"
check_status "apply --update-grub" 0 "$NVMETUNE" apply --update-grub \
	--profile /run/links.ini
check "grub has the word" "linux quiet pcie_aspm.policy=performance" \
	"$(</boot/grub/grub.cfg)"
check_status "nothing is left to do" 0 "$NVMETUNE" apply --update-grub \
	--profile /run/links.ini --detailed-exitcode
check_status "rollback" 0 "$NVMETUNE" rollback --all --update-grub
check "grub has it no more" "linux quiet" "$(</boot/grub/grub.cfg)"
check_match "a reboot does without it" "*still needed: a reboot*" "$output"
check "the values are back" "$had" "$(values)"

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Who has the last word: rules behind ours, before ours, and at events of other
# devices than ours, as the plan says and as a drive that comes again shows.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_start_udevd
guest_load_nvme

find_drive()
{
	queue=$(guest_queue LAB0)
	disk=$(basename "$(dirname "$queue")")
	ctrl=$(guest_ctrl LAB0)
	function=$(readlink -f "/sys/class/nvme/$ctrl/device")
}

come_again()
{
	guest_rebind LAB0
	find_drive
}

# reason PROFILE KEY - what the plan says of how the drive's setting is kept.
reason()
{
	"$NVMETUNE" plan --profile "$1" --format json |
		jq -r --arg key "$2" --arg disk "$disk" --arg ctrl "$ctrl" \
			'.changes[] | select(.key == $key and
				(.target.name | IN($disk, $ctrl,
					"nvme-subsys0", "nvme-subsys1")))
			| .persist_reason // .persistence' | sort -u
}

find_drive
echo "# a rule behind ours"
leftover=/etc/udev/rules.d/99-leftover.rules
cat >$leftover <<'RULE'
ACTION=="add", KERNEL=="nvme[0-9]*n[0-9]*", ATTR{queue/scheduler}="mq-deadline"
RULE
come_again
check_status "plan" 0 "$NVMETUNE" plan --profile base
check_match "the plan says that it cannot be kept, and why" \
	"*not kept over a reboot: $leftover:1 runs after our rule and sets mq-deadline*" \
	"$(tr -s ' \n' ' ' <<<"$output")"
check_status "apply" 0 "$NVMETUNE" apply --profile base
check "it is set now" none "$(guest_scheduler "$queue")"
echo mq-deadline >"$queue/scheduler"
check_status "apply tells that it has changed something" 3 \
	"$NVMETUNE" apply --profile base --detailed-exitcode
check "and it is set again" none "$(guest_scheduler "$queue")"
come_again
check "and lost when the drive comes back" mq-deadline \
	"$(guest_scheduler "$queue")"
rm $leftover
check_status "apply without that rule" 0 "$NVMETUNE" apply --profile base
come_again
check "now it stays" none "$(guest_scheduler "$queue")"

echo "# a rule before ours that acts on change"
guest_leftover_rule
come_again
check "ours has the last word when the drive appears" none \
	"$(guest_scheduler "$queue")"
check "the plan says until when" \
	"until a program writes to the disk's node: /etc/udev/rules.d/60-io-scheduler.rules:2 then sets mq-deadline" \
	"$(reason base queue.scheduler)"
: >>"/dev/$disk"
guest_wait 60 grep -q '\[mq-deadline\]' "$queue/scheduler" ||
	fail "no change event came from closing a node open for writing"
rm /etc/udev/rules.d/60-io-scheduler.rules

# beside SENTENCE REASON VALUE - with the rules on stdin, which come before ours
# in the order of names, the plan gives REASON for the function's d3cold_allowed,
# and VALUE is what a drive has that comes again.
profile=/run/d3cold.ini
printf '[drives]\npower.d3cold = forbidden\n' >$profile
early=/etc/udev/rules.d/20-lab.rules
beside()
{
	cat >$early
	udevadm control --reload
	udevadm trigger --action=add "$function"
	guest_settle
	check "plan: $1" "$2" "$(reason $profile power.d3cold)"
	come_again
	check "udevd: $1" "$3" "$(<"$function/d3cold_allowed")"
}

echo "# a PCI function"
check_status "apply" 0 "$NVMETUNE" apply --profile $profile
check "it is set" 0 "$(<"$function/d3cold_allowed")"
beside "a function comes before its controller" "udev rule" 0 <<'RULE'
ACTION=="add", SUBSYSTEM=="pci", ATTR{class}=="0x010802", ATTR{d3cold_allowed}="1"
RULE
beside "and has its driver after that" \
	"$early:1 runs when the driver has bound, behind our rule, and sets 1" \
	1 <<'RULE'
SUBSYSTEM=="pci", ATTR{class}=="0x010802", DRIVER=="nvme", ATTR{d3cold_allowed}="1"
RULE
beside "a rule for another driver is none" "udev rule" 0 <<'RULE'
SUBSYSTEM=="pci", DRIVER=="ahci", ATTR{d3cold_allowed}="1"
RULE
beside "a controller that has come to life says so" \
	"will be overridden by $early:1, which sets 1 at each change event" \
	1 <<'RULE'
ACTION=="change", SUBSYSTEM=="nvme", KERNEL=="nvme[0-9]*", ATTR{device/d3cold_allowed}="1"
RULE
beside "the order of names counts at the controller" "udev rule" 0 <<'RULE'
ACTION=="add", SUBSYSTEM=="nvme", ATTR{transport}=="pcie", ATTR{device/d3cold_allowed}="1"
RULE
beside "the disk comes last" "$early:1 runs after our rule and sets 1" 1 <<'RULE'
ACTION=="add", SUBSYSTEM=="block", KERNEL=="nvme*", ATTR{device/device/d3cold_allowed}="1"
RULE
rm $early

echo "# a subsystem"
profile=/run/iopolicy.ini
printf '[host]\nsubsystem.iopolicy = round-robin\n' >$profile
policy()
{
	local subsystem

	for subsystem in /sys/class/nvme-subsystem/*; do
		[ ! -e "$subsystem/$ctrl" ] || cat "$subsystem/iopolicy"
	done
}
check_status "apply" 0 "$NVMETUNE" apply --profile $profile
cat >$leftover <<'RULE'
ACTION=="add", SUBSYSTEM=="nvme-subsystem", ATTR{subsystype}!="discovery", ATTR{iopolicy}="numa"
RULE
check "plan: a rule behind ours" \
	"$leftover:1 runs after our rule and sets numa" \
	"$(reason $profile subsystem.iopolicy)"
guest_unload_nvme
guest_load_nvme
find_drive
check "udevd: a rule behind ours" numa "$(policy)"
rm $leftover
guest_unload_nvme
guest_load_nvme
find_drive
check "plan: without it" "udev rule" "$(reason $profile subsystem.iopolicy)"
check "udevd: without it" round-robin "$(policy)"

# condition WANTED SUBSYSTEM DEVICE ENTRY ACTION ATTRIBUTE CONDITIONS - a rule with
# them runs (1) or not (0) for the device, for udevd and for the plan.
late=/etc/udev/rules.d/99-lab.rules
profile=/run/d3cold.ini
condition()
{
	local belief=0

	guest_try_rules $late "$3" "$5" "$4" <<RULES
SUBSYSTEM=="$2", ACTION=="$5", ATTR{$6}="0"
SUBSYSTEM=="$2", ACTION=="$5", $7, ATTR{$6}="1"
RULES
	check "udevd: $2 with $7" "$1" "$(<"$function/d3cold_allowed")"
	[[ $(reason $profile power.d3cold) != *" sets 1" ]] || belief=1
	check "plan: $2 with $7" "$1" "$belief"
}

of_ctrl()
{
	condition "$1" nvme "/sys/class/nvme/$ctrl" \
		"c$(<"/sys/class/nvme/$ctrl/dev")" add device/d3cold_allowed "$2"
}

of_function()
{
	condition "$1" pci "$function" "+pci:${function##*/}" bind \
		d3cold_allowed "$2"
}

echo "# conditions on a controller"
of_ctrl 1 'KERNEL=="nvme[0-9]*"'
of_ctrl 0 'KERNEL=="nvme[0-9]*n[0-9]*"'
of_ctrl 1 'ATTR{transport}=="pcie"'
of_ctrl 1 'ATTR{model}=="QEMU*", ATTR{serial}=="LAB0"'
of_ctrl 0 'ATTR{serial}=="LAB1"'
of_ctrl 1 'DRIVERS=="nvme", ATTRS{class}=="0x010802"'
of_ctrl 0 'DRIVERS=="pcieport", ATTRS{class}=="0x010802"'
of_ctrl 0 'TEST!="device/power/control"'
of_ctrl 0 'TEST=="queue/scheduler"'
of_ctrl 0 'ENV{DEVTYPE}=="disk"'

echo "# conditions on a function"
of_function 1 'ATTR{class}=="0x0108*"'
of_function 1 "KERNEL==\"${function##*/}\""
of_function 0 'KERNEL=="nvme*"'
of_function 1 'DRIVER=="nvme"'
of_function 0 'DRIVER=="vfio-pci"'
of_function 1 "ATTR{vendor}==\"$(<"$function/vendor")\", TEST==\"d3cold_allowed\""
of_function 0 'ATTR{model}!="x"'
of_function 1 'SUBSYSTEMS=="pci"'
of_function 0 'SUBSYSTEMS=="nvme"'

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# All CPUs of node 1 are isolated, with managed_irq: vectors of queues stay on
# them, since no other CPU is in their masks, and the admin vector of the drive
# there is not brought to them.  Topology two-node, and on the command line
# isolcpus=managed_irq,domain,2-3.  Field case F10.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_start_udevd
guest_load_nvme

cat >/run/irq.ini <<'INI'
[profile]
summary = Interrupts near the drive

[drives]
irq.affinity = local
INI

check_status "plan" 0 "$NVMETUNE" plan --profile /run/irq.ini
check_match "the vectors that cannot leave are counted" \
	'*; 2 can only go to isolated CPUs 2-3, which isolcpus=managed_irq cannot help*' \
	"$output"
check_match "no interrupt is brought to an isolated CPU" \
	"*irq.affinity on $(guest_ctrl LAB1)q0*all CPUs of the drive's node are isolated*" \
	"$output"
check_status "apply has nothing to move" 0 "$NVMETUNE" apply --profile /run/irq.ini

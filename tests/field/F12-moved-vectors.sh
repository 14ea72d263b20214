#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Under Hyper-V a warning stands beside the move of the admin vector; a rollback
# brings the mask back to the letter, and before all else.
. tests/field/lib.sh

host hygon-8node '.hypervisor = "microsoft"'
profile <<-END
	[drives]
	irq.affinity = local
END
plan
change irq.affinity@nvme0q0 '.verdict == "change" and (.note |
	contains("warning: under Hyper-V"))'
edit '.hypervisor = "kvm"'
plan
change irq.affinity@nvme0q0 '.note | contains("Hyper-V") | not'

tree two-nodes <<-END
	proc/irq/31/nvme0q0 | d |
END
profile <<-END
	[drives]
	irq.affinity = local
	queue.rq_affinity = 2
	queue.scheduler = none
END
plan
json '[.changes[] | select(.verdict == "change").key][0] == "irq.affinity"'
apply
expect 0
[ "$(cat "$root/proc/irq/31/smp_affinity_list")" = 2-3 ] || fail "not moved"
rollback
expect 0
[ "$(cat "$root/proc/irq/31/smp_affinity_list")" = 0-1 ] || fail "not brought back"
awk '/irq.affinity/ { first = NR == 1 || !other } /queue\./ { other = 1 }
	END { exit !first }' "$err" "$out" || fail "brought back after others"

# What the kernel of such a host says is counted as what it is.
put dmesg <<-END
	nvme nvme0: I/O 1022 QID 22 timeout, completion polled
	nvme nvme0: invalid id 0 completed on queue 14
	do_IRQ: 10.232 No irq handler for vector
END
status --dmesg "$root/dmesg"
advises log.timeouts nvme0
json '[.advice[] | select(.id == "log.timeouts").text][0] |
	contains("1 time-outs")'

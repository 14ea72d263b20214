#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Vectors are told apart first: the admin queue's can be moved, those of other
# queues are the kernel's; these are shown against the drive's node, nothing is
# proposed for them, and no apply fails of them.
. tests/field/lib.sh

host hygon-8node
profile <<-END
	[drives]
	irq.affinity = local
END
plan
json '[.changes[] | select(.key == "irq.affinity" and
	(.target.name | test("q[1-9]")))] == []'
verdict irq.affinity@nvme0 keep
change irq.affinity@nvme0 '.have == "managed" and
	(.reason | contains("queue vectors are placed by the kernel"))'
verdict irq.affinity@nvme0q0 change
json '.summary.cannot == 0'

# Where the kernel says no all the same (EIO up to 6.11): told, not failed.
tree two-nodes <<-END
	proc/irq/31/nvme0q0 | d |
END
refused error=EIO "$root/proc/irq/31/smp_affinity_list" \
	apply --sysroot "$root" --profile "$profile"
expect 0
says "1 refused, 0 failed"
tells 'nvme0q0: irq.affinity: cannot write "2-3": the kernel places this interrupt itself: it stays as it is'
# Only the one that can be moved was ever tried.
for queue in 33 35 37 39 41 32 34 36 38 40; do
	! grep -q "irq/$queue/" "$TMPDIR/trace" || fail "vector $queue was tried"
done
[ "$(cat "$root/proc/irq/33/smp_affinity_list")" = 0-3 ] || fail "moved"

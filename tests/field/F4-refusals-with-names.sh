#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each interrupt that is refused is told with the queue and the reason, one line;
# then one line of summary; all that could be done is done.
. tests/field/lib.sh

tree two-nodes <<-END
	proc/irq/30/nvme1q0 | d |
	proc/irq/31/nvme0q0 | d |
END
# Both admin vectors on the wrong node.
put proc/irq/30/smp_affinity_list <<<2-3
put proc/irq/30/smp_affinity <<<c
profile <<-END
	[drives]
	irq.affinity = local
	queue.rq_affinity = 2
END
refused error=EIO "$root/proc/irq/31/smp_affinity_list" \
	apply --sysroot "$root" --profile "$profile"
expect 0
[ "$(grep -c irq.affinity "$err")" = 2 ] || fail "not one line for each"
tells 'nvme0q0: irq.affinity: cannot write "2-3": the kernel places this interrupt itself'
tells 'nvme1q0: irq.affinity: "2-3" -> "0-1"'
[ "$(grep -c '^transaction 1: ' "$out")" = 1 ] || fail "no summary"
says "5 changed, 1 refused, 0 failed"

# No room on these CPUs is a reason of its own.
rollback
expect 0
put proc/irq/31/smp_affinity_list <<<0-1
refused error=ENOSPC "$root/proc/irq/31/smp_affinity_list" \
	apply --sysroot "$root" --profile "$profile"
expect 0
tells "nvme0q0: irq.affinity: cannot write \"2-3\": no interrupt vector is free on these CPUs"

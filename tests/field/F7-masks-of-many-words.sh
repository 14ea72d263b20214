#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A mask of any number of hex words is read, the most significant first, with
# groups of CPUs that are apart; an interrupt that refuses is no failure.
. tests/field/lib.sh

tree two-nodes <<-END
	proc/irq/31/nvme0q0 | d |
END
mask() { # of IRQ, the words: without the list that kernels show beside it
	rm -f "$root/proc/irq/$1/smp_affinity_list"
	put "proc/irq/$1/smp_affinity" <<<"$2"
}
mask 31 ffffffff,ffffffff,ffffffff,ffffffff,ffffffff
mask 33 00000000,00000000,000f0000,00000000,0000000f
mask 35 80000000,00000000,00000000,00000000,00000000
mask 37 3
capture
json '[.ctrls[] | select(.name == "nvme0").vectors[] | select(.queue < 4).mask] ==
	["0-159", "0-3,80-83", "159", "0-1"]'

# Both ways to write it say the same.
put proc/irq/33/smp_affinity_list <<<0-3,80-83
put proc/irq/33/smp_affinity <<<1
capture
json '[.ctrls[] | select(.name == "nvme0").vectors[] |
	select(.queue == 1).mask] == ["0-3,80-83"]'

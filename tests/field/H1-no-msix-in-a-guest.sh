#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A drive on INTx or on one vector is found by the interrupts that it uses, blamed on
# the hypervisor's limit, and gets no plan for its interrupts.
. tests/field/lib.sh

# odd.tree: nvme0 has no msi_irqs and shares line 24 with a disk controller.
tree odd
status
json '.drives[] | select(.name == "nvme0n1") | .queues_default == 1'
advises irq.one-vector nvme0
advises queues.one nvme0
profile <<-END
	[drives]
	irq.affinity = spread
END
plan
json 'all(.changes[]; .target.name | startswith("nvme0q") | not) or
	all(.changes[] | select(.target.name | startswith("nvme0q"));
		.verdict == "cannot")'

# A passed-through drive whose table has 129 vectors, of which Xen gives one.
host two-socket-32cpu '.hypervisor = "xen" | .ctrls[0] |= (.queue_count = 2 |
	.queues_default = 1 | .vectors = [{irq: 70, queue: 0, managed: false,
	shared: false, mask: "0-15", effective: "0"}])'
status
advises irq.one-vector nvme0
json '.advice[] | select(.id == "irq.one-vector") | .severity == "warning" and
	(.text | contains("xen gives this guest no more"))'
nvmetune explain irq.one-vector
expect 0
says "extra_guest_irqs"
host two-socket-32cpu
status
advises_not irq.one-vector

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Vectors whose CPUs are all isolated are listed, since isolcpus=managed_irq cannot
# help them; nobody is promised quiet CPUs or told to use what is in no kernel.
. tests/field/lib.sh

# CPUs 6 and 7 isolated; queues 7 and 8 have only these.
host two-socket-32cpu '.possible = "0-7" | .online = "0-7" | .isolated = "6-7" |
	.cmdline += " isolcpus=managed_irq,domain,6-7" |
	.nodes = [{ id: 0, cpus: "0-3", memory_kb: 4000000, distances: [10, 21] },
	{ id: 1, cpus: "4-7", memory_kb: 4000000, distances: [21, 10] }] |
	.ctrls[0].node = 1 | .ctrls[0].queue_count = 9 |
	.ctrls[0].queues_default = 8 |
	.ctrls[0].vectors = [range(9) | { irq: (60 + .), queue: .,
	managed: (. > 0), mask: (if . == 0 then "0-3" else "\(. - 1)" end),
	effective: (if . == 0 then "0" else "\(. - 1)" end), node: 0 }]'
profile <<-END
	[drives]
	irq.affinity = local
END
plan
advises irq.isolated nvme0
change irq.affinity@nvme0 '.reason | endswith(
	"2 can only go to isolated CPUs 6-7, which isolcpus=managed_irq cannot help")'
# The admin vector comes to the node, and to none of its isolated CPUs.
change irq.affinity@nvme0q0 '.want == "4-5"'
json '[.. | strings | select(test("io_queue"))] == []'
ask explain irq.isolated
says "helps only where a mask holds another CPU"

# A vector that has another CPU to go to is not one of these.
edit '(.ctrls[0].vectors[] | select(.queue > 6).mask) = "5-7"'
plan
advises_not irq.isolated
advises_not cmdline.isolcpus # managed_irq is there
edit '.cmdline |= sub("managed_irq,"; "")'
plan
advises cmdline.isolcpus host

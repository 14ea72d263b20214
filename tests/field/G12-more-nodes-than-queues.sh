#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# For each node it is told how many vectors arrive there; none is a fact to be shown,
# and no change of the plan pretends to mend it.
. tests/field/lib.sh

# Eight nodes of CPUs, four queues.
host hygon-8node '.ctrls = [.ctrls[0]] | .ctrls[0] |= (.queue_count = 5 |
	.queues_default = 4 | .vectors |= [.[] | select(.queue <= 4)])'
status
json '.drives[0].vectors == 4'
json '.drives[0].vectors_by_node == "0:4 1:0 2:0 3:0 4:0 5:0 6:0 7:0"'
advises node.no-vector nvme0
json '.advice[] | select(.id == "node.no-vector") | .text |
	contains("goes to node 1-7") and contains("no setting moves them")'
profile <<-END
	[drives]
	irq.affinity = spread
END
plan
change irq.affinity@nvme0 '.verdict == "keep" and
	(.reason | contains("nodes 1-7 have no vector"))'
json 'all(.changes[]; .verdict != "change" or .target.name == "nvme0q0")'
# One queue for each node: none is without.
host hygon-8node '.ctrls = [.ctrls[0]] | .ctrls[0].vectors |=
	[.[] | select(.queue == 0 or .queue % 16 == 1)]'
status
advises_not node.no-vector

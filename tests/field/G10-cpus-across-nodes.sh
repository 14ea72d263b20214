#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# CPUs of a node are a set as the kernel tells it: interleaved numbers and SMT
# siblings half the host away are no ranges.
. tests/field/lib.sh

# Four nodes, every fourth CPU.
host two-socket-32cpu '.possible = "0-79" | .online = "0-79" | del(.allowed) |
	.nodes = [range(4) | {id: ., memory_kb: 16000000, distances:
		[10, 16, 16, 16], cpus: ([range(.; 80; 4) | tostring] |
		join(","))}] | .ctrls[0].node = 2'
status
json '.drives[0].numactl == "numactl --physcpubind=" +
	([range(2; 80; 4) | tostring] | join(",")) + " --membind=2"'
# Even and odd, and pairs with their siblings behind all cores.
edit '.possible = "0-31" | .online = "0-31" | .ctrls[0].node = 0 |
	.nodes = [{id: 0, cpus: "0-1,8-9,16-17,24-25", memory_kb: 16000000},
	{id: 1, cpus: "2-7,10-15,18-23,26-31", memory_kb: 16000000}]'
status
json '.nodes[0].cpus == "0-1,8-9,16-17,24-25"'
json '.drives[0].numactl ==
	"numactl --physcpubind=0-1,8-9,16-17,24-25 --membind=0"'
# Which vectors are local is counted by that set, too.
edit '.ctrls[0].vectors = [{irq: 1, queue: 0, managed: false, mask: "0-31",
		effective: "0"}] + [range(8) | {irq: (10 + .), queue: (. + 1),
		managed: true, mask: (. * 4 | tostring),
		effective: (. * 4 | tostring)}]'
status
json '.drives[0] | .vectors == 8 and .vectors_local == 4'

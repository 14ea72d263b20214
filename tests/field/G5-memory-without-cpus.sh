#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A node with an empty list of CPUs has none: nothing runs there and no vector is
# missed there, and its memory is still shown.
. tests/field/lib.sh

tree two-nodes <<-END
	sys/devices/system/node/node2/cpulist | f |
	sys/devices/system/node/node2/distance | f | 21 21 10
	sys/devices/system/node/node2/meminfo | f | Node 2 MemTotal:       4194304 kB
END
capture
json '.nodes[2] == {id: 2, memory_kb: 4194304, distances: [21, 21, 10]}'
status
json '.nodes[2] == {node: 2, cpus: "", memory_kb: 4194304}'
advises_not node.no-vector
ask status "${from[@]}"
says "   2  none  4.0 GiB  -"

# As a superchip has them: two nodes of CPUs, 32 of memory or of nothing.
host two-socket-32cpu '.nodes += [range(2; 34) | {id: ., memory_kb:
	(if . == 2 then 100000000 else 0 end)}]'
status
json '[.nodes[] | select(.cpus == "")] | length == 32'
json '.drives[0].numactl == "numactl --physcpubind=0-15 --membind=0"'
profile <<-END
	[drives]
	irq.affinity = local
END
plan
change irq.affinity@nvme0 '.verdict == "keep" and
	(.reason | contains("no vector") | not)'
# A drive on such a node has no CPU to be near.
edit '.ctrls[0].node = 2'
status
json '.drives[0] | .numactl == null and .run == null'

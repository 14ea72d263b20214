#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A drive on a node without memory is reached by a list of CPUs and memory of the
# nearest node that has some, never by --cpunodebind or --membind of its node.
. tests/field/lib.sh

# Four nodes of a Threadripper: memory on 1 and 2 only.
host two-socket-32cpu 'del(.allowed) | .possible = "0-47" | .online = "0-47" |
	.nodes = [
	{id: 0, cpus: "0-5,24-29", memory_kb: 0, distances: [10, 16, 12, 12]},
	{id: 1, cpus: "6-11,30-35", memory_kb: 65850368, distances: [16, 10, 12, 12]},
	{id: 2, cpus: "12-17,36-41", memory_kb: 66019328, distances: [12, 12, 10, 12]},
	{id: 3, cpus: "18-23,42-47", memory_kb: 0, distances: [12, 12, 12, 10]}]'
status
json '.drives[0].numactl ==
	"numactl --physcpubind=0-5,24-29 --preferred=2"'
json '.nodes[0].memory_kb == 0'

# No node with memory at all: memory is left alone.
edit '.nodes[].memory_kb = 0'
status
json '.drives[0].numactl == "numactl --physcpubind=0-5,24-29"'

# It is not known whether it has memory: asked for, not insisted on.
edit 'del(.nodes[0].memory_kb)'
status
json '.drives[0].numactl ==
	"numactl --physcpubind=0-5,24-29 --preferred=0"'

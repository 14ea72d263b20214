#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A node of memory only is left out of a measurement, with the reason, and the others
# are measured.
. tests/field/drives.sh

drives two-nodes nvme0n1
mkdir "$root/sys/devices/system/node/node2"
echo | put sys/devices/system/node/node2/cpulist
echo 21 21 10 | put sys/devices/system/node/node2/distance
printf 'Node 2 MemTotal: 4194304 kB\nNode 2 MemFree: 4194304 kB\n' |
	put sys/devices/system/node/node2/meminfo
bench --format json nvme0n1
expect 0
json '[.cells[] | select(.skipped | not) | .node] | sort == [0, 1]'
json '.cells[] | select(.node == 2) | .skipped |
	contains("node of memory only")'
bench --node 2 nvme0n1
grep -q "memory only" "$out" "$err" || fail "the reason is not told"

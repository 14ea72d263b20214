#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# All drives at once have jobs of their own, each from its own node, and the sum is in
# the report.
. tests/field/drives.sh

drives two-nodes nvme0n1 nvme1n1
rm -rf "$root"/sys/class/block/nvme1n1/{,*/}holders # an array, in that tree
bench --together --format json nvme0n1 nvme1n1
expect 0
json '.together and (.cells | length == 2)'
json '[.cells[] | [.drive, .node, .cpus, .local]] | sort ==
	[["nvme0n1", 1, "1", true], ["nvme1n1", 0, "0", true]]'
json 'all(.cells[]; .method.jobs == 1 and .ios > 0)'
json '(.total_iops | length == 1) and
	.total_iops[0] >= ([.cells[].iops] | max)'
bench --together nvme0n1 nvme1n1
expect 0
says "all drives: "
# What was measured compares with itself: each label is in it.  A loop device is
# faster than the links of that tree, which would make its figures impossible.
find "$root/sys/devices" -name current_link_speed -delete
bench --together --format json nvme0n1 nvme1n1
expect 0
cp "$out" "$TMPDIR/result"
nvmetune bench compare "$TMPDIR/result" "$TMPDIR/result" --format json
expect 0
json '[.against[] | [.drive, .iops_ppt, .apart]] | sort ==
	[["nvme0n1", 1000, false], ["nvme1n1", 1000, false]]'

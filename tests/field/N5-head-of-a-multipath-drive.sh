#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The head of a multipath drive can be read from each node; over paths on two nodes
# none is its own, and the hidden paths are no disks to read.
. tests/field/drives.sh

drives multipath nvme0n1
bench --format json nvme0n1
expect 0
json '[.cells[] | [.drive, .node, .local]] | sort ==
	[["nvme0n1", 0, false], ["nvme0n1", 1, false]]'
json 'all(.cells[]; .errors == 0 and .ios > 0 and
	(.of_local_ppt == null or .of_local_ppt == -1))'
bench nvme0n1
expect 0
! grep -q "local/remote" "$out" || fail "a node is called its own"
# A path that is named stands for the disk that it leads to.
bench --node 0 --format json nvme0c0n1
expect 0
json '[.cells[].drive] == ["nvme0n1"] and [.drives[].name] == ["nvme0n1"]'

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A path belongs to the controller behind it, whatever its numbers; a head over two
# nodes has no node of its own, and nothing is bound to one of them unasked.
. tests/field/lib.sh

host multipath-2node
status
json '.drives[0] | .kind == "head" and (has("node") | not) and
	.run == null and .numactl == null'
json '[.drives[1:][] | [.ctrl, .node]] == [["nvme0", 0], ["nvme1", 1]]'
json '.drives | length == 3'

# Head 6 by controllers 3 and 5, as numbers come out after a reset.
edit '(.. | strings) |= ({nvme0: "nvme3", nvme1: "nvme5", nvme0n1: "nvme6n1",
	nvme0c0n1: "nvme6c3n1", nvme0c1n1: "nvme6c5n1"}[.] // .) |
	.ctrls[].node = 1'
status
json '[.drives[] | [.name, .ctrl]] == [["nvme6n1", null],
	["nvme6c3n1", "nvme3"], ["nvme6c5n1", "nvme5"]]'
# Both paths are on one node: that is near all of it.
json '.drives[0] | .run == "nvmetune run nvme6n1 -- COMMAND" and
	(.numactl | endswith("--membind=1"))'
# One path's node is unknown: so is the head's.
edit 'del(.ctrls[1].node)'
status
json '.drives[0] | .run == null'

# A plain disk whose drive could have two ports is no head: by its files, not
# by what the drive says of itself.
host two-socket-32cpu '.ctrls[0].cmic = 1'
status
json '.drives[0] | .kind == "disk" and .node == 0'

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each node is measured, the drive's own too; where another is faster by a tenth in each
# slice, the host's power settings and the slot are doubted, and nothing is called well.
. tests/field/lib.sh

host two-socket-32cpu
ask bench --result tests/results/local-is-slower.json --facts "$facts"
says "node 0 is faster than its own node 1"
says "governor and idle states"
says "in which slot the drive really sits"
ask bench --result tests/results/local-is-slower.json --facts "$facts" \
	--format json
json '.cross_node == [.cross_node[0]] and
	(.cross_node[0] | .verdict == "reversed" and .local == 1 and .remote == 0)'

judged() { # filter for the saved result; prints the verdict
	jq "$1" tests/results/local-is-slower.json >"$TMPDIR/result.json"
	ask bench --result "$TMPDIR/result.json" --facts "$facts" --format json
	jq -r '.cross_node[0].verdict' "$out"
}
# Less than a tenth is no reason for doubt, nor are spreads that overlap.
[ "$(judged '.cells[0] |= (.iops = 25000 | .iops_min = 24500)')" != reversed ] ||
	fail "five in a hundred are called reversed"
[ "$(judged '.cells[0].iops_min = 24000')" != reversed ] ||
	fail "overlapping spreads are called reversed"
[ "$(judged '.cells[].local |= not | .cells[1].iops = 23000')" = abnormal ] ||
	fail "less than half from another node is not abnormal"

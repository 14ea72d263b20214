#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A model or a mount point cannot drive the terminal, nor break JSON.
. tests/cli/lib.sh

jq '.ctrls[0].model = "EVIL\u001b[31m\u0007\u009b2J\n\"X"
	| .ctrls[0].serial = "A\tB\\C"
	| .namespaces[0].mounts = [{device: "nvme0n1", where: "/a\u001b]0;x\u0007"}]' \
	tests/hosts/hygon-8node.json >"$TMPDIR/evil.json"

harmless() {
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$out" "$err" ||
		fail "control characters"
}
for format in table json raw; do
	for command in status "plan --profile oltp" "status --wide" \
		"status --compare"; do
		# shellcheck disable=SC2086
		nvmetune $command --format $format --facts "$TMPDIR/evil.json"
		expect 0
		harmless
	done
done
nvmetune status --facts "$TMPDIR/evil.json"
says 'EVIL\x1b[31m\x07'
nvmetune status --format json --facts "$TMPDIR/evil.json"
json '.drives[0].model == "EVIL\u001b[31m\u0007\u009b2J\n\"X"'
nvmetune status --facts "$TMPDIR/evil.json" $'nvme\033[31m9'
expect 1
harmless
nvmetune $'frob\033[31m'
expect 2
harmless

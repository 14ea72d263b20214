#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A host that was applied is known by what its files say.
. tests/cli/lib.sh

# What apply would leave: the files as planned, the values as wanted.
nvmetune plan --facts tests/hosts/kv-leftover-rule.json --profile oltp \
	--format json
jq --slurpfile plan "$out" '
	reduce $plan[0].files[] as $file (.;
		.own_files |= map(select(.path != $file.path)) |
		.own_files += [{ path: $file.path, present: ($file.want != null) } +
			if $file.want then { content: $file.want } else {} end]) |
	reduce $plan[0].changes[] as $change (.;
		.observed |= map(if .knob == $change.key then
			.value = $change.want else . end))' \
	tests/hosts/kv-leftover-rule.json >"$TMPDIR/applied.json"

nvmetune plan --facts "$TMPDIR/applied.json" --detailed-exitcode
expect 0; silent
says "0 to change, 0 later, "
! grep -q -- --expect "$out" || fail "a hash though nothing is to be done"

# Taking another profile removes what only the first had.
printf '[profile]\nsummary = nothing at all\n' >"$TMPDIR/empty.ini"
nvmetune plan --facts "$TMPDIR/applied.json" --profile "$TMPDIR/empty.ini"
expect 0
says "/etc/udev/rules.d/90-nvmetune.rules"

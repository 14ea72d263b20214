#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The screen in README.md is what the command above it prints.
. tests/cli/lib.sh

# A plan's hash is that of this very version: it is compared as a word.
plain() { sed -E 's/--expect [0-9a-f]{64}$/--expect HASH/'; }
n=0
while IFS= read -r line; do
	case $line in
	'$ build/nvmetune '*)
		# shellcheck disable=SC2086
		COLUMNS=100 nvmetune ${line#"\$ build/nvmetune "}
		expect 0; silent
		plain <"$out" >"$TMPDIR/wanted"
		: >"$TMPDIR/shown"
		while IFS= read -r line && [ "$line" != '```' ]; do
			printf '%s\n' "$line" >>"$TMPDIR/shown"
		done
		plain <"$TMPDIR/shown" | diff - "$TMPDIR/wanted" ||
			fail "README.md shows something else"
		n=$((n + 1))
		;;
	esac
done <README.md
[ $n = 1 ] || fail "$n screens, not 1"

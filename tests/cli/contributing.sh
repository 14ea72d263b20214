#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/contributing.md's way to try apply and rollback works, line by line.
. tests/cli/lib.sh

n=0
while IFS= read -r line; do
	line=${line//build\/tree/$TMPDIR/tree}
	line=${line//build\/nvmetune/$NVMETUNE}
	bash -c "$line" >"$out" 2>"$err" || fail "$line: exit $?: $(cat "$err")"
	n=$((n + 1))
done < <(sed -n '/^tests\/tools\/mkroot/,/^```/p' docs/contributing.md |
	sed '/^```/d')
[ $n = 5 ] || fail "$n commands, not 5"
says "1 transaction undone"

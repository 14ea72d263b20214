#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One nvmetune at a time: the other is named, and waited for when asked.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
mkdir -p "$dir/var/lib/nvmetune"
lock=$dir/var/lib/nvmetune/lock
echo $$ >"$lock"

hold() { # seconds
	flock "$lock" sh -c "touch '$TMPDIR/held'; sleep $1" &
	until [ -e "$TMPDIR/held" ]; do sleep 0.05; done
}

hold 3
oltp "$dir"
expect 6; one_line; tells "another nvmetune is at work, process $$"
nvmetune rollback --sysroot "$dir"
expect 6; one_line
oltp "$dir" --wait 1
expect 6
oltp "$dir" --dry-run
expect 0
oltp "$dir" --wait 20
expect 0; says "transaction 1"
[ "$(cat "$lock")" != $$ ] || fail "the lock was not signed"
wait

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGINT, SIGTERM or SIGHUP at any moment: all or nothing.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
fingerprint "$fresh" >"$TMPDIR/before"
copy "$fresh" "$dir"
calls apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini >"$TMPDIR/list"
fingerprint "$dir" >"$TMPDIR/after"
syncs=$(awk '$1 == "fdatasync" { print $2 }' "$TMPDIR/list")

undone=0
for ((i = 1; i <= syncs; i++)); do
	signals=(INT TERM HUP)
	signal=${signals[i % 3]}
	copy "$fresh" "$dir"
	broken "fdatasync:signal=$signal:when=$i" apply --sysroot "$dir" \
		--profile tests/cli/profiles/oltp.ini
	if [ "$rc" = 0 ]; then # behind the last question
		same_host "$dir" "$TMPDIR/after"
		continue
	fi
	expect 1; tells "interrupted"; tells "is undone, the host is as before"
	undone=$((undone + 1))
	same_host "$dir" "$TMPDIR/before"
	nvmetune history --sysroot "$dir" --format json
	json '[.transactions[].state] == ["undone"]'
	nvmetune rollback --sysroot "$dir"
	expect 0; says "nothing to do"
done
[ $undone -ge 5 ] || fail "undone only $undone times of $syncs"

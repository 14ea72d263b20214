#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apply is killed at every call that changes the machine: what is left is a
# host as before or one that rollback brings back to the byte, and apply does
# not begin anew in between.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
fingerprint "$fresh" >"$TMPDIR/before"
copy "$fresh" "$dir"
calls apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini >"$TMPDIR/list"
killed=0 blocked=0
while read -r call count; do
	for ((i = 1; i <= count; i += stride)); do
		copy "$fresh" "$dir"
		broken "$call:signal=KILL:when=$i" apply --sysroot "$dir" \
			--profile tests/cli/profiles/oltp.ini
		expect 137
		killed=$((killed + 1))
		nvmetune history --sysroot "$dir" --format json
		expect 0
		state=$(jq -r '.transactions[0].state' "$out")
		if [ "$state" = open ]; then
			oltp "$dir"
			expect 7; one_line; tells "nvmetune rollback"
			blocked=$((blocked + 1))
		fi
		nvmetune rollback --sysroot "$dir"
		expect 0
		doing "$call $i, then rollback"
		same_host "$dir" "$TMPDIR/before"
		no_half_file "$dir"
	done
done <"$TMPDIR/list"
[ $killed -ge $((80 / stride)) ] || fail "killed only $killed times"
[ $blocked -ge $((20 / stride)) ] || fail "open only $blocked times"
points $killed

# The way is free afterwards.
oltp "$dir"
expect 0; says "6 changed"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGINT, SIGTERM or SIGHUP at any moment: all or nothing; a rollback ends what
# it has begun.
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

# rollback, at each line of its journal and at each file that it takes away.
copy "$fresh" "$dir"
oltp "$dir"
expect 0
copy "$dir" "$TMPDIR/applied"
calls rollback --sysroot "$dir" >"$TMPDIR/list"
tried=0
while read -r call n; do
	case $call in
	fdatasync | unlinkat) ;;
	*) continue ;;
	esac
	for ((i = 1; i <= n; i++)); do
		copy "$TMPDIR/applied" "$dir"
		broken "$call:signal=${signals[i % 3]}:when=$i" \
			rollback --sysroot "$dir"
		expect 0; says "1 transaction undone"
		same_host "$dir" "$TMPDIR/before"
		tried=$((tried + 1))
	done
done <"$TMPDIR/list"
[ $tried -ge 4 ] || fail "only $tried calls of rollback"

# Of several it ends the one that it is at, and begins no other.
copy "$TMPDIR/applied" "$dir"
printf '[profile]\nsummary = Other\n[drives]\nqueue.scheduler = kyber\n' \
	>"$TMPDIR/other.ini"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/other.ini"
expect 0
broken "fdatasync:signal=HUP:when=1" rollback --sysroot "$dir" --all
expect 1; tells "interrupted before transaction 1"
says "1 transaction undone"
same_host "$dir" "$TMPDIR/after"
nvmetune history --sysroot "$dir" --format json
json '[.transactions[].state] == ["committed", "undone"]'
nvmetune rollback --sysroot "$dir" --all
expect 0
same_host "$dir" "$TMPDIR/before"

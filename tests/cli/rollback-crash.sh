#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rollback is killed, and fails once or from then on, at every call that changes
# the machine, and is finished by the next one.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
fingerprint "$fresh" >"$TMPDIR/before"
nvmetune apply --sysroot "$fresh" --profile tests/cli/profiles/low-latency.ini
expect 0
oltp "$fresh"
expect 0
copy "$fresh" "$dir"
calls rollback --sysroot "$dir" --all >"$TMPDIR/list"
killed=0
while read -r call count; do
	for ((i = 1; i <= count; i += stride)); do
		copy "$fresh" "$dir"
		broken "$call:signal=KILL:when=$i" rollback --sysroot "$dir" \
			--all
		expect 137
		killed=$((killed + 1))
		nvmetune rollback --sysroot "$dir" --all
		expect 0
		doing "$call $i, then rollback"
		same_host "$dir" "$TMPDIR/before"
		no_half_file "$dir"
	done
done <"$TMPDIR/list"
[ $killed -ge $((40 / stride)) ] || fail "killed only $killed times"
failed=0
try() { # call, when
	copy "$fresh" "$dir"
	broken "$1:error=${errors[$1]}:when=$2" rollback --sysroot "$dir" --all
	[ "$rc" != 127 ] || return # the dynamic linker
	failed=$((failed + 1))
	[ "$rc" != 0 ] || same_host "$dir" "$TMPDIR/before"
	# With every write failing it cannot say so.
	[ "$rc" = 0 ] || [ -s "$err" ] || [ "$1${2//[0-9]/}" = write+ ] ||
		fail "not a word"
	nvmetune rollback --sysroot "$dir" --all
	expect 0
	doing "$1 $2 failed, then rollback"
	same_host "$dir" "$TMPDIR/before"
}
while read -r call count; do
	for ((i = 1; i <= count; i += stride)); do
		try "$call" "$i"
		try "$call" "$i+"
	done
done <"$TMPDIR/list"
[ $failed -ge $((40 / stride)) ] || fail "failed only $failed times"
points $((killed + failed))

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every call that changes the machine fails in turn, once or from then on: a
# full disk, a read-only file system, a broken one.  apply ends with a sentence
# and the host is as before, at once or after rollback; nothing is half
# written.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
fingerprint "$fresh" >"$TMPDIR/before"
copy "$fresh" "$dir"
calls apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini >"$TMPDIR/list"
fingerprint "$dir" >"$TMPDIR/after"

failed=0 undone=0 tried=0
try() { # call, when
	copy "$fresh" "$dir"
	tried=$((tried + 1))
	broken "$1:error=${errors[$1]}:when=$2" apply --sysroot "$dir" \
		--profile tests/cli/profiles/oltp.ini
	case $rc in
	0) # What failed was not needed (a note in the lock file).
		same_host "$dir" "$TMPDIR/after"
		return
		;;
	1) failed=$((failed + 1)) ;;
	127) return ;; # the dynamic linker could not open a library
	*) fail "neither done nor failed" ;;
	esac
	# With every write failing it cannot say so.
	[ -s "$err" ] || [ "$1${2//[0-9]/}" = write+ ] || fail "not a word"
	! grep -q 'is undone, the host is as before' "$err" || {
		undone=$((undone + 1))
		same_host "$dir" "$TMPDIR/before"
	}
	nvmetune rollback --sysroot "$dir"
	expect 0
	doing "$1 $2, then rollback"
	same_host "$dir" "$TMPDIR/before"
}
while read -r call count; do
	for ((i = 1; i <= count; i += stride)); do
		try "$call" "$i"
		try "$call" "$i+"
	done
done <"$TMPDIR/list"
[ $failed -ge $((60 / stride)) ] || fail "failed only $failed times"
[ $undone -ge $((20 / stride)) ] || fail "undone only $undone times"
points $tried

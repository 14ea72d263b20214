#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every call of apply is interrupted once, and no file may grow above a size, so
# that a write takes but a part: apply goes on, or ends with a sentence and a host
# as before.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
fingerprint "$fresh" >"$TMPDIR/before"
copy "$fresh" "$dir"
calls apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini >"$TMPDIR/list"
fingerprint "$dir" >"$TMPDIR/after"

tried=0
judge() { # what was done
	tried=$((tried + 1))
	case $rc in
	0) same_host "$dir" "$TMPDIR/after" ;;
	1)
		[ -s "$err" ] || fail "not a word"
		nvmetune rollback --sysroot "$dir"
		expect 0
		doing "$1, then rollback"
		same_host "$dir" "$TMPDIR/before"
		;;
	127) ;; # the dynamic linker could not open a library
	*) fail "neither done nor failed" ;;
	esac
}
while read -r call count; do
	for ((i = 1; i <= count; i += stride)); do
		copy "$fresh" "$dir"
		broken "$call:error=EINTR:when=$i" apply --sysroot "$dir" \
			--profile tests/cli/profiles/oltp.ini
		judge "$call $i interrupted"
	done
done <"$TMPDIR/list"
[ $tried -ge $((60 / stride)) ] || fail "tried only $tried times"

limited=0
for kib in 0 1 2 3 4 6 8 12 16 24 32 64; do
	copy "$fresh" "$dir"
	doing "apply with files of at most $kib KiB"
	(
		trap '' XFSZ
		ulimit -f "$kib"
		exec "$NVMETUNE" apply --sysroot "$dir" \
			--profile tests/cli/profiles/oltp.ini
	) 2>&1 >/dev/null | cat >"$err"
	rc=${PIPESTATUS[0]}
	[ "$rc" = 0 ] || limited=$((limited + 1))
	judge "files of at most $kib KiB"
done
[ $limited -ge 3 ] || fail "only $limited sizes were too small"
points $((tried))

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The disk of the journal dies in the middle, or is remounted read-only, and
# stays so: apply brings everything back all the same, and says that the
# journal cannot tell; so does rollback of what a crash left open.  A disk that
# somebody filled since keeps nobody from rolling back.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
fingerprint "$fresh" >"$TMPDIR/before"
copy "$fresh" "$dir"
calls apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini >"$TMPDIR/list"
syncs=$(awk '$1 == "fdatasync" { print $2 }' "$TMPDIR/list")
[ "$syncs" -ge 5 ] || fail "only $syncs lines are synced"

open() {
	nvmetune history --sysroot "$dir" --format json
	json '[.transactions[].state] | . == ["open"] or . == ["half undone"]'
}
for ((i = 1; i <= syncs; i++)); do
	copy "$fresh" "$dir"
	broken "fdatasync:error=EROFS:when=$i+" apply --sysroot "$dir" \
		--profile tests/cli/profiles/oltp.ini
	expect 1
	tells "cannot write its journal: Read-only file system; undone nevertheless: transaction 1: it is taken back, but its journal cannot say so"
	same_host "$dir" "$TMPDIR/before"
	open
	nvmetune rollback --sysroot "$dir"
	expect 0
	same_host "$dir" "$TMPDIR/before"
done

copy "$fresh" "$dir"
broken "fdatasync:signal=KILL:when=$((syncs - 1))" apply --sysroot "$dir" \
	--profile tests/cli/profiles/oltp.ini
open
broken "fdatasync:error=EIO:when=1+" rollback --sysroot "$dir"
expect 1; tells "it is taken back, but its journal cannot say so"
same_host "$dir" "$TMPDIR/before"
open
nvmetune rollback --sysroot "$dir"
expect 0
same_host "$dir" "$TMPDIR/before"

# Of what is committed nothing is touched unless that is written down first.
oltp "$dir"
expect 0
fingerprint "$dir" >"$TMPDIR/after"
broken "fdatasync:error=EIO:when=1+" rollback --sysroot "$dir"
expect 1; tells "cannot write its journal"
same_host "$dir" "$TMPDIR/after"
nvmetune rollback --sysroot "$dir"
expect 0
same_host "$dir" "$TMPDIR/before"

# Nothing more is to be had, as on an XFS that somebody filled since: the space
# that apply held for it is enough.
oltp "$dir"
expect 0
broken "fallocate:error=ENOSPC:when=1+" rollback --sysroot "$dir"
expect 0
same_host "$dir" "$TMPDIR/before"

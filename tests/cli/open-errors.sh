#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A file or folder cannot be opened, once: to read it, to look for it, to write.
# apply over an earlier one, and rollback of both, never lose a journal over it
# nor call a host as before that is not, and the next rollback ends what is left.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host two=$TMPDIR/two
host "$fresh"
fingerprint "$fresh" >"$TMPDIR/before"
nvmetune apply --sysroot "$fresh" --profile tests/cli/profiles/low-latency.ini
expect 0
fingerprint "$fresh" >"$TMPDIR/one"
# shellcheck disable=SC2034 # for calls
changing=openat2
copy "$fresh" "$dir"
applies=$(calls apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini)
applies=${applies#* }
copy "$dir" "$two"
undoes=$(calls rollback --sysroot "$dir" --all)
undoes=${undoes#* }
[ "${applies:-0}" -ge 100 ] || skip "no openat2 here"

tried=0 failed=0
end() { # what failed
	tried=$((tried + 1))
	[ "$rc" = 0 ] || {
		failed=$((failed + 1))
		[ -s "$err" ] || fail "not a word"
	}
	nvmetune rollback --sysroot "$dir" --all
	expect 0
	doing "$1, then rollback"
	same_host "$dir" "$TMPDIR/before"
}
# A prime, so that more than the calls of one drive are hit.
for ((i = 1; i <= applies; i += 7 * stride)); do
	copy "$fresh" "$dir"
	broken "openat2:error=EIO:when=$i" apply --sysroot "$dir" \
		--profile tests/cli/profiles/oltp.ini
	! grep -q 'is undone, the host is as before' "$err" ||
		same_host "$dir" "$TMPDIR/one"
	end "openat2 $i of apply"
done
for ((i = 1; i <= undoes; i += 7 * stride)); do
	copy "$two" "$dir"
	broken "openat2:error=EIO:when=$i" rollback --sysroot "$dir" --all
	[ "$rc" != 0 ] || same_host "$dir" "$TMPDIR/before"
	end "openat2 $i of rollback"
done
# Over one that is open nothing begins, though for root too it cannot be seen.
rm -rf "$fresh"
host "$fresh"
broken "fdatasync:signal=KILL:when=4" apply --sysroot "$fresh" \
	--profile tests/cli/profiles/oltp.ini
for ((i = 1; i <= 16; i++)); do
	copy "$fresh" "$dir"
	broken "openat2:error=EACCES:when=$i" apply --sysroot "$dir" \
		--profile tests/cli/profiles/low-latency.ini
	tried=$((tried + 1))
	[ "$rc" = 1 ] || [ "$rc" = 7 ] || [ "$rc" = 127 ] || fail "openat2 $i: it began"
	nvmetune history --sysroot "$dir" --format json
	json '[.transactions[].state] == ["open"]'
done
# Resumed, it forgets nothing of what it wrote before the crash.
copy "$fresh" "$dir"
resumes=$(calls apply --sysroot "$dir" --resume)
resumes=${resumes#* }
for ((i = 1; i <= resumes; i += 2 * stride)); do
	copy "$fresh" "$dir"
	broken "openat2:error=EIO:when=$i" apply --sysroot "$dir" --resume
	end "openat2 $i of --resume"
done
[ $failed -ge 5 ] || fail "failed only $failed times of $tried"
points $tried

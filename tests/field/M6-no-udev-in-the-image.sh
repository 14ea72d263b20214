#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An image without udev and systemd, programs or folders, gets its files all the same:
# nothing is run in it, and rollback leaves it as it was.
# shellcheck disable=SC2034 # what expect and fail of lib.sh read
. tests/field/lib.sh

root=$TMPDIR/image
mkdir -p "$root/etc" "$root/usr/lib" "$root/lib/modules/6.1.0-lab"
echo 'ID=lab' >"$root/usr/lib/os-release"
fingerprint() { # all but the journal
	(cd "$root" && find . -path ./var -prune -o -print | sort &&
		find . -path ./var -prune -o -type f -exec sha256sum {} +)
}
fingerprint >"$TMPDIR/before"
profile <<-END
	[drives]
	queue.scheduler = none
	power.apst = off

	[host]
	kernel.numa_balancing = 0
END
# Every program that is started is seen.
watch=()
command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null &&
	watch=(strace -f -qq -e trace=execve -o "$TMPDIR/run")
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
ran="apply --root"
"${watch[@]}" "$NVMETUNE" apply --root "$root" --profile "$profile" \
	>"$out" 2>"$err"
rc=$?
expect 0
! grep -qE 'udevadm|systemctl' "$out" "$err" || fail "it misses what is not there"
[ ! -e "$TMPDIR/run" ] || [ "$(grep -c execve "$TMPDIR/run")" = 1 ] ||
	fail "a program was run"
# The syntax was looked at here, by the reader that reads others' rules.
lint "$root$rules"
[ "$rc" != 2 ] || fail "the rules cannot be read"
! grep -qE 'ignores|unknown|cannot' "$out" || fail "a rule that udev would ignore"
grep -qF 'ATTR{queue/scheduler}="none"' "$root$rules" || fail "no rule"
nvmetune rollback --root "$root"
expect 0
fingerprint | diff "$TMPDIR/before" - || fail "not as before"

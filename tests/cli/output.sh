#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Output that does not arrive is a failure, and says so.
. tests/cli/lib.sh

host=tests/hosts/hygon-8node.json
lost() {
	[ $? = 1 ] || fail "$1: not exit 1"
	grep -q "cannot write to standard output" "$err" || fail "$1: silence"
}
"$NVMETUNE" status --facts $host >/dev/full 2>"$err"
lost "full"
"$NVMETUNE" status --facts $host >&- 2>"$err"
lost "closed"
"$NVMETUNE" help >/dev/full 2>"$err"
lost "help"
"$NVMETUNE" status --facts $host <&- >"$out" 2>&- || fail "no stdin, no stderr"
grep -q SAMSUNG "$out" || fail "nothing without stdin and stderr"

# Colours: only on a terminal, and not where they are unwanted.
command -v script >/dev/null || skip "no script(1) to make a terminal"
on_terminal() {
	script -qec "$1" "$TMPDIR/typescript" >/dev/null 2>&1 </dev/null
	cat "$TMPDIR/typescript"
}
run="'$NVMETUNE' status --facts $host"
on_terminal "TERM=xterm $run" | grep -q $'\033\[1m' || fail "no colours"
! on_terminal "TERM=xterm NO_COLOR=1 $run" | grep -q $'\033' || fail "NO_COLOR"
! on_terminal "TERM=xterm $run --no-color" | grep -q $'\033' || fail "--no-color"
! on_terminal "TERM=dumb $run" | grep -q $'\033' || fail "dumb terminal"

# How far it is: a line that is written over, as wide as the terminal at most; where
# that cannot be done a line each.
cat >"$TMPDIR/load" <<-END
	echo x >>"$TMPDIR/n"
	[ "\$(wc -l <"$TMPDIR/n")" != 3 ] || exit 9
	echo 7
END
calibrate() { # TERM
	rm -f "$TMPDIR/n"
	on_terminal "stty cols 40; TERM=$1 '$NVMETUNE' confirm --calibrate \
		--workload 'sh $TMPDIR/load'" | tr '\r' '\n'
}
calibrate xterm >"$TMPDIR/seen"
grep -q $'^\033\[Kblock 8 of 8$' "$TMPDIR/seen" || fail "no line about a block"
grep -q $'^\033\[Ka block does not count: the workload en$' "$TMPDIR/seen" ||
	fail "a line of 55 columns is not cut to 39"
calibrate dumb >"$TMPDIR/seen"
grep -q '^nvmetune: block 8 of 8$' "$TMPDIR/seen" || fail "no line a block"
! grep -q $'\033' "$TMPDIR/seen" || fail "codes on a dumb terminal"

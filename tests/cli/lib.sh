# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the command line tests share: source it, then
#
#	nvmetune ARGUMENT...	runs it: $rc, $out (a file), $err (a file)
#	expect RC		the last one ended so
#	says TEXT, tells TEXT	stdout, stderr holds the text
#	fail WORDS		ends the test
#
# $NVMETUNE is the program; tests start in the top folder, with an empty
# folder of their own in TMPDIR.
# shellcheck shell=bash
set -u
export LC_ALL=C
unset COLUMNS NO_COLOR

out=$TMPDIR/stdout
err=$TMPDIR/stderr
rc=0
ran=

fail() {
	echo "$*"
	[ -z "$ran" ] || {
		echo "after: nvmetune $ran (exit $rc)"
		echo "stdout:"
		head -n 20 "$out"
		echo "stderr:"
		head -n 20 "$err"
	}
	exit 1
}

skip() {
	echo "$*"
	exit 77
}

nvmetune() {
	ran=$*
	"$NVMETUNE" "$@" >"$out" 2>"$err"
	rc=$?
}

expect() { [ "$rc" = "$1" ] || fail "exit $rc, not $1"; }
says() { grep -qF -e "$1" "$out" || fail "stdout does not say: $1"; }
tells() { grep -qF -e "$1" "$err" || fail "stderr does not tell: $1"; }
silent() { [ ! -s "$err" ] || fail "stderr is not empty"; }
quiet() { [ ! -s "$out" ] || fail "stdout is not empty"; }
one_line() { [ "$(wc -l <"$err")" = 1 ] || fail "stderr is not one line"; }

# json FILTER: stdout is JSON for which jq's filter is true.
json() {
	jq -e "$1" "$out" >/dev/null 2>"$TMPDIR/jq" ||
		fail "JSON: not so: $1 $(cat "$TMPDIR/jq")"
}

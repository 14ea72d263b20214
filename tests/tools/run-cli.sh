#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run-cli.sh [TEST...]: run tests/cli/*.sh, or those named, against $NVMETUNE
# (default build/nvmetune), one line each.  A test is a script that ends with 0,
# or with 77 where the machine cannot run it; its output is shown if it fails.
# It starts in the top folder, with an empty folder of its own in TMPDIR, beside
# others: two at once for each CPU, as many of them wait for a measurement.
set -uo pipefail

cd "$(dirname "$0")/../.." || exit 1
NVMETUNE=$(realpath "${NVMETUNE:-build/nvmetune}")
export NVMETUNE
[ -x "$NVMETUNE" ] || { echo "$NVMETUNE: not built" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

run() { # number, test
	local out=$scratch/$1.out rc=0
	mkdir "$scratch/$1"
	TMPDIR=$scratch/$1 timeout -k 5 300 "$2" >"$out" 2>&1 </dev/null || rc=$?
	echo "$rc" >"$scratch/$1.rc"
}

[ $# -gt 0 ] || set -- tests/cli/*.sh
tests=()
for test in "$@"; do
	[ ! -x "$test" ] || tests+=("$test") # else a library of the others
done
for number in "${!tests[@]}"; do
	while [ "$(jobs -rp | wc -l)" -ge $((2 * $(nproc))) ]; do
		wait -n
	done
	run "$number" "${tests[number]}" &
done
wait

failed=0
for number in "${!tests[@]}"; do
	name=$(basename "${tests[number]}" .sh)
	out=$scratch/$number.out
	case $(cat "$scratch/$number.rc") in
	0) echo "ok $((number + 1)) - $name" ;;
	77) echo "ok $((number + 1)) - $name # SKIP $(tail -n 1 "$out")" ;;
	*)
		echo "not ok $((number + 1)) - $name"
		sed 's/^/#   /' "$out"
		failed=1
		;;
	esac
done
echo "1..${#tests[@]}"
exit $failed

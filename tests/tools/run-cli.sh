#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run-cli.sh [TEST...]: run tests/cli/*.sh, or those named, against $NVMETUNE
# (default build/nvmetune), one line each.  A test is a script that ends with 0,
# or with 77 where the machine cannot run it; its output is shown if it fails.
# It starts in the top folder, with an empty folder of its own in TMPDIR.
set -uo pipefail

cd "$(dirname "$0")/../.." || exit 1
NVMETUNE=$(realpath "${NVMETUNE:-build/nvmetune}")
export NVMETUNE
[ -x "$NVMETUNE" ] || { echo "$NVMETUNE: not built" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

[ $# -gt 0 ] || set -- tests/cli/*.sh
number=0
rc=0
for test in "$@"; do
	[ -x "$test" ] || continue # a library of the others, or none at all
	number=$((number + 1))
	name=$(basename "$test" .sh)
	mkdir "$scratch/$number"
	TMPDIR=$scratch/$number timeout -k 5 120 "$test" \
		>"$scratch/out" 2>&1 </dev/null
	case $? in
	0) echo "ok $number - $name" ;;
	77) echo "ok $number - $name # SKIP $(tail -n 1 "$scratch/out")" ;;
	*)
		echo "not ok $number - $name"
		sed 's/^/#   /' "$scratch/out"
		rc=1
		;;
	esac
done
echo "1..$number"
exit $rc

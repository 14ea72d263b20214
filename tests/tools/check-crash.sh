#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-crash.sh: break apply, rollback and the device helper at every call with
# which they change the machine (killed, failed, interrupted, short), look at
# what is left, and count.  The same tests are part of "make check".
set -uo pipefail

cd "$(dirname "$0")/../.." || exit 1
NVMETUNE=$(realpath "${NVMETUNE:-build/nvmetune}")
export NVMETUNE
[ -x "$NVMETUNE" ] || { echo "$NVMETUNE: not built" >&2; exit 1; }
total=0
bad=0
for name in apply-crash apply-errors apply-short apply-resume open-errors \
	rollback-crash device-crash; do
	scratch=$(mktemp -d)
	rc=0
	TMPDIR=$scratch tests/cli/$name.sh >"$scratch/said" 2>&1 </dev/null ||
		rc=$?
	n=$(sed -n 's/^points: //p' "$scratch/said")
	case $rc in
	0)
		echo "ok $name: $n points, all recovered"
		total=$((total + n))
		;;
	77) echo "skipped $name: $(tail -n 1 "$scratch/said")" ;;
	*)
		echo "not ok $name"
		sed 's/^/# /' "$scratch/said"
		bad=$((bad + 1))
		;;
	esac
	rm -rf "$scratch"
done
echo "$total points tried, $bad of the tests failed"
[ "$bad" = 0 ]

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each file of tests/profiles is wrong in many ways; the .txt beside it has the
# one line that each mistake gets.  check and plan tell the same lines, and plan
# prints no plan.
set -euo pipefail

host=tests/hosts/two-socket-32cpu.json
rc=0

expect() { # what, expected file, actual file
	diff -u --label expected --label "$1" "$2" "$3" || rc=1
}

for profile in tests/profiles/*.ini; do
	sed 's/^/nvmetune: /' "${profile%.ini}.txt" >"$TMPDIR/expected"
	for command in "profile check $profile" "plan --profile $profile"; do
		status=0
		# shellcheck disable=SC2086 # words on purpose
		"$NVMETUNE" $command --facts $host >"$TMPDIR/out" \
			2>"$TMPDIR/err" || status=$?
		[ $status = 1 ] || { echo "$command: exit $status"; rc=1; }
		[ ! -s "$TMPDIR/out" ] || { echo "$command: prints"; rc=1; }
		expect "$command" "$TMPDIR/expected" "$TMPDIR/err"
	done
done

# A host without that number of CPUs knows more mistakes than the text shows.
printf '[host]\nmodule.nvme.poll_queues = 32\n' >"$TMPDIR/p.ini"
"$NVMETUNE" profile check "$TMPDIR/p.ini" --facts $host
! "$NVMETUNE" profile check "$TMPDIR/p.ini" \
	--facts tests/hosts/cloud-8vcpu.json || rc=1

# Where there is no nvme module nothing is known of its parameters, and said so.
printf '[host]\nmodule.nvme.pol_queues = 2\nmodule.nvme.poll_queues = keep\n' \
	>"$TMPDIR/p.ini"
"$NVMETUNE" profile check "$TMPDIR/p.ini" --sysroot "$TMPDIR" \
	2>"$TMPDIR/err" || rc=1
echo "nvmetune: $TMPDIR/p.ini:2: module.nvme.pol_queues is not checked: the kernel of this host has no such module, or tells none of its parameters" \
	>"$TMPDIR/expected"
expect "profile check without the module" "$TMPDIR/expected" "$TMPDIR/err"
"$NVMETUNE" profile check "$TMPDIR/p.ini" --sysroot "$TMPDIR" --format json |
	jq -e '.profiles[0] | .mistakes == [] and (.unchecked | length == 1)' \
		>/dev/null || rc=1
exit $rc

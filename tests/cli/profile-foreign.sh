#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each file of tests/lint is what somebody put below udev/rules.d or modprobe.d;
# FILE.expect has the findings.  A file without findings is none's fault.
. tests/cli/lib.sh

n=0
for expected in tests/lint/*.expect; do
	file=${expected%.expect}
	nvmetune profile check --foreign "$file"
	if [ -s "$expected" ]; then expect 1; else expect 0; fi
	silent
	diff -u --label "$expected" --label found "$expected" "$out" ||
		fail "$file: other findings"
	n=$((n + 1))
done
[ "$n" -ge 14 ] || fail "only $n files were tried"

# The drives of a host are tried too.
nvmetune profile check --foreign tests/lint/c4-globs.rules \
	--facts tests/hosts/namespaces-24.json
expect 1
says "tests/lint/c4-globs.rules:3: misses nvme0n24 of this host"

# So do its CPUs and its kernel's parameters count.
nvmetune profile check --foreign tests/lint/d1-wrong-module.conf \
	--facts tests/hosts/cloud-8vcpu.json
expect 1
says "nvme.poll_queues: 16 is more than the 8 possible CPUs: the module will not load"

# Several files, as JSON.
nvmetune profile check --foreign tests/lint/c3-noop.rules \
	tests/lint/seed1.conf --format json
expect 1
json '.schema == "nvmetune.foreign/1" and (.findings | length) == 3'

nvmetune profile check --foreign "$TMPDIR/none.rules"
expect 1
one_line
tells "none.rules: No such file or directory"

nvmetune profile list --foreign
expect 2
tells "--foreign goes with check"

# What a file says reaches no terminal as it is.
printf 'ACTION=="add", GOTO="\033[31m"\n' >"$TMPDIR/x.rules"
nvmetune profile check --foreign "$TMPDIR/x.rules"
expect 1
says '\x1b[31m'

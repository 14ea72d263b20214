#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# I3: what is near a head with paths on two nodes is refused, or takes both: the
# profile says which.
. tests/field/lib.sh

profile <<-END
	[service refused.service]
	drive = nvme0n1
	[service both.service]
	drive = nvme0n1
	nodes = union
	memory = bind
	[wrapper both]
	drive = nvme0n1
	nodes = union
	[wrapper one]
	drive = nvme0c1n1
END
host multipath-2node
plan
verdict service@refused.service cannot
change service@refused.service '.reason == "its drives are on nodes 0-1: nodes = union in the section takes all of them, numa = N one"'
change service@refused.service '.note == "nvme0n1 (paths over nvme0, nvme1); nodes 0-1"'
file /etc/systemd/system/both.service.d/50-nvmetune.conf >"$TMPDIR/unit"
grep -qx 'CPUAffinity=0-31' "$TMPDIR/unit" || fail "not the CPUs of both"
grep -qx 'NUMAMask=0-1' "$TMPDIR/unit" || fail "not the memory of both"
file /usr/local/bin/both | grep -qx 'exec numactl --physcpubind=0-31 "$@"' ||
	fail "memory is bound where that is not asked for"
file /usr/local/bin/one | grep -q -- '--physcpubind=8-15,24-31 --preferred=1' ||
	fail "not the path's node"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# G2: a service near a drive whose node has no memory, or no CPUs, takes what the
# nearest node has, or is refused with the reason.
. tests/field/lib.sh

unit=/etc/systemd/system/db.service.d/50-nvmetune.conf
profile <<-END
	[service db.service]
	drive = nvme0n1
	memory = bind
END
host two-socket-32cpu '.nodes[0].memory_kb = 0'
plan
verdict service@db.service later
file $unit >"$TMPDIR/unit"
grep -qx 'CPUAffinity=0-15' "$TMPDIR/unit" || fail "not the node's CPUs"
grep -qx 'NUMAPolicy=preferred' "$TMPDIR/unit" || fail "memory is bound"
grep -qx 'NUMAMask=1' "$TMPDIR/unit" || fail "not the nearest memory"

host two-socket-32cpu 'del(.nodes[0].cpus)'
plan
verdict service@db.service cannot
change service@db.service '.reason == "node 0 has no usable CPU: it is a node of memory only"'
[ -z "$(file $unit)" ] || fail "a drop-in without CPUs"

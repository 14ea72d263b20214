#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A drive without APST is "not applicable": neither drift nor applied; a drive
# that refused its table is one finding, one that was gone already another.
. tests/field/lib.sh

host two-socket-32cpu # apsta 0
profile <<-END
	[drives]
	power.apst = off
END
plan
verdict power.apst@nvme0 keep
change power.apst@nvme0 '.have == null and
	(.reason | startswith("not applicable: this drive has no autonomous"))'
json '.summary.change == 0 and .summary.cannot == 0'

# Nor after an apply: the file is not there, and nothing is missing.
tree two-nodes
find "$root" -name pm_qos_latency_tolerance_us -delete
apply
expect 0
verify --format json
json '.drift == 0'

dmesg() { printf 'nvme nvme0: failed to set APST feature (%s)\n' "$1"; }
dmesg 2 >"$TMPDIR/dmesg"
status --dmesg "$TMPDIR/dmesg"
advises log.apst-refused nvme0
advises_not log.timeouts
dmesg -19 >"$TMPDIR/dmesg"
status --dmesg "$TMPDIR/dmesg"
advises log.timeouts nvme0
advises_not log.apst-refused

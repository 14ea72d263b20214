#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What was there before comes back to the digit, however close to what was set.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
for drive in nvme0n1 nvme1n1; do
	printf 32 >"$dir/sys/class/block/$drive/queue/read_ahead_kb"
done
fingerprint "$dir" >"$TMPDIR/before"
cat >"$TMPDIR/none.ini" <<-END
	[profile]
	summary = No read-ahead
	[drives]
	queue.read_ahead_kb = 0
END

nvmetune apply --sysroot "$dir" --profile "$TMPDIR/none.ini"
expect 0; tells 'nvme0n1: queue.read_ahead_kb: "32" -> "0"'
nvmetune verify --sysroot "$dir"
expect 0
nvmetune rollback --sysroot "$dir"
expect 0
same_host "$dir" "$TMPDIR/before"

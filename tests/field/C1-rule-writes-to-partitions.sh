#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Our rules are for whole disks that have the file; a rule that lacks both tests is
# found, with the partitions that it matches.
. tests/field/lib.sh

lint tests/lint/c1-cloud-image.rules
expect 1
for text in "matches the partition nvme0n1p1, which has no queue/scheduler" \
	"matches the partition sda1" 'has no ENV{DEVTYPE}=="disk"' \
	'has no TEST=="queue/scheduler"' "no kernel since 5.0 has noop"; do
	says "c1-cloud-image.rules:1: $text"
done

host kv-leftover-rule
profile <<-END
	[drives]
	queue.scheduler = none
	queue.nr_requests = max
	queue.rq_affinity = 2
	queue.io_timeout = 60s
END
plan
file $rules >"$TMPDIR/90-nvmetune.rules"
awk '/ATTR{queue\/[a-z_]*}="/ {
	if (!disk || !match($0, /TEST=="queue\/[a-z_]*"/)) exit 1; n++ }
	/ENV{DEVTYPE}!="disk", GOTO="nvmetune_disk_end"/ { disk = 1 }
	/LABEL="nvmetune_disk_end"/ { disk = 0 }
	END { exit n < 3 }' "$TMPDIR/90-nvmetune.rules" ||
	fail "a rule without its tests: $(cat "$TMPDIR/90-nvmetune.rules")"
# And the same eyes find nothing in them.
lint "$TMPDIR/90-nvmetune.rules"
expect 0
quiet

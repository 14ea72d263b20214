#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# E3: what stands on drives (LVM, md) has no queues to poll or to set: it is followed
# down to the drives, and these are planned for and measured, under their own names.
. tests/field/lib.sh

profile <<-END
	[drives]
	queue.scheduler = none
END
tree two-nodes
for name in /dev/mapper/vg-data dm-0 md0 /var/lib/pg; do
	nvmetune plan "${from[@]}" --profile "$profile" --format json $name
	expect 0
	json '[.changes[].target.name] | unique == ["nvme1n1"]'
	tells "on nvme1n1, sda (no NVMe)"
done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The scheduler of a multipath drive is judged and set on its paths; the head's word
# is not asked for, and no rule is said to reach a path.
. tests/field/lib.sh

profile <<-END
	[drives]
	queue.scheduler = none
	queue.rq_affinity = 2
END
judged_by_paths() {
	plan
	verdict queue.scheduler@nvme0c0n1 change
	verdict queue.scheduler@nvme0c1n1 keep
	json 'all(.changes[]; .target.name != "nvme0n1")'
	json 'all(.changes[] | select(.key == "queue.rq_affinity");
		.persistence != "udev rule")'
}
host multipath-2node '.device_helper = false'
judged_by_paths
change queue.rq_affinity@nvme0c0n1 '.persistence == "cannot"'
edit '.device_helper = true'
judged_by_paths
change queue.rq_affinity@nvme0c0n1 '.persistence == "device helper"'

# Up to 6.4 the head has a file that says none and takes every word.
tree multipath
disk=sys/class/block/nvme0c0n1/queue/scheduler
put sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/queue/scheduler \
	<<<none
echo "none [mq-deadline]" | put $disk
judged_by_paths
apply
expect 0
[ "$(<"$root/$disk")" = none ] || fail "the path was not set"
[ "$(<"$root/sys/class/block/nvme0n1/queue/scheduler")" = none ] ||
	fail "the head was written to"
# The other way round: a head that says something is not believed.
echo mq-deadline | put \
	sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/queue/scheduler
plan
json 'all(.changes[]; .target.name != "nvme0n1" and .verdict != "change")'
status
json '.drives[0] | .kind == "head" and (has("scheduler") | not)'

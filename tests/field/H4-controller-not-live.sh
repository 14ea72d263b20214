#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A controller in any state but live is skipped with the reason: nothing is written
# to it or its disks, and the others get what is their due.
. tests/field/lib.sh

profile <<-END
	[drives]
	queue.scheduler = kyber
	queue.nr_requests = 64
	power.runtime = auto
	irq.coalescing = 8/100us
END
for state in new connecting resetting "deleting (no IO)" dead; do
	host two-socket-32cpu ".ctrls[0].state = \"$state\""
	plan
	json "[.changes[] | select(.verdict == \"cannot\" and
		(.reason | contains(\"$state, not live\")))] | length >= 3"
	json 'all(.changes[]; .verdict != "change" and .verdict != "later")'
	advises controller.not-live nvme0
done

# One of two is connecting: the other is changed.
tree two-nodes
rm -rf "$root/etc/nvmetune"
device=sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0/nvme/nvme0
echo connecting | put $device/state
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
verdict queue.scheduler@nvme0n1 cannot
verdict queue.scheduler@nvme1n1 change
apply
expect 0
grep -q mq-deadline "$root/sys/class/block/nvme0n1/queue/scheduler" ||
	fail "it was written to"
grep -q none "$root/sys/class/block/nvme1n1/queue/scheduler" ||
	fail "the other was not"

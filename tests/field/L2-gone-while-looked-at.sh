#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A controller of which half can be read fails nothing but itself: the others are
# shown and planned for.
. tests/field/lib.sh

# odd.tree: nvme10 is a name without anything behind it.
tree odd
status
json '[.drives[].name] | index("nvme0n1") and index("nvme1")'
tree two-nodes
rm -rf "$root/etc/nvmetune"
device=sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0
profile <<-END
	[drives]
	queue.scheduler = none
END
# It goes in the middle: the attributes first, the links last.
for part in nvme/nvme0/nvme0n1/queue nvme/nvme0/state nvme/nvme0/nvme0n1/mq \
	nvme/nvme0/nvme0n1 nvme/nvme0 ""; do
	rm -rf "${root:?}/$device/$part"
	status
	json 'any(.drives[]; .name == "nvme1n1" and .state == "live")'
	plan
	verdict queue.scheduler@nvme1n1 change
	json 'all(.changes[]; .target.name != "nvme0n1" or
		.verdict == "cannot" or .verdict == "change")'
done
apply
expect 0
[ "$(<"$root/sys/class/block/nvme1n1/queue/scheduler")" = none ] ||
	fail "the other was not set"

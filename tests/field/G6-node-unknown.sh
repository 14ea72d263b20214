#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# numa_node of -1 is never node 0: the locality is unknown, nothing is bound and no
# vector is moved, and that is said.
. tests/field/lib.sh

tree two-nodes <<-END
	sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0/numa_node | f | -1
END
device=sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0
echo -1 | put $device/numa_node
echo -1 | put $device/nvme/nvme0/numa_node
rm -rf "$root/etc/nvmetune"
capture
json '.ctrls[0] | .name == "nvme0" and (has("node") | not) and
	.unknown.node != null'
status
json '.drives[] | select(.name == "nvme0n1") |
	has("node") and .node == null and .run == null and .numactl == null'
advises node.unknown nvme0
profile <<-END
	[drives]
	irq.affinity = local
END
plan
change irq.affinity@nvme0q0 '.verdict == "cannot" and .want == null and
	(.reason | contains("locality unknown"))'
# The other drive is on a node that is known.
json 'any(.changes[]; .target.name == "nvme1q0" and .verdict != "cannot")'
apply --dry-run --strict
expect 1
tells "locality unknown"

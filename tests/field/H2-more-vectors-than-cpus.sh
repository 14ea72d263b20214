#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Of a table of thousands of vectors those count that serve a queue of the drive; the
# others are nobody's, and no limit of the plan comes from their number.
. tests/field/lib.sh

# Two hundred more vectors than the six that nvme0 uses.
folder=sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0/msi_irqs
tree two-nodes < <(printf "$folder/%d | f | msix\n" {500..699})
rm -rf "$root/etc/nvmetune"
status
json '.drives[] | select(.name == "nvme0n1") | .vectors == 5 and
	.vectors_by_node == "0:2 1:3"'
profile <<-END
	[drives]
	irq.affinity = local
END
plan
json '[.changes[] | select(.target.name | startswith("nvme0q")) |
	.target.name] == ["nvme0q0"]'
change irq.affinity@nvme0 '.reason | startswith("5 queue vectors")'

# 2048 vectors and queues for 32 CPUs: a queue for each CPU, no more.
host two-socket-32cpu '.ctrls[0] |= (.msix_size = 2048 | .queue_grant = 2047)'
profile <<-END
	[host]
	module.nvme.poll_queues = 32
END
plan
json '.splits == [{ctrl: "nvme0", now: {default: 32, read: 0, poll: 0},
	next: {default: 32, read: 0, poll: 32}}]'

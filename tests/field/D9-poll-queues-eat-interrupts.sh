#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What write and poll queues make of each controller is predicted from what it
# grants, its vectors and the possible CPUs, and warned of where interrupt queues
# get fewer than CPUs; the counts are for all controllers at once.
. tests/field/lib.sh

# 8 CPUs; three drives: of 4 queues, of 1 and of 16.
host two-socket-32cpu '.possible = "0-7" | .online = "0-7" |
	.nodes = [{ id: 0, cpus: "0-7", memory_kb: 4000000, distances: [10] }] |
	.ctrls = [.ctrls[0] as $c | [4, 1, 16] | to_entries[] | $c +
	{ name: "nvme\(.key)", serial: "S\(.key)", nqn: "nqn.x:\(.key)",
	subsystem: "nvme-subsys\(.key)", address: "0000:6\(.key):00.0",
	dev: "240:\(.key)", queue_grant: .value, msix_size: (.value + 1),
	queue_count: ([.value, 8] | min + 1), queues_default: ([.value, 8] | min),
	vectors: [] }] | .namespaces = []'
profile <<-END
	[host]
	module.nvme.write_queues = 2
	module.nvme.poll_queues = 2
END
plan
split() { # controller, default, read, poll
	json ".splits[] | select(.ctrl == \"$1\").next ==
		{ default: $2, read: $3, poll: $4 }"
}
split nvme0 1 1 2
split nvme1 1 0 0
split nvme2 2 8 2
json '[.splits[] | select(.ctrl == "nvme0").reason] | .[0] | length > 0'
page plan
says "queues    nvme0: default/read/poll 4/0/0 now, 1/1/2 after a reload"

# A share is cut so that each CPU keeps its queue where the drive has enough.
edit '.ctrls = [.ctrls[2]]'
profile <<-END
	[host]
	module.nvme.poll_queues = 25%
END
plan
split nvme2 8 0 2

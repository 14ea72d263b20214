#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Queue counts never change under a loaded driver by a reset: the plan says later;
# and the state that others leave that way is told, while a controller that polls
# as it should has nothing to hear.
. tests/field/lib.sh

host kvm-half-polled
profile <<-END
	[host]
	module.nvme.poll_queues = 32
END
plan
advises poll.half-applied nvme0
# The parameter reads 32 and no queue follows it: that is not "keep".
change module.nvme.poll_queues '.verdict == "later" and
	(.needs | index("reload"))'
json '[.. | strings | select(test("reset_controller"))] == []'

# After the reset: 8 queues, 4 of them without an interrupt, nothing polls.
host two-socket-32cpu '.possible = "0-7" | .online = "0-7" |
	.nodes = [{ id: 0, cpus: "0-7", memory_kb: 4000000, distances: [10] }] |
	.ctrls[0].queue_count = 9 | .ctrls[0].queues_default = 8 |
	.ctrls[0].vectors = .ctrls[0].vectors[:5] |
	(.modules[] | select(.name == "nvme").params[] |
	select(.name == "poll_queues").live) = "4" |
	.namespaces[0].io_poll = false'
status
advises poll.half-applied nvme0
json '[.advice[] | select(.id == "poll.half-applied")][0] |
	.severity == "warning" and (.text |
	contains("4 of its queues have no interrupt"))'

# As many queues without an interrupt, and a map of poll queues that serves them.
edit '.namespaces[0].io_poll = true | .ctrls[0].queues_default = 4 |
	.ctrls[0].queues_poll = 4'
status
advises_not poll.half-applied

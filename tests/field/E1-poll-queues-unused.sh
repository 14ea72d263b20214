#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Poll queues that nobody polls are told, from what happened between two looks:
# each request made an interrupt; where requests were polled, nothing is said.
. tests/field/lib.sh

host two-socket-32cpu '.ctrls[0].queues_default = 24 |
	.ctrls[0].queues_poll = 8 | .namespaces[0].io_poll = true |
	.samples = { interval_ms: 1000, vectors: [.ctrls[0].vectors[] |
	{ ctrl: "nvme0", irq, queue, interrupts: { cpus: .mask[:1],
	counts: [if .queue > 0 then 1250 else 0 end] } }],
	disks: [{ disk: "nvme0n1", reads: 40000, writes: 0, discards: 0,
	flushes: 0 }] }'
status
advises poll.unused nvme0
json '[.advice[] | select(.id == "poll.unused").text][0] |
	startswith("8 queues only serve programs that poll") and
	contains("40000 requests made an interrupt")'
ask explain poll.unused
says "IOPOLL"

# Half of them were polled.
edit '.samples.disks[0].reads = 80000'
status
advises_not poll.unused
# One look tells nothing.
edit 'del(.samples)'
status
advises_not poll.unused
# A parameter that no queue follows is another finding, of D8.
edit '.ctrls[0].queues_poll = 0 | .ctrls[0].queues_default = 32 |
	.namespaces[0].io_poll = false |
	(.modules[] | select(.name == "nvme").params[] |
	select(.name == "poll_queues").live) = "8"'
status
advises_not poll.unused
advises poll.half-applied nvme0

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# none is set as asked where mq-deadline came from a single queue, and it is said
# that the controller has one I/O queue.
. tests/field/lib.sh

host kv-one-queue '.rules = []'
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
change queue.scheduler@nvme0n1 '.verdict == "change" and
	.have == "mq-deadline" and .want == "none" and
	(.set_by | any(contains("one I/O queue")))'
advises queues.one nvme0
json '.advice[] | select(.id == "queues.one") | .text |
	contains("one I/O queue") and contains("mq-deadline")'
# Several queues under mq-deadline: somebody set it, and that is not said.
host db-low-latency
plan
advises_not queues.one

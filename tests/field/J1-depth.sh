#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Under none the limit is the hardware's depth; the scheduler is set before the depth,
# and a depth that reads back as another is refused before it is written.
. tests/field/lib.sh

profile <<-END
	[drives]
	queue.nr_requests = 2048
END
host two-socket-32cpu
plan
change queue.nr_requests@nvme0n1 '.verdict == "cannot" and .want == null and
	(.reason | contains("2048 is above 1023") and contains("under none"))'
# Under mq-deadline it is taken; asked together, the scheduler comes first.
profile <<-END
	[drives]
	queue.nr_requests = 2048
	queue.scheduler = mq-deadline
END
plan
json '[.changes[] | select(.verdict == "change") | .key][:2] ==
	["queue.scheduler", "queue.nr_requests"]'
change queue.nr_requests@nvme0n1 '.have == 1023 and .want == 2048'
# 1 would read back as 4.
profile <<-END
	[drives]
	queue.nr_requests = 1
END
check
expect 1
tells "legal is 4.."
# max is what the hardware has, and follows the scheduler of the same profile.
profile <<-END
	[drives]
	queue.scheduler = none
	queue.nr_requests = max
END
host db-low-latency
plan
change queue.nr_requests@nvme0n1 '.want == 1023'
# Switching the scheduler resets a depth that no profile speaks of.
profile <<-END
	[drives]
	queue.scheduler = mq-deadline
END
host two-socket-32cpu
plan
change queue.nr_requests@nvme0n1 '.origin == "effect" and .want == 256'

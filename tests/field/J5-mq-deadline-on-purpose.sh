#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The profile is law: mq-deadline is set where it asks for it, and no word of the plan
# says that none were right.
. tests/field/lib.sh

host two-socket-32cpu
profile <<-END
	[drives]
	queue.scheduler = mq-deadline
END
plan
change queue.scheduler@nvme0n1 '.verdict == "change" and .have == "none" and
	.want == "mq-deadline" and .persistence == "udev rule" and
	(.reason | startswith("mq-deadline sends reads before writes"))'
file $rules | grep -qF 'ATTR{queue/scheduler}="mq-deadline"' ||
	fail "it is not kept"
page plan
! grep -iE 'wrong|should|recommend|better|none is|slower' "$out" ||
	fail "the plan has an opinion"
# Set already, it stays, and nothing speaks of it as a symptom.
host db-low-latency
plan
verdict queue.scheduler@nvme0n1 keep
json 'all(.advice[]; .text | contains("mq-deadline") | not)'

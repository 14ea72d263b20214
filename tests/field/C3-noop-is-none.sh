#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# noop in a profile is an error that says what to use; in a rule it is a finding.
. tests/field/lib.sh

host two-socket-32cpu
profile <<-END
	[drives]
	queue.scheduler = noop
END
check
expect 1; quiet; one_line
tells "case.ini:5: queue.scheduler:"
tells "use none"

# A list of before blk-mq, should a kernel have one, has no none to give.
profile <<-END
	[drives]
	queue.scheduler = none
END
edit '(.observed[] | select(.knob == "queue.scheduler")) |=
	. + { choices: "noop deadline cfq", value: "deadline" }'
plan
verdict queue.scheduler@nvme0n1 cannot
change queue.scheduler@nvme0n1 '.reason | endswith("it offers noop deadline cfq")'

lint tests/lint/c3-noop.rules
expect 1
says "use none"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A scheduler that the kernel does not offer for the disk is "cannot", with those
# that it does offer.
. tests/field/lib.sh

host laptop-apst
offers() { # scheduler file's words, the active one
	edit "(.observed[] | select(.knob == \"queue.scheduler\")) |=
		. + { choices: \"$1\", value: \"$2\" }"
}
profile <<-END
	[drives]
	queue.scheduler = mq-deadline
END
offers "none bfq" none
plan
verdict queue.scheduler@nvme0n1 cannot
change queue.scheduler@nvme0n1 '.reason |
	contains("does not offer mq-deadline") and endswith("it offers none bfq")'
offers "none bfq" bfq
plan
verdict queue.scheduler@nvme0n1 cannot
offers "none mq-deadline" none
plan
verdict queue.scheduler@nvme0n1 change

# kyber and bfq are modules that the kernel loads when they are asked for.
sed -i s/mq-deadline/kyber/ "$profile"
plan
verdict queue.scheduler@nvme0n1 change
change queue.scheduler@nvme0n1 '.note ==
	"not among those offered now (none mq-deadline): the kernel needs the module kyber-iosched for it"'
offers "none mq-deadline kyber" none
plan
verdict queue.scheduler@nvme0n1 change
change queue.scheduler@nvme0n1 '.note == null'
sed -i s/kyber/mq-deadline/ "$profile"

# From the kernel's own text, active word last or first, blank at the end.
tree two-nodes
put sys/class/block/nvme0n1/queue/scheduler <<<'none [bfq] '
put sys/class/block/nvme1n1/queue/scheduler <<<'[none] bfq '
plan
for disk in nvme0n1 nvme1n1; do
	verdict queue.scheduler@$disk cannot
done
change queue.scheduler@nvme0n1 '.have == "bfq"'
change queue.scheduler@nvme1n1 '.have == "none"'

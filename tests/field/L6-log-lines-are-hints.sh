#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A line of the kernel log is a hint and says so; lines that are harmless, or another
# program's, are no findings at all.
. tests/field/lib.sh

tree two-nodes
cat >"$TMPDIR/dmesg" <<-END
	[    1.0] nvme nvme0: 4/0/0 default/read/poll queues
	[    1.1] nvme nvme0: missing or invalid SUBNQN field.
	[    1.2] nvme nvme0: Ignoring bogus Namespace Identifiers
	[    1.3] nvme nvme0: allocated 16 MiB host memory buffer.
	[    9.0] block nvme0n1: using unchecked data buffer
	[    9.1] usb 1-1: reset high-speed USB device number 2
END
nvmetune status "${from[@]}" --format json --dmesg "$TMPDIR/dmesg"
expect 0
json 'all(.advice[]; .id | startswith("log.") | not)'
cat >>"$TMPDIR/dmesg" <<-END
	[   20.0] nvme nvme1: I/O 717 QID 1 timeout, aborting
	[   50.0] nvme nvme1: I/O 717 QID 1 timeout, reset controller
END
nvmetune status "${from[@]}" --format json --dmesg "$TMPDIR/dmesg"
expect 0
advises log.timeouts nvme1
json 'all(.advice[]; .id != "log.timeouts" or .subject == "nvme1")'
json '.advice[] | select(.id == "log.timeouts") | .text |
	contains("bad drive") or contains("replace") | not'
nvmetune explain log.timeouts --format json
expect 0
json '[.. | objects | .confidence? | select(. != null)] == ["hint"]'
# No setting of a plan follows from it.
profile <<-END
	[drives]
	queue.scheduler = none
END
plan --dmesg "$TMPDIR/dmesg"
json 'all(.changes[]; .key | startswith("queue."))'

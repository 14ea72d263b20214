#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What coalescing may add to a read that waits alone is said with the change, and the
# benchmark can measure one read in flight.
. tests/field/lib.sh

host two-socket-32cpu
profile <<-END
	[drives]
	irq.coalescing = 20/200us
END
plan
change irq.coalescing@nvme0 '.verdict == "change" and
	(.note | contains("adds up to 200 us to a read that waits alone"))'
page plan
says "adds up to 200 us"
profile <<-END
	[drives]
	irq.coalescing = off
END
plan
change irq.coalescing@nvme0 '.note == null'
nvmetune explain irq.coalescing
expect 0
says "a read that waits alone takes up to TIME longer"
nvmetune bench --depth 1 --jobs 1 nvme77
expect 1; one_line; tells "no such drive"

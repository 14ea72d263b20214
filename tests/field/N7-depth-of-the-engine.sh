#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No engine reads one after the other: the depth that is asked for is the depth that is
# used, also without io_uring, and a profile cannot ask for another engine.
. tests/field/drives.sh

profile <<-END
	[drives]
	queue.scheduler = none

	[confirm]
	engine = sync
	iodepth = 32
END
host two-socket-32cpu
check
expect 1; quiet
tells '"engine"'
tells '"iodepth"'

drives two-nodes nvme0n1
bench --node 0 --jobs 1 --depth 8 --format json nvme0n1
expect 0
json '.cells[0].method | .depth == 8 and .jobs == 1 and
	(.engine | startswith("io_uring") or . == "aio")'
json '.cells[0].slices[0].in_flight_milli | . > 1000 and . < 9000'
nvmetune bench --depth 5000 nvme0n1
expect 2
tells "above 1024"

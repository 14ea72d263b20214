#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Taking poll queues away tells what a program that polls gets from then on, an
# error from newer kernels and plain interrupts from older ones; and results of two
# kernels are never set side by side.
. tests/field/lib.sh

host kvm-half-polled '(.modules[] | select(.name == "nvme").params[] |
	select(.name == "poll_queues").live) = "4"'
profile <<-END
	[host]
	module.nvme.poll_queues = 0
END
plan
change module.nvme.poll_queues '.have == "4" and .want == "0" and
	.verdict == "later" and (.note |
	contains("Operation not supported") and contains("6.1"))'
page plan
says "Operation not supported"
# Nobody could poll before.
edit '(.modules[] | select(.name == "nvme").params[] |
	select(.name == "poll_queues").live) = "0"'
plan
change module.nvme.poll_queues '.note == null'

# The same job, as fast as a polled one: 6.1 said nothing, 6.14 refused.
result() { # kernel, IOPS
	cat >"$TMPDIR/$1" <<-END
		{"schema": "nvmetune.bench/1", "measure_ms": 2000, "together": false,
		"environment": {"kernel": "$1", "machine": "x86_64"},
		"drives": [{"name": "nvme0n1", "serial": "A"}],
		"cells": [{"drive": "nvme0n1", "node": 0, "cpus": "0", "iops": $2,
		"iops_min": $2, "iops_max": $2, "method": {"jobs": 1, "depth": 1,
		"engine": "io_uring (single issuer)", "block_bytes": 4096,
		"memory_bound": true}}]}
	END
}
result 6.1.0 47000
result 6.14.0 179000
nvmetune bench compare "$TMPDIR/6.1.0" "$TMPDIR/6.14.0"
expect 1; quiet; one_line
tells "not comparable: kernel is 6.1.0 in"

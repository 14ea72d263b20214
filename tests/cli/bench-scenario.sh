#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Scenarios have the numbers that their names are known for; results are kept, and
# compared with a baseline.
. tests/cli/bench-lib.sh

drives two-nodes nvme0n1
rm -rf "$root"/sys/devices/system/node # two CPUs in one place
# A loop device is faster than the link of that tree, which would not be believed.
find "$root/sys/devices" -name current_link_speed -delete

scenario() { # NAME, pattern, block size, depth and jobs of each cell
	measure scenario "$1" nvme0n1
	expect 0
	says "short: each cell ran for 1 s"
	result ".scenario == \"$1\" and .short"
	result "[.cells[].method | [.pattern, .block_bytes, .depth, .jobs]] == $2"
	result 'all(.cells[]; .errors == 0 and .p50_ns <= .p95_ns and
		.p95_ns <= .p99_ns and .p99_ns <= .p999_ns)'
}
scenario max-iops '[["random read", 4096, 256, 2]]'
scenario latency '[["random read", 4096, 1, 1]]'
scenario db-8k '[["random read", 8192, 16, 2]]'
says "30 writes in 100: a drive is only read"
scenario mixed-read-shape '[["random read", 4096, 32, 2]]'
scenario sequential '([64, 128, 256, 512, 1024] |
	map(["sequential read", . * 1024, 32, 1]))'

# A baseline is made once, and stood against from then on.
measure scenario latency --baseline first nvme0n1
expect 0
tells 'baseline "first" is saved in /var/lib/nvmetune/baselines/first.json'
before=$(cat "$TMPDIR/lib/nvmetune/baselines/first.json")
measure scenario latency --baseline first nvme0n1
expect 0
says "against the baseline first:"
says "nvme0n1, latency 4k: "
says "one run each: not evidence"
[ "$(cat "$TMPDIR/lib/nvmetune/baselines/first.json")" = "$before" ] ||
	fail "the baseline was overwritten"
nvmetune bench compare "$TMPDIR/lib/nvmetune/baselines/first.json" "${kept[0]}" \
	--format json
expect 0
json '.against | length == 1 and .[0].label == "latency 4k"'
# What does not compare is told behind the result.
measure scenario latency --baseline first --time 2 nvme0n1
expect 1
says "latency 4k"
tells "not comparable: measure_ms is 1000"

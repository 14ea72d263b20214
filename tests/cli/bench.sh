#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench refuses nonsense before it looks at any drive.
. tests/cli/lib.sh

nvmetune bench --depth 5000
expect 2; quiet; one_line; tells "bench: --depth 5000 is above 1024"
nvmetune bench --time 2s
expect 2; quiet; tells "--time"
nvmetune bench --jobs -1
expect 2; quiet
nvmetune bench nvme77
expect 1; quiet; one_line; tells "nvme77: no such drive"
nvmetune bench --node 4711
expect 1; quiet; one_line; tells "this host has no node 4711"

[ ! -e /sys/class/nvme ] || [ -z "$(ls /sys/class/nvme)" ] ||
	skip "this host has drives: not read by a test"
nvmetune bench
expect 0; silent; says "no NVMe controllers"
nvmetune bench --format json
expect 0; silent; json '.schema == "nvmetune.bench/1" and .cells == []'
json '.environment.kernel == "'"$(uname -r)"'"'

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench refuses nonsense before it looks at any drive.
. tests/cli/lib.sh

nvmetune bench --depth 5000
expect 2; quiet; one_line; tells "bench: --depth 5000 is above 1024"
# What a 0 asks for is nothing that could be measured, and not the default.
for option in time passes jobs depth rate size per-core-qd total-qd; do
	nvmetune bench "--$option" 0
	expect 2; quiet; one_line; tells "bench: --$option: 0 is too few"
done
nvmetune confirm --calibrate --jobs 0
expect 2; quiet; one_line; tells "confirm: --jobs: 0 is too few"
nvmetune bench --time 2s
expect 2; quiet; tells "--time"
nvmetune bench --jobs -1
expect 2; quiet
nvmetune bench nvme77
expect 1; quiet; one_line; tells "nvme77: no such drive"
nvmetune bench --node 4711
expect 1; quiet; one_line; tells "this host has no node 4711"

# A saved result is judged again, with the facts of its host.
result=tests/results/hygon-8node-matrix.json
nvmetune bench --result $result --facts tests/hosts/hygon-8node.json
expect 0; silent
says "nvme0n1: local/remote 1.34 (node 3 over node 7), which keeps 0.75: usual"
says "keeps 0.20: abnormal; nvme0n1 on the same node keeps 0.75"
says "not the cause: PRP lists: a read of 4 KiB needs none; mdts: no read is split; the link: 9 % used; the way between the nodes"
says "the IOMMU, which maps each read (DMA-FQ); submission: up to 2 CPUs"
nvmetune bench --result $result --facts tests/hosts/hygon-8node-q64.json
expect 0; silent; says "submission: up to 4 CPUs share a queue"
nvmetune bench --result $result --facts tests/hosts/hygon-8node-passthrough.json
expect 0; silent; says "the IOMMU: it maps nothing (identity)"
nvmetune bench --result $result --facts tests/hosts/hygon-8node.json --format json
expect 0; silent
json '[.cross_node[] | [.drive, .verdict, .kept_ppt]] ==
	[["nvme0n1", "usual", 747], ["nvme1n1", "abnormal", 202]]'
nvmetune bench --result tests/results/local-is-slower.json \
	--facts tests/hosts/two-socket-32cpu.json
expect 0; silent; says "nvme0n1: node 0 is faster than its own node 1"
nvmetune bench --result tests/hosts/no-nvme.json
expect 1; quiet; one_line; tells "no-nvme.json: not a saved result: schema"

# Figures that cannot be true are refused, whoever wrote them.
impossible=tests/results/x1-impossible.json
nvmetune bench --result $impossible --facts tests/hosts/no-nvme.json
expect 1; quiet; one_line
tells "$impossible: nvme0n1: impossible figures: 300000 IOPS of 4096 bytes are 1228 MB/s, and the link carries 985 MB/s"
nvmetune bench compare $impossible $impossible
expect 1; quiet; one_line; tells "$impossible: nvme0n1: impossible figures"
before=tests/results/oracle-before.json
after=tests/results/oracle-after.json
sed 's/"mean_ns": 120000/"mean_ns": 850000/' $after >"$TMPDIR/little.json"
nvmetune bench compare $before "$TMPDIR/little.json"
expect 1; quiet; one_line
tells "133300 IOPS that take 850 us each are 113 in flight, and 16 were asked for"
nvmetune bench compare $before $after
expect 0; silent; says "nvme0n1 from node 0: 18800 IOPS before, 133300 after"
says "; mean 850.0 us, then 120.0; p99 5200.0 us, then 450.0"
says "one run each: not evidence"
nvmetune bench compare $before $after --format json
expect 0; silent
json '.against[0] | .before_p99_ns == 5200000 and .after_p99_ns == 450000 and
	.after_mean_ns == 120000 and (has("kernel_ppt") | not)'

# In an open loop reads that are due wait for a place, and that counts: 0.85 ms each.
jq '.cells[0].method |= (.gap_ns = 100 | .poisson = true)' "$TMPDIR/little.json" \
	>"$TMPDIR/open.json"
nvmetune bench compare "$TMPDIR/open.json" "$TMPDIR/open.json"
expect 0; says "133300 IOPS before, 133300 after"

# The kernel's path against a driver in user space, where both say so.
kernel=tests/results/path-kernel.json
other=tests/results/path-user-space.json
nvmetune bench compare $other $kernel
expect 0; silent
says "through the kernel 82 %: its path costs 18 % against a driver in user space"
nvmetune bench compare $kernel $other --format json
expect 0; silent; json '.against[0] | .iops_ppt == 1226 and .kernel_ppt == 816'
jq 'del(.cells[0].method.driver)' $kernel >"$TMPDIR/unsaid.json"
nvmetune bench compare $other "$TMPDIR/unsaid.json"
expect 1; quiet; one_line; tells "not comparable: engine is spdk_nvme_perf in"

jq 'del(.drives)' $impossible >"$TMPDIR/unlabelled.json"
nvmetune bench --result "$TMPDIR/unlabelled.json" --facts tests/hosts/bench-x1.json
expect 1; quiet; one_line; tells "impossible figures: 300000 IOPS of 4096 bytes are 1228 MB/s"
nvmetune bench --result "$TMPDIR/unlabelled.json" --facts tests/hosts/bench-x4.json
expect 0; silent; says "nothing to judge"

# Of a saved sweep what it says, in words and as members.
nvmetune bench --result tests/results/depth-curve.json --facts tests/hosts/bench-x4.json
expect 0; silent
says "nvme0n1: knee 32..64: latency hardly grows up to 32 in flight"
says "IOPS = depth / latency within 2 %"
nvmetune bench --result tests/results/depth-curve.json \
	--facts tests/hosts/bench-x4.json --format json
expect 0; silent
json '.knees == [{"drive": "nvme0n1", "node": 0, "free_depth": 32, "depth": 64,
	"iops": 560000, "mean_ns": 114000, "beyond": false, "depths": 8,
	"depths_by_little": 8}] and .scaling == [] and .cross_node == []'
nvmetune bench --result tests/results/cores.json --facts tests/hosts/bench-x4.json
expect 0; silent
says "nvme0n1: scales 71 % from 1 to 4 CPUs"
says "nvme1n1: flat from 1 to 4 CPUs: the drive, or the node, is the limit"

# Names in a file are foreign text.
sed 's/"nvme\([01]\)n1"/"\\u001b[2Jnvme\1n1"/' $result >"$TMPDIR/foreign.json"
nvmetune bench --result "$TMPDIR/foreign.json" --facts tests/hosts/no-nvme.json
expect 0; silent; says "x1b[2Jnvme1n1: local/remote 4.95"
grep -q "$(printf '\033')" "$out" && fail "an escape sequence got through"

nvmetune bench --result $result nvme0
expect 2; quiet; tells "--result judges all drives"
nvmetune bench --facts tests/hosts/no-nvme.json
expect 2; quiet; tells "--facts goes with --result"

[ ! -e /sys/class/nvme ] || [ -z "$(ls /sys/class/nvme)" ] ||
	skip "this host has drives: not read by a test"
nvmetune bench
expect 0; silent; says "no NVMe controllers"
nvmetune bench --format json
expect 0; silent; json '.schema == "nvmetune.bench/1" and .cells == []'
json '.cross_node == []'
json '.environment.kernel == "'"$(uname -r)"'"'

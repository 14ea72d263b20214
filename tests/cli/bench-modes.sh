#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Modes of bench, on a drive that is a loop device: which cells they visit in which
# shape, and what follows from them in words.
. tests/cli/bench-lib.sh

for mode in matrix sweep scenario sizes rate ceiling compare; do
	nvmetune help bench
	says "$mode"
done

# What a mode does not take, or needs, is told before any drive is looked at.
nvmetune bench sweep --together
expect 2; quiet; one_line; tells "--together goes with bench matrix"
nvmetune bench --total-qd 64
expect 2; quiet; tells "--total-qd goes with bench sweep"
nvmetune bench sweep --total-qd 64 --per-core-qd 8
expect 2; quiet; tells "exclude each other"
nvmetune bench sweep --rate 100
expect 2; quiet; tells "--rate goes with bench rate"
nvmetune bench ceiling nvme0
expect 2; quiet; tells "measures CPUs and no drive"
nvmetune bench scenario
expect 2; quiet; tells "max-iops, latency, mixed-read-shape, db-8k or sequential"
nvmetune bench scenario latensy
expect 2; quiet; tells 'did you mean "latency"?'
nvmetune bench swep
expect 1; quiet; one_line
tells 'swep: neither a mode (did you mean "sweep"?) nor a drive; there are'
nvmetune bench nosuch
expect 1; quiet; one_line
tells "nosuch: neither a mode (matrix, sweep, scenario, sizes, rate, ceiling, compare) nor a drive; there are"
nvmetune bench sweep nosuch
expect 1; quiet; tells "nosuch: no such drive"
nvmetune bench compare one
expect 2; quiet; tells "bench compare BEFORE AFTER"
nvmetune bench compare one two -o "$TMPDIR"
expect 2; quiet; tells "bench compare keeps no result"
touch "$TMPDIR/file"
nvmetune bench -o "$TMPDIR/file" nvme99
expect 1; quiet; one_line; tells "$TMPDIR/file/result: cannot write: Not a directory"
nvmetune bench -o ""
expect 2; quiet; tells "--output names no folder"
nvmetune bench --result x -o "$TMPDIR"
expect 2; quiet; tells "--result is kept already"
nvmetune bench --baseline ../etc/x
expect 2; quiet; tells '--baseline "../etc/x"'

drives two-nodes nvme0n1

described() { # COMMAND: raw lines have as many columns as docs/json.md names
	local want found
	want=$(sed -nE "s/^\| \`$1\` \| (.*) \|\$/\1/p" docs/json.md | wc -w)
	found=$(awk -F'\t' '{ print NF }' "$out" | sort -u)
	[ "$want" -gt 3 ] && [ "$found" = "$want" ] ||
		fail "$1: $found columns, not $want"
}

# Whoever has it open is no other for another name.
(
	exec 9<"$root/dev/nvme0n1"
	while :; do
		echo "name$SECONDS$RANDOM" >"/proc/$BASHPID/comm"
		sleep 0.05 9<&-
	done
) &
user=$!
until [ -e "/proc/$user/fd/9" ]; do sleep 0.05; done
measure nvme0n1
kill "$user"
wait "$user" 2>/dev/null
expect 1; quiet; tells "(pid $user), which has nvme0n1 open: see --in-use"

# A median of one slice has no range; of six, one of 97 in 100.
measure nvme0n1
expect 0
tells "the result is in ${kept[0]}"
[[ ${kept[0]} = *-nvme0n1-matrix-20*Z.json ]] || fail "named ${kept[0]}"
result '.mode == "matrix" and (.date | test("^[0-9-]{10}T[0-9:]{8}Z$"))'
result '.cells[0] | .confidence_ppt == 0 and .iops_low == .iops and
	.spread_ppt == 0 and (has("label") | not)'
# Its link carries 985 MB/s for each lane that is trained.
result '.drives[0].link as $link | .cells[0] |
	(.iops * .method.block_bytes / 1000000 | floor) as $mbs |
	.of_link_ppt == ([{"2500": 250, "8000": 985}["\($link.speed_mts)"] *
		$link.width] | $mbs * 1000 / .[0] + 0.5 | floor)'
says "OF LINK"
measure --passes 6 --node 1 --jobs 1 nvme0n1
expect 0
says "with 97 % confidence"

measure --node 1 --format raw nvme0n1
expect 0
described bench

# The depths of a sweep, and what follows.
measure sweep nvme0n1
expect 0
result '[.cells[] | [.label, .node, .method.jobs, .method.depth]] ==
	([1, 2, 4, 8, 16, 32, 64, 128, 256] | map(["QD \(.)", 1, 1, .]))'
result '.knees | length == 1 and .[0].drive == "nvme0n1" and
	(.[0].free_depth <= .[0].depth)'
grep -q "^nvme0n1.* knee" "$out" || fail "no word about the knee"
says "IOPS=QD/LAT"
result '([.cells[] | select(.at_knee) | .method.depth]) ==
	[.knees[] | select(.beyond | not) | .depth]'

# Each worker's ring is a file, of which there may be more than a process has by
# default, up to what it may have at most.
most=$(ulimit -Sn)
ulimit -Sn 12
measure sweep nvme0n1
expect 0
result '.cells | length == 9'
ulimit -Sn "$most"
(
	ulimit -n 12
	measure sweep nvme0n1
	expect 1; quiet; tells "nvme0n1: too many open files"; tells "(ulimit -n)"
) || exit 1

# Sizes, and where the queue splits them.
measure sizes nvme0n1
expect 0
result '[.cells[] | .method.block_bytes] ==
	([4, 8, 16, 32, 64, 128, 256, 512, 1024] | map(. * 1024))'
result '.sizes[0] | .drive == "nvme0n1" and .lists_above_kb == 8'
says "PRP lists begin above 8 KiB"

# What rings do at all, and what each cell is of that.
nvmetune bench ceiling --format raw
expect 0
described "bench ceiling"
nvmetune bench ceiling --format json
expect 0
json '.ceilings | length >= 1 and all(.[]; .per_second > 1000)'
result '.ceiling_per_cpu as $most | all(.cells[]; .method.jobs as $jobs |
	.of_ceiling_ppt == (.iops * 1000 / ($most * $jobs) + 0.5 | floor))'
# And what it costs: by what all tasks ran, or else not at all.
result 'all(.cells[]; (.cores_per_100k_milli != null) ==
	all(.slices[]; .cpu_source != null and .cpu_source != "none"))'

# An open loop keeps the rate that is asked for, whatever a closed one could do;
# on a busy machine a slice may make up for what was due before it.
measure rate --rate 2000 nvme0n1
expect 0
result '.cells | length == 1 and (.[0] | .label == "2000/s" and
	.method.gap_ns == 500000 and .method.poisson and .iops < 4000)'
says "ASKED"
# It wakes when a read comes back, not only when its rest is over: that would be ten
# times a second, with 32 in flight.
measure rate --rate 100000 --node 1 --format raw nvme0n1
expect 0
described "bench rate"
result '.cells[0].iops > 1000'
measure rate --node 1 nvme0n1
expect 0
result '.cells | length == 1 and (.[0] | .label == "70 %" and
	.method.gap_ns > 0)'

# Of a drive whose node nobody knows, no node is its own: which one is to be said.
node() { # NUMBER
	find "$root/sys/devices/pci0000:40" -name numa_node |
		while read -r file; do echo "$1" >"$file"; done
}
node -1
for mode in rate sweep; do
	measure $mode nvme0n1
	expect 0; says "the kernel does not know its node: choose one by --node"
	result '.cells | length > 0 and all(.[]; .skipped and (.local | not))'
done
measure rate --node 1 nvme0n1
expect 0
result '.cells[0].ios > 0'
node 1

# Over the CPUs of both nodes, which are one place where there are no nodes.
rm -rf "$root"/sys/devices/system/node
measure sweep --per-core-qd 4 nvme0n1
expect 0
result '[.cells[] | [.label, .method.jobs, .method.depth]] ==
	[["1 CPU", 1, 4], ["2 CPUs", 2, 4]]'
result '.scaling | length == 1 and (.[0] | .from_cpus == 1 and .to_cpus == 2)'
measure sweep --total-qd 4 nvme0n1
expect 0
result '[.cells[] | [.method.jobs, .method.depth]] == [[1, 4], [2, 2]]'
measure sweep --total-qd 1 --format raw nvme0n1
expect 0
described "bench sweep"
result '[.cells[].label] == ["1 CPU"]'

# Where nothing comes back there is no rate to take a share of.
: >"$TMPDIR/nvme0n1"
measure rate nvme0n1
expect 1; quiet; tells "nvme0n1: every read failed: Input/output error"

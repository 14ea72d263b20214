#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Scenarios have the numbers that their names are known for; results are kept, and
# compared with a baseline.
# shellcheck disable=SC2034 # what expect and fail of lib.sh read
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
# What does not compare is told before it is measured.
measure scenario latency --baseline first --time 2 nvme0n1
expect 1; quiet; one_line
tells "not comparable: measure_ms is 1000"

# With --dir a scenario writes, too, into a file that is nobody's and then gone.
nvmetune bench scenario db-8k --dir / --passes 2
expect 2; quiet; tells "--passes 2: at least 3 with writes"
nvmetune bench scenario db-8k --dir / nvme0n1
expect 2; quiet; tells "--dir chooses the drive"
nvmetune bench scenario db-8k --size 4
expect 2; quiet; tells "--size goes with --dir"
nvmetune bench sweep --dir /
expect 2; quiet; tells "--dir goes with bench scenario"
command -v mkfs.ext4 >/dev/null || exit 0
mkfs.ext4 -q "${devices[0]}" || fail "no file system"
mkdir "$TMPDIR/data"
in_file() { # ARGUMENT...
	ran="bench $*"
	rm -rf "$TMPDIR/kept"
	unshare -m sh -c 'mount "$0" "$1" && shift && exec "$@"' \
		"${devices[0]}" "$TMPDIR/data" sh -c '
		mount --bind "$0/sys" /sys &&
		cp -a /dev/null /dev/urandom "$0/dev" &&
		mount --bind "$0/dev" /dev && "$@"
		rc=$?; ls -A "$TMPDIR/data" >"$TMPDIR/left"; exit $rc' "$root" \
		"$NVMETUNE" bench --time 1 -o "$TMPDIR/kept" "$@" \
		>"$out" 2>"$err"
	rc=$?
	kept=("$TMPDIR"/kept/*.json)
}
in_file scenario db-8k --dir "$TMPDIR/data" --size 4 --passes 3
expect 0
says "in a file of 4 MiB in $TMPDIR/data, which is gone now"
says "P99 WRITES"
[ "$(cat "$TMPDIR/left")" = lost+found ] || fail "left: $(cat "$TMPDIR/left")"
result '.dir and .file_bytes == 4 * 1024 * 1024 and (.reads_only | not) and
	.passes == 3'
result '.cells | length == 1 and (.[0] | .drive == "nvme0n1" and
	.errors == 0 and .ios > 0 and .method.write_ppt == 300 and
	.method.pattern == "random read and write")'
# More than half of what is free is not taken; a path may begin here.
in_file scenario db-8k --dir "$(realpath --relative-to=. "$TMPDIR/data")" \
	--size 100
expect 1; quiet
tells "more than half of the"
[ "$(cat "$TMPDIR/left")" = lost+found ] || fail "left: $(cat "$TMPDIR/left")"
# A folder elsewhere is no drive of ours.
in_file scenario db-8k --dir /proc --size 4
expect 1; quiet; one_line; tells "/proc"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --engine fio has fio read the cells that nvmetune has read, in the same shape, by a
# command that is shown, and sets both side by side.  Without fio that is told.
. tests/cli/bench-lib.sh

nvmetune bench --engine sync
expect 2; quiet; one_line; tells "fio is the only other"
nvmetune bench --together --engine fio
expect 2; quiet; tells "one cell after the other"
nvmetune bench compare a b --engine fio
expect 2; quiet

command -v fio >/dev/null || skip "no fio"
drives two-nodes nvme0n1
rm -rf "$root"/sys/devices/system/node # one place, whose memory is anywhere
measure scenario latency --engine fio nvme0n1
expect 0
says "fio --name=nvmetune --filename=/dev/nvme0n1 --readonly --allow_file_create=0 --direct=1 --rw=randread --bs=4096 --iodepth=1 --numjobs=1"
says "nvmetune reads "
says "no two cells are apart in both"
result '.crosscheck | .engine == "fio" and .cells == 1 and .cpu_ppt > 0 and
	.iops_median_ppt > 0'
result '.cells[0].fio | .ios > 0 and .p50_ns > 0 and .p50_ns <= .p99_ns and
	(.slices | length == 1)'
result '.cells[0] | (.iops * 1000 / .fio.iops | floor) as $ppt |
	$ppt > 0'
before=$(sha256sum <"$TMPDIR/nvme0n1")
measure scenario sequential --engine fio nvme0n1
expect 0
says "and alike for the rest of 5 cells"
result '[.cells[].fio.command | capture("--rw=(?<rw>\\w+) --bs=(?<bs>\\d+)") |
	[.rw, .bs]] == ([65536, 131072, 262144, 524288, 1048576] |
	map(["read", tostring]))'
[ "$(sha256sum <"$TMPDIR/nvme0n1")" = "$before" ] || fail "the drive differs"
# An open loop is not fio's to check.
measure rate --rate 500 --engine fio nvme0n1
expect 0
result 'has("crosscheck") | not'

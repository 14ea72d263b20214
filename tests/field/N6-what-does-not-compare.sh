#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two results compare where kernel, drive, CPUs and job are the same, and those labels
# are in them; else they are refused, with the label and both its values.
. tests/field/lib.sh

cat >"$TMPDIR/before" <<-END
	{"schema": "nvmetune.bench/1", "measure_ms": 2000, "together": false,
	"environment": {"kernel": "6.1.0-18-amd64", "machine": "x86_64"},
	"drives": [{"name": "nvme0n1", "serial": "A"},
		{"name": "nvme1n1", "serial": "B"}],
	"cells": [{"drive": "nvme0n1", "node": 0, "cpus": "0-15", "iops": 100000,
		"iops_min": 99000, "iops_max": 101000, "method": {"jobs": 16,
		"engine": "io_uring (single issuer)", "depth": 32,
		"block_bytes": 4096, "memory_bound": true}},
	{"drive": "nvme1n1", "node": 0, "skipped": "in use"}]}
END
compared() { # filter of the later result
	jq "$1" "$TMPDIR/before" >"$TMPDIR/after"
	nvmetune bench compare "$TMPDIR/before" "$TMPDIR/after" --format json
}
compared '.cells[0] |= (.iops = 120000 | .iops_min = 118000 | .iops_max = 121000)'
expect 0; silent
json '.against == [{drive: "nvme0n1", node: 0, before_iops: 100000,
	after_iops: 120000, iops_ppt: 1200, apart: true}]'
compared '.cells[0].iops = 100500'
expect 0
json '.against[0].apart == false'
nvmetune bench compare "$TMPDIR/before" "$TMPDIR/after"
expect 0
says "no difference to talk about"

# A single slice says nothing about the next one.
jq '.cells[0] |= (.iops_min = .iops | .iops_max = .iops)' "$TMPDIR/before" \
	>"$TMPDIR/single"
jq '.cells[0] |= (.iops = 120000 | .iops_min = 118000 | .iops_max = 121000)' \
	"$TMPDIR/before" >"$TMPDIR/after"
nvmetune bench compare "$TMPDIR/single" "$TMPDIR/after"
expect 0
says "; of a single slice: how far the next one is off nobody knows"
# Several that agree are no single one: a limit held the rate.
jq '.cells[0].slices = [{"ios": 200000}, {"ios": 200000}]' "$TMPDIR/single" \
	>"$TMPDIR/held"
nvmetune bench compare "$TMPDIR/held" "$TMPDIR/after" --format json
expect 0
json '.against[0].apart == true'

# Names may have moved; the serial number tells.
compared '.drives[0].name = "nvme7n1" | .cells[0].drive = "nvme7n1"'
expect 0
json '.against[0].drive == "nvme7n1"'

refused() { # filter, label and values
	compared "$1"
	expect 1; quiet; one_line
	tells "not comparable: $2"
}
refused '.environment.kernel = "6.12.9"' "kernel is 6.1.0-18-amd64 in"
tells "6.12.9 in"
refused '.environment.machine = "aarch64"' "machine is x86_64 in"
refused '.cells[0].cpus = "0-7"' "cpus is 0-15 in"
refused '.cells[0].method.engine = "aio"' "engine is io_uring"
refused '.cells[0].method.depth = 1' "depth is 32 in"
refused '.cells[0].method.jobs = 1' "jobs is 16 in"
refused '.cells[0].method.block_bytes = 512' "block_bytes is 4096 in"
refused '.cells[0].method.most_iops = 2000' "most_iops is 0 in"
# Without the one or the other an I/O costs more, in a file another one.
refused '.cells[0].method.fixed_buffers = false' "fixed_buffers is not told in"
refused '.cells[0].method.fixed_files = true' "fixed_files is not told in"
refused '.file_bytes = 1073741824' "file_bytes is none in"
refused '.measure_ms = 500' "measure_ms is 2000 in"
refused '.together = true' "together is false in"
refused '.mode = "sweep"' "mode is matrix in"
refused '.cells[0].method.pattern = "sequential read"' "pattern is random read in"
refused '.drives[0].firmware = "2"' "firmware is not told in"
refused '.drives[0].drive_state = "dirty"' "drive_state is not told in"
refused '.drives[0].link = {"speed_mts": 8000, "width": 1}' "speed_mts is not told in"
# What is not told is not known to be the same.
refused 'del(.cells[0].method.engine)' "engine is io_uring"
# Another drive under the same name.
refused '.drives[0].serial = "C"' "$TMPDIR/before and $TMPDIR/after have no drive"
refused 'del(.drives)' "$TMPDIR/before"

# A result of now has all of these labels, so that it compares with itself.
nvmetune bench --format json
expect 0
json '.environment | has("kernel") and has("machine")'
json 'has("measure_ms") and has("together") and has("drives")'
nvmetune bench compare "$TMPDIR/before"
expect 2
nvmetune bench compare "$TMPDIR/before" tests/hosts/no-nvme.json
expect 1; one_line; tells "not a saved result"

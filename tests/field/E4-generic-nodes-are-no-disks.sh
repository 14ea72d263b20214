#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Generic character devices, ng0n1, are never taken for disks that can be tuned.
. tests/field/lib.sh

generic=sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0/nvme/nvme0
tree two-nodes <<-END
	$generic/ng0n1/dev | f | 238:0
	$generic/ng0n1/device | l | ../../nvme0
	sys/class/nvme-generic/ng0n1 | l | ../../devices/pci0000:40/0000:40:00.0/0000:41:00.0/nvme/nvme0/ng0n1
	sys/class/block/sda/dev | f | 8:0
END
status
json '[.drives[].name] == ["nvme0n1", "nvme1n1"]'
profile <<-END
	[drives]
	queue.rq_affinity = 2
END
plan
json '[.changes[].target.name] | unique == ["nvme0n1", "nvme1n1"]'
for command in status "plan --profile $profile"; do
	# shellcheck disable=SC2086 # it is several words
	nvmetune $command "${from[@]}" ng0n1
	expect 1; quiet; one_line
	tells "ng0n1: no such drive; there are nvme0n1, nvme1n1"
done
# Its rules are for block devices alone.
file $rules >"$TMPDIR/rules"
plan
file $rules | grep -qxF 'SUBSYSTEM!="block", GOTO="nvmetune_disk_end"' ||
	fail "the rule is for other devices, too"

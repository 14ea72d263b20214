#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How many nodes a socket has is a setting of the firmware: told, never a change of
# the plan; numa=off on the command line hides them, and is recognised.
. tests/field/lib.sh

host hygon-8node '.cmdline += " numa=off"'
status
advises cmdline.numa-off host
json '.advice[] | select(.id == "cmdline.numa-off") | .text |
	contains("hides the nodes")'
nvmetune explain cmdline.numa-off
expect 0
says "firmware (NPS, SNC)"
for name in base oltp low-latency throughput virt-host; do
	nvmetune plan --facts "$facts" --profile $name --format json
	expect 0
	json 'all(.changes[]; (.key + (.asked // "")) | test("nps|numa=") | not)'
done
# Behind "--" it is not the kernel's, and nothing like it is numa=off.
host hygon-8node '.cmdline += " numa=on -- numa=off"'
status
advises_not cmdline.numa-off

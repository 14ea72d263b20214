#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A plan says what, from what to what, who set it, who asks, and why.
. tests/cli/lib.sh

nvmetune plan --facts tests/hosts/kv-leftover-rule.json --profile oltp
expect 0; silent
says "change    queue.scheduler on nvme0n1"
says "- mq-deadline"
says "set by /etc/udev/rules.d/60-io-scheduler.rules:1:"
says "+ none"
says "profiles/base.ini:"
says "kept by a udev rule"
says "create    /etc/udev/rules.d/90-nvmetune.rules"
says "2 to change, 0 later, "; says "2 files to write"

nvmetune plan --facts tests/hosts/kv-late-rule.json --profile oltp
says "not kept over a reboot: /etc/udev/rules.d/99-io-scheduler.rules:1 runs after"

nvmetune plan --facts tests/hosts/kv-zoned.json --profile oltp
says "cannot    queue.scheduler on nvme0n1"; says "zoned"; says "1 cannot"

# A plan of some drives says which; that of all has another hash.
nvmetune plan --facts tests/hosts/multipath-2node.json --profile oltp nvme0n1
expect 0; says "profile oltp on array-head, Linux 6.12.12+bpo-amd64, only nvme0n1"
nvmetune plan --facts tests/hosts/multipath-2node.json --profile oltp nvme0n1 \
	--format json
json '.only == ["nvme0n1"]'

# The same change on many drives is one paragraph.
nvmetune plan --facts tests/hosts/namespaces-24.json --profile oltp
! grep -q ', only ' "$out" || fail "the plan of all drives is not narrowed"
says "queue.scheduler on nvme0n5, nvme0n18"
says "queue.scheduler = none on 22 disks"
[ "$(wc -l <"$out")" -lt 40 ] || fail "a page for 24 equal drives"

nvmetune plan --facts tests/hosts/two-socket-32cpu.json --profile low-latency
says "later     module.nvme.poll_queues"; says "after a reload"
says "asked as 25% by"; says "32/0/"

# The whole text of the files is shown on demand.
nvmetune plan --facts tests/hosts/kv-leftover-rule.json --profile oltp --wide
says '+ SUBSYSTEM!="block"'

nvmetune plan --facts tests/hosts/no-nvme.json --profile oltp
expect 0; silent; says "no NVMe controllers"

# Without --profile it is the one applied last; here there is none.
nvmetune plan --facts tests/hosts/no-nvme.json
expect 1; quiet; one_line; tells "low-latency"
nvmetune plan --facts tests/hosts/no-nvme.json --profile oltpp
expect 1; quiet; one_line; tells '"oltpp"'

nvmetune profile show oltp; expect 0; silent

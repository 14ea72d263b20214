#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Without the driver there are no drives, and that is what is said: no error, and
# nothing to be told well of.
. tests/field/lib.sh

tree no-nvme
status
json '.drives == []'
page status
says "no NVMe controllers"
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
json '.changes == [] and .summary.cannot == 0'
page plan
says "no NVMe controllers"
# What a drive would get is kept for it all the same.
apply
expect 0
grep -q 'ATTR{queue/scheduler}="none"' "$root$rules" || fail "no rule"
verify
expect 0
nvmetune status "${from[@]}" nvme0
expect 1; quiet; one_line
tells "nvme0: no such drive"

mkdir "$TMPDIR/empty"
nvmetune status --sysroot "$TMPDIR/empty"
expect 0
says "no NVMe controllers"

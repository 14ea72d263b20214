#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A rule that matches by the start of a name matches partitions; ours do not, and
# neither loop nor zram devices by any chance.
. tests/field/lib.sh

lint tests/lint/c2-prefix.rules
expect 1
says "c2-prefix.rules:1: matches the partition nvme0n1p1"
says 'c2-prefix.rules:1: has no TEST=="queue/scheduler"'

host two-socket-32cpu
profile <<-END
	[drives]
	queue.scheduler = mq-deadline
END
plan
file $rules >"$TMPDIR/90-nvmetune.rules"
grep -qxF 'KERNEL!="nvme[0-9]*n[0-9]*", GOTO="nvmetune_disk_end"' \
	"$TMPDIR/90-nvmetune.rules" || fail "not by name"
grep -qxF 'TEST!="mq", GOTO="nvmetune_disk_end"' \
	"$TMPDIR/90-nvmetune.rules" || fail "not by its request queue"
# What a rule of such a name would do with a scheduler that is no NVMe drive's.
cat "$TMPDIR/90-nvmetune.rules" - >"$TMPDIR/x.rules" <<-END
	ACTION=="add", SUBSYSTEM=="block", KERNEL=="nvme*", ATTR{queue/scheduler}="mq-deadline"
END
lint "$TMPDIR/90-nvmetune.rules"
expect 0
lint "$TMPDIR/x.rules"
expect 1

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What persists acts when a drive appears, whenever that is: a rule, no unit that runs
# once at boot, and no drive of today's names.
. tests/field/lib.sh

profile <<-END
	[drives]
	queue.scheduler = none
	power.apst = off
END
host two-socket-32cpu
plan
file $rules >"$TMPDIR/rules"
grep -qx 'ACTION!="add", GOTO="nvmetune_end"' "$TMPDIR/rules" ||
	fail "it does not act on add alone"
! grep -E 'nvme[0-9]+n[0-9]+[^[]|RUN' "$TMPDIR/rules" ||
	fail "it names a drive, or runs something"
json 'all(.files[]; .action == "same" or
	(.path | startswith("/etc/systemd/") | not))'
# The file in the tree names no drive; the values come with the drives.
tree no-nvme
apply
expect 0
{ cat "$root/$rules" && echo; } | cmp -s - "$TMPDIR/rules" ||
	fail "without a drive the rules are others"
verify
expect 0
# A late namespace: what only it has is set by a second trigger.
grep -q 'SUBSYSTEM!="block", GOTO="nvmetune_late_end"' "$TMPDIR/rules" ||
	fail "no trigger for attributes that come after the controller"

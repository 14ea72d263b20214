#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No setting is keyed by a PCI address: a profile that tries is refused with what to
# match instead, a foreign rule that does is told so, and our own rule has none.
. tests/field/lib.sh

host two-socket-32cpu
profile <<-END
	[drives slot]
	match.address = 0000:65:00.0
	queue.scheduler = none
END
check
expect 1
tells 'unknown key "match.address"'
tells "match.serial"

cat >"$TMPDIR/60-slot.rules" <<-END
	ACTION=="add", SUBSYSTEM=="block", ENV{DEVTYPE}=="disk", KERNELS=="0000:65:00.0", TEST=="queue/scheduler", ATTR{queue/scheduler}="none"
END
lint "$TMPDIR/60-slot.rules"
expect 1
says "pins the PCI address 0000:65:00.0"
says "match the model or serial"

# The same host with every address moved has the same rules to the byte.
profile <<-END
	include = oltp
END
plan
file $rules >"$TMPDIR/before"
! grep -E '[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}' "$TMPDIR/before" ||
	fail "our rule has an address"
edit '.ctrls[0].address = "0000:c1:00.0"'
plan
file $rules | cmp - "$TMPDIR/before" || fail "the rule follows the address"
# On a command line it is a name for a drive of now.
nvmetune plan --facts "$facts" --profile "$profile" 0000:c1:00.0
expect 0
nvmetune plan --facts "$facts" --profile "$profile" 0000:65:00.0
expect 1; one_line; tells "no such drive"

# For a service it is taken, and it is said that it may be another drive's
# tomorrow; a name of the drive's own is better.
profile <<-END
	[service db.service]
	drive = 0000:c1:00.0
	numa = local

	[wrapper near]
	drive = /data
	numa = local
END
plan
json 'any(.changes[]; .target.name == "db.service" and .verdict == "later" and
	(.note | contains("nvme0") and contains("addresses move")))'
json 'any(.changes[]; .target.name == "near" and
	(.note | contains("addresses move") | not))'
